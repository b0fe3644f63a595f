#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: filter_latency keeps one JOB of each job that was slower by the mock's log, and nothing of the others
# kernels: 6.1
# requires: mock grtrace
need_module grtrace_filter
MOCK=/sys/kernel/debug/grtrace_mock
JOBS=160
LIMIT_US=40000
trap filter_undo EXIT

# Slow ones take 60 ms at least; quick ones are run a few at a time.
run()
{
	echo 1 >"$MOCK/log_reset"
	session_start
	put filter_enabled 1
	for durations in 200:400 60000:64000 200:400; do
		workload --scenario mixed --jobs $((JOBS / 4)) --duration-us $durations --processes 1 >"$CASE_TMP/workload" ||
			fail "$(cat "$CASE_TMP/workload")"
	done
	session_stop
	expect_eq log_dropped "$(cat "$MOCK/log_dropped")" 0
	cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
	grtrace dump --format csv "$CASE_TMP/pipe" >"$CASE_TMP/dump"
	expect_filter_adds_up
}
# log_jobs WHAT: those whose latency in the log is on that side of the limit, or so near to it
# (10 ms) that the stamps of grtrace, taken a moment later, may lie on the other side: where
# the host takes the CPU away between the two
log_jobs()
{
	awk -F, -v limit=$((LIMIT_US * 1000)) -v want="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ took = $at["signaled_ns"] - $at["queue_ns"]
		  off = took - limit
		  if (want == (off > -limit / 4 && off < limit / 4 ? "near" : off > 0 ? "slow" : "quick"))
			print $at["ctx"] ":" $at["seqno"] }' "$MOCK/log" | sort
}
put filter_latency $LIMIT_US
run
for which in near slow quick; do log_jobs $which >"$CASE_TMP/$which"; done
near=$(wc -l <"$CASE_TMP/near") quick=$(wc -l <"$CASE_TMP/quick")
[ "$quick" -gt 20 ] || fail "only $quick quick jobs, so this run proves nothing"
[ "$near" -le 8 ] || fail "$near jobs are too close to the limit, so this run proves nothing"
keys_of "$CASE_TMP/dump" JOB >"$CASE_TMP/written"
awk -v near="$CASE_TMP/near" 'FILENAME == near { is[$0]; next } !($0 in is)' \
	"$CASE_TMP/near" "$CASE_TMP/written" >"$CASE_TMP/got"
expect_same_jobs "slow jobs" "$CASE_TMP/got" "$CASE_TMP/slow"
expect_eq "all that was written" "$(stat written)" "$(wc -l <"$CASE_TMP/written")"
expect_eq jobs_passed "$(filter_stat jobs_passed)" "$(wc -l <"$CASE_TMP/written")"
expect_eq "jobs_fast and jobs_passed" $(($(filter_stat jobs_fast) + $(filter_stat jobs_passed))) \
	"$(cat "$CASE_TMP/near" "$CASE_TMP/slow" "$CASE_TMP/quick" | wc -l)"

# Their stamps are those of the hardware, and the name of the submitter is known.
awk -F, -v limit=$((LIMIT_US * 1000)) '
	FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
	function col(name) { return $at[FILENAME, name] }
	function near(what, got, want,    off) {
		off = got - want
		if (off < 0) off = -off
		if (off > limit / 4) { print what " of " key " is off by " off " ns"; bad = 1 }
	}
	{ key = col("ctx") ":" col("seqno") }
	FILENAME == log_file { run[key] = col("run_ns"); end[key] = col("end_ns"); tgid[key] = col("tgid"); next }
	$1 == "JOB" {
		near("COMMIT", col("commit_ns"), run[key])
		near("END", col("end_ns"), end[key])
		if (col("complete_ns") - col("submit_ns") < limit) { print key " was not slow"; bad = 1 }
		if (col("tgid") != tgid[key]) { print key " is of " col("tgid"); bad = 1 }
	}
	END { exit bad }' log_file="$MOCK/log" "$MOCK/log" "$CASE_TMP/dump" || fail "JOB and the log differ"
grtrace dump -d --format csv "$CASE_TMP/pipe" | grep '^PROCESS,' | grep -q ',game,' || fail "no name of the submitter"

