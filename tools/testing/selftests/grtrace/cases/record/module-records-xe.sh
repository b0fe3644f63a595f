#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the module records errors, scheduling and memory of xe as ftrace does, with the bridge and without it, and each timeout once
# requires: grtrace
# vm: own --gpu none --with xe --mem 2000
# kernels: 6.12 7.x
# shellcheck source=SCRIPTDIR/../fire_xe.sh
. "$0/fire_xe.sh"
trap 'umount /sys/kernel/btf 2>/dev/null || :; echo 1 >/sys/kernel/debug/kprobes/enabled; ftrace_undo' EXIT
need_module grtrace_xe
load_xe

# --- offsets that are wrong are refused, and change nothing ---
build=$(build_id xe)
guc=$(xe_offset xe_exec_queue.guc)
expect_refused offsets "xe 0000000000000000000000000000000000000000 xe_exec_queue.guc=$guc"
expect_refused offsets "xe $build xe_exec_queue.gut=$guc"
expect_refused offsets "xe $build xe_exec_queue.guc=4096"

# --- without type information events are poorer, and nothing is made up ---
mount -t tmpfs none /sys/kernel/btf
record_xe blind module
umount /sys/kernel/btf
grep -q 'xe.members=unknown' "$CASE_TMP/blind.defs" || fail "metadata does not say that members are unknown"
xe_as_ftrace blind bridge blind

# --- with it, and with the bridge ---
record_xe bridge module
grep -q 'xe.members=known' "$CASE_TMP/bridge.defs" || fail "metadata does not say that members are known"
xe_as_ftrace bridge bridge full
xe_is_right bridge
xe_has_address bridge
grtrace report "$CASE_TMP/bridge.grt"
grtrace report --memory "$CASE_TMP/bridge.grt"

# --- timeouts that the bridge records are counted ---
session_start
fire_xe || fail "nothing is fired"
session_stop
fates_sum
expect_eq "ERROR that are duplicates" "$(column ERROR duplicate)" 5
expect_eq "ERROR written" "$(column ERROR written)" 34
session_reset

# --- a kprobe that never runs is as good as none: the adapter records what the bridge does not ---
echo 0 >/sys/kernel/debug/kprobes/enabled
session_start
fire_xe || fail "nothing is fired"
session_stop
fates_sum
expect_stat duplicate 0
expect_eq "ERROR written without kprobes" "$(column ERROR written)" 29
session_reset
echo 1 >/sys/kernel/debug/kprobes/enabled

# --- without the bridge ---
rmmod grtrace_drm_bridge
record_xe alone module
xe_as_ftrace alone alone full
xe_has_address alone
session_start
fire_xe || fail "nothing is fired"
session_stop
fates_sum
expect_stat duplicate 0
rmmod xe || fail "xe is in use"
! grep -q '^xe,.*,[0-9]*,[0-9]' "$GRT_DIR/offsets" || fail "offsets of a driver that is gone"
