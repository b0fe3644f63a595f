# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Runs in the guest of i915-low-level.t, as a case does: i915 with its low-level tracepoints is
# /share/i915.ko.
# shellcheck source=SCRIPTDIR/../../cases/fire_i915.sh
. "$0/fire_i915.sh"
trap ftrace_undo EXIT
need_module grtrace_i915
# It has the same structs as Debian's, but no type information.
modprobe i915 || fail "there is no i915"
load_btf i915
offsets=$(i915_offsets)
echo "offsets: $offsets"
rmmod i915
insmod /share/i915.ko || fail "the i915 with low-level tracepoints cannot be loaded"
has_low_level || fail "it has no low-level tracepoints"
members=$(sed -n 's/^i915,\([^,]*\),.*/\1/p' "$GRT_DIR/offsets")
line="i915 $(build_id i915)"
for member in $members; do
	case $member in
	drm_i915_private.drm.dev) at=$(($(offset drm_i915_private drm) + $(offset drm_device dev))) ;;
	*) at=$(offset "${member%%.*}" "${member#*.}") ;;
	esac
	line="$line $member=$at"
done
put offsets "$line"

for source in module tracefs; do
	record_fired $source $source
	expect_as_ftrace $source "" $source
	expect_switches $source
	# A request that was preempted, 33 of them, starts again.
	expect_eq "START of $source" "$(keys_of "$CASE_TMP/$source.csv" START | wc -l)" 166
	expect_eq "END of $source" "$(keys_of "$CASE_TMP/$source.csv" END | wc -l)" 133
	# Each request was on its engine for some time.
	grtrace report --jobs --format csv "$CASE_TMP/$source.grt" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["t_hw_ns"] <= 0 { print; bad++ }
		$at["t_exec_ns"] > 0 { exact++ }
		{ jobs++ }
		END { print jobs " jobs, " exact " with t_exec"; exit bad > 0 || jobs != 133 || exact < 100 }' >"$CASE_TMP/jobs" ||
		fail "jobs: $(tail -n 5 "$CASE_TMP/jobs")"
	cat "$CASE_TMP/jobs"
done
i915_is_right module

# Beside a GPU with GuC, the other one keeps its START.
record_fired hybrid module guc=10
expect_as_ftrace hybrid ""
expect_eq "START beside GuC" "$(keys_of "$CASE_TMP/hybrid.csv" START | wc -l)" 167
grep -q i915.low_level=yes "$CASE_TMP/module.defs" || fail "metadata does not say low_level=yes"