# To the millisecond: marks around each step bound the latency from both sides
step()
{
	emit mark 0 OTHER 0 0 "text=$2 before $1"
	emit "$1" 7 GRAPHICS 900 "$2"
	emit mark 0 OTHER 0 0 "text=$2 after $1"
}
now_ms() { sed 's/ .*//; s/\.//; s/$/0/' /proc/uptime; }
# The limit lies amid those 40, however fast they can be told here.
session_start
from_ms=$(now_ms)
for seqno in $(seq 10); do step submit "$seqno"; sleep 0.01; step complete "$seqno"; done
limit_ms=$((2 * ($(now_ms) - from_ms)))
session_stop
put filter_latency "${limit_ms}000"
session_start
for seqno in $(seq 40); do step submit "$seqno"; sleep 0.01; done
for seqno in $(seq 40 -1 1); do step complete "$seqno"; done
session_stop
expect_filter_adds_up
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
grtrace dump --format csv "$CASE_TMP/pipe" >"$CASE_TMP/dump"
awk -F, -v limit="${limit_ms}000000" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 == "MARK" { text = $at["text"]; gsub(/"/, "", text); split(text, word, " "); ts[word[1], word[2], word[3]] = $at["ts"] + 0 }
	$1 == "JOB" { is_slow[$at["seqno"]] = 1 }
	END {
		for (job = 1; job <= 40; job++) {
			least = ts[job, "before", "complete"] - ts[job, "after", "submit"]
			most = ts[job, "after", "complete"] - ts[job, "before", "submit"]
			if (least >= limit) slow++
			else if (most < limit) quick++
			if (least >= limit && !(job in is_slow) || most < limit && job in is_slow) {
				print job " took " least ".." most " ns: " (job in is_slow ? "written" : "left out")
				bad = 1
			}
		}
		print slow + 0 " slow, " quick + 0 " quick, of 40"
		exit bad || slow < 5 || quick < 5
	}' "$CASE_TMP/dump" || fail "the limit is another one"

# By hand: with its owner refused, or its SUBMIT not seen, no JOB
put filter_latency 40000
put filter_pid 4711
session_start
emit submit 7 GRAPHICS 900 1 tgid=4711
emit submit 7 GRAPHICS 900 2 tgid=4712
sleep 0.1
emit complete 7 GRAPHICS 900 1
emit complete 7 GRAPHICS 900 2
emit complete 7 GRAPHICS 900 3
session_stop
expect_filter_adds_up
expect_stat written 1
expect_stat filtered_ext 3
put filter_pid ""

# A job that does not end before the stop: one JOB without an end, because its latency is not known; also if the
# filter goes off meanwhile
put filter_latency 3600000000
for is_off in "" y; do
	put filter_enabled 1
	session_start
	emit submit 7 GRAPHICS 900 1
	emit commit 7 GRAPHICS 900 1
	emit submit 7 GRAPHICS 900 2
	emit complete 7 GRAPHICS 900 2
	[ -z "$is_off" ] || put filter_enabled 0
	session_stop
	expect_eq jobs_unfinished "$(filter_stat jobs_unfinished)" 1
	fates_sum
	dump_session
	expect_eq "what is written of a job that did not end" "$(awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 ~ /^(SUBMIT|COMMIT|COMPLETE|JOB)$/ {
			print $1 ":" $at["seqno"], ($at["submit_ns"] > 0), ($at["commit_ns"] > 0), ($at["complete_ns"] > 0) }' \
		"$CASE_TMP/dump.csv")" "JOB:1 1 1 0"
done
put filter_latency 0

# The judgement at its submit holds for all of a job, whatever is changed meanwhile.
put filter_enabled 0
put filter_latency 0
session_start track_jobs=1
emit submit 7 GRAPHICS 900 1		# before: all of it is written
put filter_latency 50000
put filter_enabled 1
emit submit 7 GRAPHICS 900 2		# one JOB
emit submit 7 GRAPHICS 900 3		# nothing
emit complete 7 GRAPHICS 900 3
sleep 0.1
put filter_enabled 0
emit submit 7 GRAPHICS 900 4		# after: all of it is written
for seqno in 1 2 4; do emit complete 7 GRAPHICS 900 $seqno; done
session_stop
config track_jobs=0
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
expect_eq "what was written" "$(grtrace dump --format csv "$CASE_TMP/pipe" | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 ~ /^(SUBMIT|COMPLETE|JOB)$/ { print $1 ":" $at["seqno"] }' | sort | paste -s -d ' ')" \
	"COMPLETE:1 COMPLETE:4 JOB:2 SUBMIT:1 SUBMIT:4"
expect_eq "policies" "$(grtrace dump --format csv "$CASE_TMP/pipe" | grep -o 'filter_[a-z]*=[0-9]*' | paste -s -d ' ')" \
	"filter_latency=50000 filter_enabled=1 filter_enabled=0"
