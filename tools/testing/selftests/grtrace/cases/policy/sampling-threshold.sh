#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: with a threshold the trace has exactly the jobs that were slower by the mock's log, each of them whole
# kernels: 6.1
# requires: mock grtrace
MOCK=/sys/kernel/debug/grtrace_mock
LIMIT_MS=200 ROUNDS=6

need_module grtrace_sampling
sampled() { sed -n "s/^$1=//p" "$GRT_DIR/sampling_stats"; }

for good in 5ms:5000000 200us:200000 7ns:7 2s:2000000000 1000:1000 $LIMIT_MS"ms:${LIMIT_MS}000000"; do
	put sampling_threshold "${good%:*}"
	expect_eq sampling_threshold "$(cat "$GRT_DIR/sampling_threshold")" "${good#*:}"
done
for bad in 5min -1 ms 4000s 1.5ms; do
	expect_refused sampling_threshold "$bad"
done

put sampling_mode threshold
echo 1 >"$MOCK/log_reset"
session_start
# One at a time, so that none waits for another.
for _ in $(seq $ROUNDS); do
	mock_run_jobs 1 --processes 1 --duration-us 5000
	mock_run_jobs 1 --processes 1 --duration-us 400000
done
cat "$MOCK/log" >"$CASE_TMP/log.csv"
session_stop
fates_sum
expect_stat lost_events 0
dump_session
grtrace report --jobs --format csv "$CASE_TMP/pipe" >"$CASE_TMP/jobs.csv" 2>"$CASE_TMP/report.err" || fail "$(cat "$CASE_TMP/report.err")"

awk -F, -v limit_ms=$LIMIT_MS '
	FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
	function col(name) { return $at[file, name] ~ /^[0-9]+$/ ? $at[file, name] + 0 : $at[file, name] }
	function bad(what) { print "job " key ": " what; bads++ }
	{ key = col("ctx") ":" col("seqno") }
	file == 1 {
		ms = (col("signaled_ns") - col("queue_ns")) / 1e6
		if (ms > limit_ms * 0.7 && ms < limit_ms * 1.3) { print "a job took " ms " ms: too near"; exit 7 }
		is_slow[key] = ms > limit_ms
		n[ms > limit_ms]++
		next
	}
	file == 2 && col("type") ~ /^(SUBMIT|COMMIT|START|END|COMPLETE|DEPENDENCY)$/ { bad("an event of its own") }
	file == 2 && col("type") == "JOB" {
		got[key]++
		if (!is_slow[key]) bad("is told, and was fast or is not in the log")
		if (!(col("submit_ns") < col("commit_ns") && col("commit_ns") < col("end_ns") &&
		      col("end_ns") <= col("complete_ns"))) bad("its stamps are not in order")
		total[key] = col("complete_ns") - col("submit_ns")
	}
	file == 3 {
		reported++
		if (!(key in got)) bad("is only in the report")
		if (col("total_ns") != total[key]) bad("total is " col("total_ns") ", stamps say " total[key])
		if (col("t_submit_host_ns") + col("t_hw_ns") + col("t_complete_ns") != total[key]) bad("stages do not sum up")
		if (col("start_ns") != "" || col("t_order_ns") != "") bad("something was made up")
		if (col("comm") != "batch") bad("is of " col("comm"))
	}
	END {
		for (key in is_slow) if (is_slow[key] && got[key] != 1) bad("slow, and told " got[key] + 0 " times")
		print n[1] + 0 " slow jobs, " n[0] + 0 " fast ones, " reported + 0 " reported"
		exit bads > 0 || n[0] < 5 || n[1] < 5 || reported != n[1]
	}' "$CASE_TMP/log.csv" "$CASE_TMP/dump.csv" "$CASE_TMP/jobs.csv" >"$CASE_TMP/verdict" || fail "$(cat "$CASE_TMP/verdict")"
cat "$CASE_TMP/verdict"
expect_eq "jobs told" "$(column JOB written)" "$(sampled jobs_slow)"
expect_eq "fast jobs" "$(column JOB sampled)" "$(sampled jobs_fast)"
expect_eq "events in jobs" "$(stat aggregated)" "$(sampled events_in_jobs)"

# Jobs of unknown time are not dropped: errors, jobs from before, jobs that do not end.
put sampling_mode off
session_start
emit submit 7 GRAPHICS 900 1
put sampling_mode 2
emit complete 7 GRAPHICS 900 1
emit submit 7 GRAPHICS 900 2
emit error 7 GRAPHICS 900 2 code=1
emit commit 7 GRAPHICS 900 2
session_stop
fates_sum
dump_session
expect_eq "what is written" "$(cut -d, -f1 "$CASE_TMP/dump.csv" | grep -E '^(SUBMIT|COMMIT|COMPLETE|ERROR|JOB)$' | sort | paste -s -d ' ')" \
	"COMPLETE ERROR JOB SUBMIT"
expect_eq jobs_not_followed "$(sampled jobs_not_followed)" 1
expect_eq jobs_unfinished "$(sampled jobs_unfinished)" 1
grtrace report --jobs --synthetic --format csv "$CASE_TMP/pipe" 2>/dev/null | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["seqno"] == 2 { found++; if ($at["flags"] !~ /cut/ || $at["total_ns"] $at["status"] != "") bad = 1 }
	END { exit bad || found != 1 }' || fail "the job that did not end is reported as if it had"
