#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the source tracefs records errors, scheduling and memory of xe as ftrace does, and each timeout once
# requires: grtrace
# vm: own --gpu none --with xe --mem 2000
# kernels: 6.12 7.x
# shellcheck source=SCRIPTDIR/../fire_xe.sh
. "$0/fire_xe.sh"
trap 'echo 1 >/sys/kernel/debug/kprobes/enabled; ftrace_undo' EXIT
load_xe
record_xe full tracefs
xe_as_ftrace full bridge full
# The device of grtrace_fire_xe has no name where the probe looks for it.
xe_is_right full unknown
grtrace report "$CASE_TMP/full.grt" || fail "no report"

# --- where the probe of the scheduler's timeout does not run, xe tells of it ---
echo 0 >/sys/kernel/debug/kprobes/enabled
record_xe alone tracefs
xe_as_ftrace alone jobs full
xe_is_right alone unknown
