#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: BPF programs record requests and memory of i915, which is loaded later; they are made by hand for the real module's tracepoints
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
echo "offsets: $offsets"
# i915 is loaded while record runs.  An attached program holds the module of its tracepoint.
rmmod i915 || fail "i915 is in use"
cat >"$CASE_TMP/fire" <<END
modprobe i915 || exit
for _ in \$(seq 200); do
	[ "\$(cat /sys/module/i915/refcnt)" -eq 0 ] || break
	sleep 0.1
done
sleep 1
modprobe grtrace_fire_i915 offsets=$offsets count=100
END
grtrace record --source=bpf -q -o "$CASE_TMP/x.grt" -- sh "$CASE_TMP/fire" >"$CASE_TMP/words" 2>&1 ||
	fail "record: $(cat "$CASE_TMP/words")"
rmmod grtrace_fire_i915
dmesg | sed -n 's/.*grtrace_fire_i915: request //p' | sort >"$CASE_TMP/truth"
expect_eq "requests" "$(wc -l <"$CASE_TMP/truth")" 133
grtrace verify "$CASE_TMP/x.grt" || fail "verify"
grtrace dump --format csv "$CASE_TMP/x.grt" >"$CASE_TMP/x.csv"
for type in SUBMIT COMPLETE; do
	keys_of "$CASE_TMP/x.csv" "$type" >"$CASE_TMP/keys"
	diff "$CASE_TMP/truth" "$CASE_TMP/keys" >"$CASE_TMP/diff" || fail "$type differs: $(head "$CASE_TMP/diff")"
done
# Nothing is made up: no START without the tracepoints, no waits.
grtrace report --jobs --format csv "$CASE_TMP/x.grt" | awk -F, -v low="$(! has_low_level || echo 1)" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["t_dep_ns"] != "" || (!low && $at["t_exec_ns"] != "") { print; bad++ }
	$at["total_ns"] <= 0 { print; bad++ }
	{ jobs++ }
	END { exit bad > 0 || jobs != 133 }' >"$CASE_TMP/wrong" || fail "jobs: $(head -n 5 "$CASE_TMP/wrong")"

# Event by event, as ftrace has them.
record_fired full bpf
expect_as_ftrace full ""
i915_is_right full
grtrace report "$CASE_TMP/full.grt"
