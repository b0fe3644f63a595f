#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: adaptive sampling goes down to 1 % while nobody reads, and up again when somebody reads; no job is incomplete
# kernels: 6.1
# requires: mock grtrace
need_module grtrace_sampling
sampled() { sed -n "s/^$1=//p" "$GRT_DIR/sampling_stats"; }

next=1
# jobs COUNT: by hand, for a tenth of a second and more
jobs()
{
	for type in submit commit complete; do
		echo "$type 7 GRAPHICS 900 $next count=$1"
	done >"$CASE_TMP/lines"
	cat "$CASE_TMP/lines" >"$GRT_DIR/emit"
	next=$((next + $1))
	sleep 0.12
}
# rate_is OP PERCENT: after a few more, of 200 bytes each; the buffer is 64 KiB
rate_is() { jobs 20; awk -v is="$(sampled adaptive_rate)" -v op="$1" -v want="$2" 'BEGIN { exit op == "<" ? is >= want : is <= want }'; }

put sampling_rate 80
put sampling_mode adaptive
session_start buffer_size=64K
expect_eq "rate at first" "$(sampled adaptive_rate)" 80.00
wait_for 12 rate_is "<" 5
low=$(sampled adaptive_rate)
dropped=$(sampled jobs_dropped)
[ "$dropped" -gt 50 ] || fail "$dropped jobs were dropped"
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe" &
wait_for 6 rate_is ">" 60
echo "from 80 % to $low %, and back to $(sampled adaptive_rate) %"
session_stop
wait $!
fates_sum
grtrace dump --format csv "$CASE_TMP/pipe" >"$CASE_TMP/dump.csv"
if [ "$(stat lost_events)" -eq 0 ]; then
	whole=$(jobs_are_whole SUBMIT COMMIT COMPLETE <"$CASE_TMP/dump.csv")
	echo "$whole jobs in the trace"
else
	fail "the buffer was full before the share fell"
fi
