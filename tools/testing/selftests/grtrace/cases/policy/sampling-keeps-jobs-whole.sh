#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: sampling a quarter keeps a quarter, and so does half of a half; each job has all of its events or none, also while the share changes
# kernels: 6.1
# requires: mock grtrace
BATCHES=40 BATCH=1000 JOBS=40000

need_module grtrace_sampling

# by_hand: many jobs, never more of them at once than are followed
by_hand()
{
	session_start buffer_size=8M
	batch=0
	while [ $batch -lt $BATCHES ]; do
		for type in submit commit complete job; do
			echo "$type 7 GRAPHICS 900 $((batch * BATCH + 1)) count=$BATCH"
		done
		batch=$((batch + 1))
	done >"$CASE_TMP/lines"
	cat "$CASE_TMP/lines" >"$GRT_DIR/emit"
	emit mark 0 OTHER 0 0 text=of no job
	session_stop
	fates_sum
	expect_stat lost_events 0
	expect_eq "MARK written" "$(column MARK written)" 1
	dump_session
}

sampled() { sed -n "s/^$1=//p" "$GRT_DIR/sampling_stats"; }

expect_eq "the mode at first" "$(cat "$GRT_DIR/sampling_mode")" off
for bad in 3 -1 STATIC slow; do
	expect_refused sampling_mode "$bad"
done
expect_refused sampling_rate 101
put sampling_rate 25
put sampling_mode 0
expect_eq "mode 0" "$(cat "$GRT_DIR/sampling_mode")" static
by_hand
kept=$(jobs_are_whole SUBMIT COMMIT COMPLETE JOB <"$CASE_TMP/dump.csv")
expect_share "$kept" $JOBS 25 0.5
expect_eq jobs_seen "$(sampled jobs_seen)" $JOBS
expect_eq jobs_kept "$(sampled jobs_kept)" "$kept"
expect_eq jobs_dropped "$(sampled jobs_dropped)" $((JOBS - kept))
expect_eq "events_dropped and JOB" $(($(sampled events_dropped) + JOBS - kept)) "$(stat sampled)"
expect_eq effective_rate "$(sampled effective_rate)" "$(awk -v k="$kept" -v n=$JOBS 'BEGIN { h = int(k * 10000 / n)
	printf "%d.%02d", h / 100, h % 100 }')"

expect_eq "the head of sampling_stats" "$(head -n 3 "$GRT_DIR/sampling_stats")" "Sampler mode: static (rate=25%)
Per-ring statistics:
Ring   Total Jobs   Sampled Jobs   Sample Rate"
expect_eq "the row of ring 900" "$(awk '$1 == 900 { print $2, $3, $4 }' "$GRT_DIR/sampling_stats")" \
	"$JOBS $kept $(sampled effective_rate)%"

# The two choices are independent of each other.
put sampling_rate 50
config sample=50
by_hand
expect_share "$(jobs_are_whole SUBMIT COMMIT COMPLETE JOB <"$CASE_TMP/dump.csv")" $JOBS 25 0.5
config sample=100

# Real jobs, and the share goes up and down meanwhile.
put sampling_rate 50
session_start buffer_size=4M
workload --scenario mixed --jobs 600 --processes 4 >"$CASE_TMP/workload" 2>&1 &
for rate in 20 90 40 0 100 30; do
	put sampling_rate $rate
	sleep 0.1
done
put sampling_mode off
wait $! || fail "$(cat "$CASE_TMP/workload")"
session_stop
dump_session
kept=$(jobs_are_whole SUBMIT COMMIT END COMPLETE <"$CASE_TMP/dump.csv")
{ [ "$kept" -ge 20 ] && [ "$kept" -lt 590 ]; } || fail "$kept of 600 jobs were kept, so this run proves nothing"
expect_eq "POLICY records" "$(grep -c 'sampling_rate=' "$CASE_TMP/dump.csv")" 7
# Reports have the kept jobs, and no incomplete ones.
grtrace report --jobs --format csv "$CASE_TMP/pipe" >"$CASE_TMP/jobs.csv" 2>/dev/null
awk -F, -v want="$kept" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ jobs++; if ($at["total_ns"] == "" || $at["flags"] ~ /cut|partial/) { print; bad = 1 } }
	END { print jobs " jobs in the report, " want " in the trace"; exit bad || jobs != want }' "$CASE_TMP/jobs.csv" ||
	fail "the report differs"
