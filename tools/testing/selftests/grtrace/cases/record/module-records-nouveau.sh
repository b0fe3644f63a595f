#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the module records jobs of nouveau by their fences, each once: not the hardware fences of jobs that the scheduler has
# requires: grtrace
# arm64: no, Debian's kernel lists no variables there, and the test finds the operations of nouveau's fences by name
# vm: own --gpu none --with nouveau --mem 1500
# kernels: 6.1 7.x
# shellcheck source=SCRIPTDIR/../fire_nouveau.sh
. "$0/fire_nouveau.sh"
trap ftrace_undo EXIT
need_module grtrace_nouveau
load_nouveau
record_nouveau with module
expect_nouveau with
grtrace report "$CASE_TMP/with.grt"
rmmod nouveau || fail "nouveau is in use"
