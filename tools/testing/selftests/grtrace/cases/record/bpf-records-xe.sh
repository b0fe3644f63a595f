#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: BPF programs record errors, scheduling and memory of xe as ftrace does, and each timeout once
# requires: grtrace
# vm: own --gpu none --with xe --mem 2000
# kernels: 6.12 7.x
# shellcheck source=SCRIPTDIR/../fire_xe.sh
. "$0/fire_xe.sh"
trap 'echo 1 >/sys/kernel/debug/kprobes/enabled; ftrace_undo' EXIT
load_xe
record_xe full bpf
xe_as_ftrace full bridge full
xe_is_right full
xe_has_address full
grtrace report "$CASE_TMP/full.grt" || fail "no report"

# --- where the kprobe of the scheduler's timeout does not run, xe tells of it ---
echo 0 >/sys/kernel/debug/kprobes/enabled
record_xe alone bpf
xe_as_ftrace alone jobs full
xe_is_right alone
