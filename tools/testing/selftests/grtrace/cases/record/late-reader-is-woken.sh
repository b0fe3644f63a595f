#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a reader that loses its CPU just before it waits still gets the events written meanwhile
# kernels: 6.1
# requires: taskset
session_start
modprobe grtrace_obstacle late_ms=500 comm=cat
: >"$CASE_TMP/stream"
cat "$GRT_DIR/events0" >"$CASE_TMP/stream" &
reader=$!
sleep 1		# asked for a flush and waits
definitions=$(wc -c <"$CASE_TMP/stream")
[ "$definitions" -gt 88 ] || fail "the reader got no definitions, so this run proves nothing"
taskset 1 sh -c "echo 'submit 1 gfx 1 1 count=20' >'$GRT_DIR/emit'"
has_events() { [ "$(wc -c <"$CASE_TMP/stream")" -ge $((definitions + 20 * 80)) ]; }
wait_for 5 has_events
session_stop
wait $reader || fail "cat ended with $?"
