#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: flush hands out the buffered events at once while the session goes on; without a session it is refused
# kernels: 6.1
expect_refused control flush
session_start
taskset 1 sh -c "echo 'submit 7 gfx 900 1 count=5' >$GRT_DIR/emit"
before=$(stat subbufs_produced)
ctl flush
[ "$(stat subbufs_produced)" -gt "$before" ] || fail "no sub-buffer was ended"
: >"$CASE_TMP/stream"
cat "$GRT_DIR/events0" >"$CASE_TMP/stream" &
reader=$!
# 5 SUBMITs of 80 bytes, and the definitions before them
has_them() { [ "$(tr -c 'a-z0-9' '\n' <"$CASE_TMP/stream" | grep -c '^ring900$')" -ge 1 ] && [ "$(wc -c <"$CASE_TMP/stream")" -gt 400 ]; }
wait_for 10 has_them
expect_eq control "$(cat "$GRT_DIR/control")" running
session_stop
wait $reader
expect_refused control flush
