#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the source tracefs records requests and memory of i915, as ftrace itself has them
# arm64: no, i915 is a driver for x86 machines
# requires: grtrace
# vm: own --gpu none --with i915 --mem 1500
# kernels: 6.1
# shellcheck source=SCRIPTDIR/../fire_i915.sh
. "$0/fire_i915.sh"
trap ftrace_undo EXIT
modprobe i915 || fail "there is no i915"
load_btf i915
offsets=$(i915_offsets)
record_fired full tracefs
expect_as_ftrace full "" tracefs
expect_switches full
grtrace report "$CASE_TMP/full.grt"
