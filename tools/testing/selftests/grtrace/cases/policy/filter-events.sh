#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: filter_events keeps the listed types, by name or by mask, and leaves out no job
# kernels: 6.1
# requires: mock grtrace
need_module grtrace_filter
JOBS=120
trap filter_undo EXIT

run()
{
	session_start
	workload --scenario mixed --jobs $JOBS >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
	session_stop
	expect_filter_adds_up
}
written() { awk -F, 'NR > 1 && $4 { print $2 }' "$GRT_DIR/events_by_type" | paste -s -d ' '; }

put filter_enabled 0
put filter_events "submit, Complete"
expect_eq "as it is shown" "$(cat "$GRT_DIR/filter_events")" "0x3 SUBMIT,COMPLETE"
session_start
workload --scenario mixed --jobs $JOBS >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
session_stop
expect_stat filtered_ext 0
expect_eq "events_seen while it is off" "$(filter_stat events_seen)" 0

put filter_enabled 1
run
expect_eq "types written" "$(written)" "SUBMIT COMPLETE"
expect_eq "SUBMIT written" "$(column SUBMIT written)" $JOBS
expect_eq "COMMIT refused" "$(column COMMIT filtered_ext)" $JOBS
expect_eq "written" "$(filter_stat events_passed)" $((2 * JOBS))
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
expect_eq "refused, as the reader is told" "$(grtrace dump --format csv "$CASE_TMP/pipe" |
	told_lost FILTERED_EXT)" "$(stat filtered_ext)"
# the policies at the session's start stand in its trace
grtrace dump --format csv "$CASE_TMP/pipe" | grep '^POLICY' | grep -q 'filter_events=0x3 SUBMIT,COMPLETE' ||
	fail "no POLICY tells of filter_events"

# END and DEPENDENCY: bits 5 and 10
put filter_events 0x420
run
expect_eq "types written" "$(written)" "END DEPENDENCY"
expect_eq "END written" "$(column END written)" $JOBS

# Together with a latency: jobs are judged also where nothing of them would be written
put filter_latency 1
run
expect_eq "types written" "$(written)" "JOB"
expect_eq "jobs" "$(column JOB written)" $JOBS
expect_eq "END" "$(column END aggregated)" $JOBS
expect_eq "SUBMIT" "$(column SUBMIT filtered_ext)" $JOBS
put filter_latency 0

# An event of no job is judged by its type alone
put filter_events mark
session_start
emit mark 0 OTHER 0 0 text=here
emit irq 0 GRAPHICS 900 0
emit job 7 GRAPHICS 900 1
session_stop
expect_eq "types written" "$(written)" "MARK JOB"
put filter_events 0
run
expect_stat filtered_ext 0
# All types, in every way to write it; the shown text can be written back
for all in 0xFFFFFFFF -1 4294967295 0xfeffffff; do
	put filter_events $all
	shown=$(cat "$GRT_DIR/filter_events")
	expect_eq "$all is shown" "${shown#* }" all
	put filter_events "$shown"
	expect_eq "$all, written back" "$(cat "$GRT_DIR/filter_events")" "$shown"
done
run
expect_stat filtered_ext 0
put filter_events 0x80000003		# no type has the highest bit
expect_eq "as it is shown" "$(cat "$GRT_DIR/filter_events")" "0x80000003 SUBMIT,COMPLETE"
put filter_events "$(cat "$GRT_DIR/filter_events")"
run
expect_eq "types written" "$(written)" "SUBMIT COMPLETE"
put filter_events 0
for bad in nothing submit,,complete -2 0x100000000 submit:5 "0x3 SUBMIT"; do
	expect_refused filter_events "$bad"
done
grep -q filter_events "$GRT_DIR/error" || fail "no word of filter_events: $(cat "$GRT_DIR/error")"
