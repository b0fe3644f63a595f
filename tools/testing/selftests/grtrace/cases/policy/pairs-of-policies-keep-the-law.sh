#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the same under every sixth pair of policies; in the soak under every pair
# requires: mock grtrace
# timeout: 400
# kernels: soak
#
# GRTRACE_PAIRS: 1 = all of them, N = every Nth
pairs=${GRTRACE_PAIRS:-6}
# shellcheck source-path=SCRIPTDIR/..
. ./policy/policies-keep-the-law.sh
[ $tried -gt $((100 / pairs)) ] || fail "only $tried policies and pairs"
