#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: BPF programs record requests of i915, which is loaded later; they are made by hand for the real module's tracepoints
# requires: grtrace
# vm: own --gpu none --with i915 --mem 1500
# kernels: 6.1 7.x
modprobe i915 || fail "there is no i915"
bpftool -B /sys/kernel/btf/vmlinux btf dump file /sys/kernel/btf/i915 format raw >"$CASE_TMP/btf" || fail "bpftool"
bpftool btf dump file /sys/kernel/btf/vmlinux format raw >>"$CASE_TMP/btf"
# offset STRUCT MEMBER: in bytes
offset()
{
	awk -v type="$1" -v member="'$2'" '
		/^\[/ { is_it = $2 == "STRUCT" && $3 == "\047" type "\047" }
		is_it && $1 == member { sub(/.*bits_offset=/, ""); print $0 / 8; exit }' "$CASE_TMP/btf"
}

expect_eq "offset of i915_request.fence" "$(offset i915_request fence)" 0
offsets=$(offset i915_request engine),$(offset i915_request hwsp_seqno),$(offset intel_engine_cs name)
offsets=$offsets,$(offset intel_engine_cs i915),$(offset drm_i915_private drm),$(offset drm_device dev)
echo "offsets: $offsets"
# i915 is loaded while record runs.  An attached program holds the module of its tracepoint.
modprobe -r i915 || fail "i915 is in use"
cat >"$CASE_TMP/fire" <<END
modprobe i915 || exit
for _ in \$(seq 200); do
	[ "\$(cat /sys/module/i915/refcnt)" -eq 0 ] || break
	sleep 0.1
done
sleep 1
modprobe grtrace_fire i915=$offsets count=100
END
grtrace record --source=bpf -q -o "$CASE_TMP/x.grt" -- sh "$CASE_TMP/fire" >"$CASE_TMP/words" 2>&1 ||
	fail "record: $(cat "$CASE_TMP/words")"
dmesg | sed -n 's/.*grtrace_fire: request //p' | sort >"$CASE_TMP/truth"
expect_eq "requests" "$(wc -l <"$CASE_TMP/truth")" 100
grtrace verify "$CASE_TMP/x.grt" || fail "verify"
grtrace dump --format csv "$CASE_TMP/x.grt" >"$CASE_TMP/x.csv"
types="SUBMIT COMPLETE"
grep -q 'btf_trace_i915_request_in' "$CASE_TMP/btf" && types="SUBMIT COMMIT END COMPLETE"
for type in $types; do
	keys_of "$CASE_TMP/x.csv" "$type" >"$CASE_TMP/keys"
	diff "$CASE_TMP/truth" "$CASE_TMP/keys" >"$CASE_TMP/diff" || fail "$type differs: $(head "$CASE_TMP/diff")"
done
# The driver may notice the end of a request late.
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "COMPLETE" && $at["flags"] !~ /UPPER_BOUND/ { print; bad++ }
	$at["type"] == "SUBMIT" && ($at["ring_name"] != "rcs0" || !$at["tgid"]) { print; bad++ }
	END { exit bad > 0 }' "$CASE_TMP/x.csv" || fail "the events are wrong"
grtrace dump --definitions "$CASE_TMP/x.grt" | grep ' RING ' >"$CASE_TMP/ring"
grep -q 'engine=GRAPHICS order=UNKNOWN .*name="rcs0" device="grtrace_fire" driver="i915"' "$CASE_TMP/ring" ||
	fail "the ring is $(cat "$CASE_TMP/ring")"
# Nothing is made up: no START, no busy time, no waits.
grtrace report --jobs --format csv "$CASE_TMP/x.grt" | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["t_dep_ns"] != "" || $at["t_exec_ns"] != "" { print; bad++ }
	$at["total_ns"] <= 0 { print; bad++ }
	{ jobs++ }
	END { exit bad > 0 || jobs != 100 }' >"$CASE_TMP/wrong" || fail "jobs: $(head -n 5 "$CASE_TMP/wrong")"
grtrace report "$CASE_TMP/x.grt"
