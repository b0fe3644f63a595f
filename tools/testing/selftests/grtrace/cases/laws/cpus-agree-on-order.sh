#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: with global_seq=2 the merged order of all CPUs is that of gseq wherever times differ, without a gap; 1 has no gap, 0 no number
# kernels: 6.1
# requires: mock grtrace
# One CPU may get all of them: they fit what a buffer may take of the guest's memory, 7.5 MiB.
EVENTS=50000

# Two writers at once, and the events of real jobs among theirs.
record_all()
{
	session_start buffer_size=16M "global_seq=$1"
	echo "submit 1 gfx 900 1 count=$EVENTS" >"$GRT_DIR/emit" &
	first=$!
	echo "complete 2 gfx 900 1 count=$EVENTS" >"$GRT_DIR/emit" &
	second=$!
	mock_run_jobs 200
	wait $first
	wait $second
	session_stop
	expect_stat lost_events 0
	cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
	grtrace verify -s "$2" "$CASE_TMP/pipe" >"$CASE_TMP/verify" || fail "global_seq=$1: $(grep FAILED "$CASE_TMP/verify")"
}

# rule NAME: verify looked at it, and found it to hold
rule() { grep -q "^ok  *$1 " "$CASE_TMP/verify" || fail "verify: $(grep " $1 " "$CASE_TMP/verify")"; }

record_all 2 0
rule gseq
rule order
# Both CPUs took part, or there was nothing to agree on.
for cpu in 0 1; do
	count=$(grtrace dump --format csv "$CASE_TMP/pipe" | grep -c "^[A-Z]*,$cpu,")
	[ "$count" -gt 5000 ] || fail "CPU $cpu wrote $count events, so this run proves nothing"
done

record_all 1 1s
rule gseq
record_all 0 0
expect_eq "events with a gseq" "$(grtrace dump --format csv "$CASE_TMP/pipe" | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["gseq"] > 0' | wc -l)" 0
