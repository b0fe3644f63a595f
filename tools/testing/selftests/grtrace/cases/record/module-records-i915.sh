#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the module records requests and memory of i915 as ftrace does; without type information it knows no engines, and guesses none
# arm64: no, i915 is a driver for x86 machines
# requires: grtrace
# vm: own --gpu none --with i915 --mem 1500
# kernels: 6.1 7.x
# shellcheck source=SCRIPTDIR/../fire_i915.sh
. "$0/fire_i915.sh"
trap 'umount /sys/kernel/btf 2>/dev/null || :; ftrace_undo' EXIT
need_module grtrace_i915
modprobe i915 || fail "there is no i915"
load_btf i915
expect_eq "offset of i915_request.fence" "$(offset i915_request fence)" 0
expect_eq "offset of i915_vma.node" "$(offset i915_vma node)" 0
offsets=$(i915_offsets)
echo "offsets: $offsets"
low_level=no
! has_low_level || low_level=yes

# --- offsets that are wrong are refused, and change nothing ---
build=$(build_id i915)
engine=$(offset i915_request engine)
expect_refused offsets "i915 0000000000000000000000000000000000000000 i915_request.engine=$engine"
expect_refused offsets "i915 $build i915_request.engines=$engine"
expect_refused offsets "i915 $build i915_request.engine=4096"
expect_refused offsets "i915 $build i915_request.engine=-8"
expect_refused offsets "i915 $build i915_request.engine=$((engine + 4))"
expect_refused offsets "i915 $build i915_request.engine=$engine i915_request.engine=$engine"
expect_refused offsets "xe $build i915_request.engine=$engine"
expect_refused offsets "i915 $build"
! grep -q '^i915,.*,[0-9]*,[0-9]' "$GRT_DIR/offsets" || fail "an offset was taken: $(cat "$GRT_DIR/offsets")"

# --- without type information ---
mount -t tmpfs none /sys/kernel/btf
record_fired blind module
umount /sys/kernel/btf
grep -q 'i915.engines=unknown' "$CASE_TMP/blind.defs" || fail "metadata does not say that engines are unknown"
! grep -q '^i915,.*,[0-9]*,[0-9]' "$GRT_DIR/offsets" || fail "there are offsets without type information"
expect_as_ftrace blind 1
! grep -q CTX_SWITCH "$CASE_TMP/blind.csv" || fail "a switch of an engine that is not known"

# --- with it; record sends the offsets ---
record_fired full module
grep -q "i915.low_level=$low_level" "$CASE_TMP/full.defs" || fail "metadata does not say low_level=$low_level"
grep -q 'i915.engines=known' "$CASE_TMP/full.defs" || fail "metadata does not say that engines are known"
expect_as_ftrace full ""
i915_is_right full
grtrace report "$CASE_TMP/full.grt"

# --- the offsets go with the driver ---
grep -q '^i915,i915_request.engine,8,[0-9]' "$GRT_DIR/offsets" || fail "the offset is not there"
rmmod i915 || fail "i915 is in use"
! grep -q '^i915,.*,[0-9]*,[0-9]' "$GRT_DIR/offsets" || fail "offsets of a driver that is gone: $(cat "$GRT_DIR/offsets")"
expect_refused offsets "i915 $build i915_request.engine=$engine"
