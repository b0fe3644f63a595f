#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: stages of jobs of 2 to 20 ms are within 1 % + 50 us of what the mock hardware itself logged
# requires: mock grtrace
# debug: no, 50 us are more precise than a kernel that is several times slower
# vm: own --icount
# kernels: 6.1 7.x
#
# The clock counts instructions there: a host that is busy elsewhere cannot come
# between the mock's stamp and the one of grtrace.
JOBS=240
MOCK=/sys/kernel/debug/grtrace_mock

echo 1 >"$MOCK/log_reset"
session_start buffer_size=4M
workload --scenario mixed --jobs $JOBS --processes 4 --seed 11 --duration-us 2000:20000 \
	>"$CASE_TMP/workload" 2>&1 || fail "workload: $(cat "$CASE_TMP/workload")"
session_stop
expect_stat lost_events 0
expect_eq log_dropped "$(cat "$MOCK/log_dropped")" 0
cat "$MOCK/log" >"$CASE_TMP/log.csv"
for stream in "$GRT_DIR"/events[0-9]*; do
	cat "$stream" >"$CASE_TMP/${stream##*/}"
done
grtrace report --jobs --format csv "$CASE_TMP"/events[0-9]* >"$CASE_TMP/jobs.csv" ||
	fail "report failed"

# The log is the truth: each line of the report has a row in the log, and the other way round.
awk -F, '
function check(stage, got, want,    off) {
	if (got == "")
		return bad(stage " is unknown")
	off = got - want
	if (off < 0)
		off = -off
	if (off > want / 100 + 50000)
		bad(stage " is " got " ns, the mock says " want " ns")
	if (off > worst)
		worst = off
	checked++
}
function bad(what) {
	print "job " key ": " what
	bads++
}
FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME == log_file, $i] = i; next }
function log_col(name) { return $at[1, name] }
function job_col(name) { return $at[0, name] }
FILENAME == log_file {
	key = log_col("ctx") ":" log_col("seqno")
	run[key] = log_col("run_ns"); start[key] = log_col("start_ns")
	end[key] = log_col("end_ns"); queue[key] = log_col("queue_ns")
	ring[key] = log_col("ring"); tgid[key] = log_col("tgid")
	logged++
	next
}
{
	key = job_col("ctx") ":" job_col("seqno")
	if (!(key in end)) { bad("is not in the log"); next }
	if (job_col("ring") != ring[key])
		bad("ran on " job_col("ring") ", the mock says " ring[key])
	if (job_col("pid") != tgid[key])
		bad("is of process " job_col("pid") ", the mock says " tgid[key])
	check("t_submit_host", job_col("t_submit_host_ns"), run[key] - queue[key])
	check("t_queue", job_col("t_queue_ns"), start[key] - run[key])
	check("t_exec", job_col("t_exec_ns"), end[key] - start[key])
	check("t_hw", job_col("t_hw_ns"), end[key] - run[key])
	sum = job_col("t_submit_host_ns") + job_col("t_queue_ns") + job_col("t_exec_ns") + job_col("t_complete_ns")
	if (sum != job_col("total_ns"))
		bad("total is " job_col("total_ns") ", its stages sum to " sum)
	jobs++
}
END {
	print jobs " jobs, " checked " stages checked, worst difference " worst " ns"
	if (jobs != logged) { print logged " jobs in the log"; bads++ }
	if (jobs != want_jobs) { print want_jobs " jobs were asked for"; bads++ }
	exit bads > 0
}' log_file="$CASE_TMP/log.csv" want_jobs=$JOBS "$CASE_TMP/log.csv" "$CASE_TMP/jobs.csv" ||
	fail "the report and the mock's log differ"
