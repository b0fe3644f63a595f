#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the module records jobs, memory and interrupts of amdgpu as ftrace does, with the bridge and without it, and each job once
# requires: grtrace
# vm: own --gpu none --with amdgpu --mem 2000
# kernels: 6.1 7.x
# shellcheck source=SCRIPTDIR/../fire_amdgpu.sh
. "$0/fire_amdgpu.sh"
trap 'umount /sys/kernel/btf 2>/dev/null || :; ftrace_undo' EXIT
need_module grtrace_amdgpu
modprobe amdgpu || fail "there is no amdgpu"
load_btf amdgpu
expect_eq "offset of amdgpu_job.base" "$(offset amdgpu_job base)" 0
for member in ih:0 client_id:8 src_id:12 ring_id:16 vmid:20 timestamp:32 pasid:44 src_data:52; do
	expect_eq "offset of amdgpu_iv_entry.${member%:*}" "$(offset amdgpu_iv_entry "${member%:*}")" "${member#*:}"
done
offsets=$(amdgpu_offsets)
echo "offsets: $offsets"

# --- offsets that are wrong are refused, and change nothing ---
build=$(build_id amdgpu)
ibs=$(offset amdgpu_job num_ibs)
expect_refused offsets "amdgpu 0000000000000000000000000000000000000000 amdgpu_job.num_ibs=$ibs"
expect_refused offsets "amdgpu $build amdgpu_job.num_ib=$ibs"
expect_refused offsets "amdgpu $build amdgpu_job.num_ibs=$((ibs + 1))"
expect_refused offsets "amdgpu $build amdgpu_job.num_ibs=4096"

# --- without type information events are poorer, and nothing is made up ---
mount -t tmpfs none /sys/kernel/btf
record_amdgpu blind module
umount /sys/kernel/btf
grep -q 'amdgpu.members=unknown' "$CASE_TMP/blind.defs" || fail "metadata does not say that members are unknown"
amdgpu_as_ftrace blind bridge blind

# --- with it, and with the bridge ---
record_amdgpu bridge module
grep -q 'amdgpu.members=known' "$CASE_TMP/bridge.defs" || fail "metadata does not say that members are known"
grep -q 'jobs.amdgpu=scheduler' "$CASE_TMP/bridge.defs" || fail "metadata does not say who records the jobs"
amdgpu_as_ftrace bridge bridge full
amdgpu_is_right bridge
# The device is 0001:03:02.1; the number in the record is one more.
awk -F, -v address=$(((1 << 16 | 3 << 8 | 2 << 3 | 1) + 1)) '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "MEMORY" && ($at["pci_address"] != address || !$at["tgid"] || !$at["object_id"]) { print; bad++ }
	END { exit bad > 0 }' "$CASE_TMP/bridge.csv" >"$CASE_TMP/wrong" || fail "wrong: $(head -n 3 "$CASE_TMP/wrong")"
grtrace report "$CASE_TMP/bridge.grt"

# --- what the adapter saw of jobs is counted ---
session_start
fire_amdgpu
session_stop
fates_sum
expect_eq "SUBMIT that are duplicates" "$(column SUBMIT duplicate)" 83
expect_eq "COMMIT that are duplicates" "$(column COMMIT duplicate)" 100
expect_eq "SUBMIT written" "$(column SUBMIT written)" 103
expect_eq "COMMIT written" "$(column COMMIT written)" 100
session_reset

# --- without the bridge ---
rmmod grtrace_drm_bridge
record_amdgpu driver module
grep -q 'jobs.amdgpu=amdgpu' "$CASE_TMP/driver.defs" || fail "metadata does not say who records the jobs"
amdgpu_as_ftrace driver driver full
amdgpu_is_right driver
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "END" && $at["flags"] !~ /UPPER_BOUND/ { bad++ }
	$at["type"] == "DEPENDENCY" { bad++ }
	END { exit bad > 0 }' "$CASE_TMP/driver.csv" || fail "END without UPPER_BOUND, or a DEPENDENCY"
grtrace report "$CASE_TMP/driver.grt"
session_start
fire_amdgpu
# Jobs of another driver are not amdgpu's.
modprobe grtrace_mock 2>/dev/null || :
mock_run_jobs 20
session_stop
fates_sum
expect_stat duplicate 0
expect_eq "COMPLETE written" "$(column COMPLETE written)" 103
rmmod amdgpu || fail "amdgpu is in use"
! grep -q '^amdgpu,.*,[0-9]*,[0-9]' "$GRT_DIR/offsets" || fail "offsets of a driver that is gone"
