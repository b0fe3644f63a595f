#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the module and BPF programs record the same events of a workload
# requires: mock grtrace
# events FILE TYPE: the events of a type, without what belongs to the recording
events()
{
	grtrace dump --format csv --definitions "$1" | awk -F, -v type="$2" '
		function col(name) { return $at[name] }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		col("type") != type { next }
		type == "PROCESS" { print col("tgid"), col("comm"), col("cgroup_id"), col("pidns"), col("start_ns"); next }
		type == "RING" { print col("name"), col("device"), col("driver"), col("engine"), col("order"), col("credit_limit"), col("pci_id"); next }
		{
			flags = col("flags")
			# The fence may be signalled between the two looks at it.
			if (type == "DEPENDENCY")
				sub(/\|(BLOCKED|SIGNALED)/, "", flags)
			print type, flags, col("ctx") ":" col("seqno"), col("ring_name"), col("tgid"), col("tid"),
		  col("credits"), col("client_id"), col("status"), col("dep_ctx") ":" col("dep_seqno"), col("code"),
		  col("hw_done_ns")
		}' | sort
}


session_start
grtrace record --source=bpf -q -o "$CASE_TMP/bpf.grt" -- workload --scenario mixed --jobs 300 --processes 3 >/dev/null
session_stop
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/module"
grtrace verify "$CASE_TMP/bpf.grt" || fail "verify"
grtrace report "$CASE_TMP/bpf.grt"
grtrace dump -d "$CASE_TMP/bpf.grt" | grep -a "STATS\|LOSS" || :
for type in RING PROCESS SUBMIT DEPENDENCY COMMIT END COMPLETE FENCE_SIGNALED; do
	events "$CASE_TMP/module" $type >"$CASE_TMP/m"
	events "$CASE_TMP/bpf.grt" $type >"$CASE_TMP/b"
	echo "$type: $(wc -l <"$CASE_TMP/m") and $(wc -l <"$CASE_TMP/b")"
	diff "$CASE_TMP/m" "$CASE_TMP/b" | head -20 >"$CASE_TMP/diff"
	[ ! -s "$CASE_TMP/diff" ] || { cat "$CASE_TMP/diff"; bad="${bad-} $type"; }
done
[ -z "${bad-}" ] || fail "these differ:$bad"
