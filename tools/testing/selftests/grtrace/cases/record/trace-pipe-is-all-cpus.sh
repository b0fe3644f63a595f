#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: trace_pipe gives all CPUs in one stream, waits for a start, excludes eventsN, survives small reads
# requires: mock grtrace
# kernels: 6.1
running_reader() { kill -0 "$reader" 2>/dev/null; }

# It waits though no session was ever started, and ends with the session.
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe" &
reader=$!
sleep 0.3
running_reader || fail "trace_pipe did not wait for a session"
session_start
expect_fail cat "$GRT_DIR/events0"
expect_fail cat "$GRT_DIR/events"
mock_run_jobs 300
session_stop
wait $reader || fail "cat ended with $?"
expect_stat lost_events 0
expect_status 0 grtrace report --jobs --format csv "$CASE_TMP/pipe"
expect_eq "jobs" "$(sed 1d "$CASE_TMP/out" | wc -l)" 300

# By its other name, in pieces of an odd size, while the session runs.
session_start
dd if="$GRT_DIR/events" bs=13 2>/dev/null >"$CASE_TMP/small" &
reader=$!
mock_run_jobs 100
session_stop
wait $reader
expect_status 0 grtrace report --jobs --format csv "$CASE_TMP/small"
expect_eq "jobs" "$(sed 1d "$CASE_TMP/out" | wc -l)" 100

# A reader that leaves in the middle of a sub-buffer: the next one gets it whole.
session_start
mock_run_jobs 100
head -c 3000 "$GRT_DIR/trace_pipe" | hexdump -C >"$CASE_TMP/hex"
[ "$(wc -l <"$CASE_TMP/hex")" -gt 100 ] || fail "head -c 3000 gave less"
expect_fail grtrace dump --no-such-option
session_stop
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/rest"
expect_status 0 grtrace report --jobs --format csv "$CASE_TMP/rest"
expect_eq "jobs" "$(sed 1d "$CASE_TMP/out" | wc -l)" 100

# One stream of a CPU excludes the pipe.
session_start
cat "$GRT_DIR/events0" >/dev/null &
reader=$!
sleep 0.2
expect_fail cat "$GRT_DIR/trace_pipe"
session_stop
wait $reader
