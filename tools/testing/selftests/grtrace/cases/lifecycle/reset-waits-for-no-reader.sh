#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a CPU's file that is opened while a reset removes the files is at its end; trace_pipe waits for the next session
# kernels: 6.1
# requires: stream-wait
# timeout: 60
[ -d /sys/devices/system/cpu/cpu1 ] || skip "the machine has one CPU"

session_start
emit submit 1 gfx 900 1
session_stop

# The files go one by one.  A read() of the first one holds the reset up, so that the second one can be opened.
stream-wait "$GRT_DIR/events0" hold &
holder=$!
sleep 0.5
ctl reset &
resetter=$!
sleep 0.5
[ -d /proc/$resetter ] || fail "the reset is over already, so this run proves nothing"
[ -e "$GRT_DIR/events1" ] || fail "the second file is gone already, so this run proves nothing"
cat "$GRT_DIR/events1" >"$CASE_TMP/late" &
late=$!
sleep 0.5

kill -9 $holder
sleep 0.5
is_stuck=""
[ ! -d /proc/$resetter ] || is_stuck=y
[ -z "$is_stuck" ] || kill $late	# a reset that waits for this reader goes on
wait $resetter || fail "the reset failed"
[ -z "$is_stuck" ] || fail "the reset waits for a reader of a file that it removes"
wait $late || fail "the late reader did not end by itself"
expect_eq "what the late reader got" "$(wc -c <"$CASE_TMP/late")" 0

# Only the files of CPUs go.
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe" &
reader=$!
sleep 0.5
[ -d /proc/$reader ] || fail "trace_pipe ended, though a session may follow"
session_start
emit submit 1 gfx 900 2
session_stop
wait $reader
[ "$(wc -c <"$CASE_TMP/pipe")" -gt 500 ] || fail "trace_pipe has nothing of the next session"
