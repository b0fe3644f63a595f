# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# For cases about nouveau: records the fences that grtrace_fire_nouveau makes, and compares the jobs with
# ftrace, for every source.  CASE_TMP and the functions of lib.sh are there.

# load_nouveau: what grtrace_fire_nouveau wants of it is in $nouveau
load_nouveau()
{
	modprobe nouveau || fail "there is no nouveau"
	load_btf nouveau
	expect_eq "offset of nouveau_fence.base" "$(offset nouveau_fence base)" 0
	nouveau=ops=$(awk '$3 ~ /^nouveau_fence_ops_(legacy|uevent)$/ && $4 == "[nouveau]" { printf "%s0x%s", n++ ? "," : "", $1 }' /proc/kallsyms)
	nouveau="$nouveau offsets=$(offset nouveau_fence_chan lock),$(offset nouveau_fence_chan fence_ref),$(offset nouveau_fence_chan name)"
	echo "nouveau: $nouveau"
}

# record_nouveau NAME SOURCE: grtrace and ftrace record the same; the dump is in $CASE_TMP/NAME.csv
record_nouveau()
{
	dmesg -c >/dev/null
	ftrace_begin 8192 dma_fence/dma_fence_init dma_fence/dma_fence_signaled
	# shellcheck disable=SC2086	# words
	grtrace record --source="$2" -q -o "$CASE_TMP/$1.grt" -- \
		modprobe grtrace_fire_nouveau $nouveau count=100 >"$CASE_TMP/words" 2>&1 ||
		fail "record: $(cat "$CASE_TMP/words")"
	ftrace_stop
	rmmod grtrace_fire_nouveau
	dmesg | sed -n 's/.*grtrace_fire_nouveau: //p' >"$CASE_TMP/truth"
	expect_eq "fences" "$(wc -l <"$CASE_TMP/truth")" 300
	grtrace verify "$CASE_TMP/$1.grt" || fail "verify"
	grtrace dump --format csv "$CASE_TMP/$1.grt" >"$CASE_TMP/$1.csv"
	grtrace dump --definitions "$CASE_TMP/$1.grt" >"$CASE_TMP/$1.defs"
}

# expect_nouveau NAME: the jobs are those that were made; ftrace has the same fences, in the same order
expect_nouveau()
{
	awk 'NR == FNR { kind[$2] = $1; next }
		function value(name) { match($0, name "=[^=]*"); text = substr($0, RSTART + length(name) + 1, RLENGTH - length(name) - 1)
			sub(/ [a-z]*$/, "", text); return text }
		/^#/ || !/driver=nouveau / { next }
		{ key = value("context") ":" value("seqno"); if (kind[key] == "exec") next
			tid = $0; sub(/ *\[[0-9]*\] .*/, "", tid); sub(/.*-/, "", tid) }
		/: dma_fence_init: / { print "SUBMIT", key, value("timeline"), tid,
			kind[key] == "move" ? "KERNEL_JOB" : "USER", "LATE" }
		/: dma_fence_signaled: / { print "COMPLETE", key, value("timeline"), "-", "-", "LATE" }
	' "$CASE_TMP/truth" "$CASE_TMP/trace" >"$CASE_TMP/expected"
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] !~ /^(SUBMIT|COMMIT|START|END|COMPLETE)$/ { next }
		{ is_submit = $at["type"] == "SUBMIT"
			print $at["type"], $at["ctx"] ":" $at["seqno"], $at["ring_name"], is_submit ? $at["tid"] : "-",
				!is_submit ? "-" : $at["flags"] ~ /KERNEL_JOB/ ? "KERNEL_JOB" : "USER",
				$at["flags"] ~ /UPPER_BOUND/ ? "LATE" : "EXACT" }
	' "$CASE_TMP/$1.csv" >"$CASE_TMP/recorded"
	echo "$1: $(wc -l <"$CASE_TMP/expected") events of ftrace, $(wc -l <"$CASE_TMP/recorded") of ours"
	expect_eq "events of ftrace" "$(wc -l <"$CASE_TMP/expected")" 400
	diff "$CASE_TMP/expected" "$CASE_TMP/recorded" >"$CASE_TMP/diff" || fail "$1: $(head -n 20 "$CASE_TMP/diff")"
	# Each seventh job failed.
	expect_eq "failed jobs" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "COMPLETE" && $at["status"] == -5' "$CASE_TMP/$1.csv" | wc -l)" 15
	for ring in 'engine=COPY .*name="copy engine channel"' 'engine=OTHER .*name="modprobe\[[0-9]*\]"'; do
		grep ' RING ' "$CASE_TMP/$1.defs" | grep 'order=UNKNOWN .*driver="nouveau"' | grep -q "$ring" ||
			fail "no ring is $ring: $(grep ' RING ' "$CASE_TMP/$1.defs")"
	done
}
