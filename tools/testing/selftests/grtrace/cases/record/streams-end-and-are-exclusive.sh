#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: one reader per stream; it waits while the session runs, gets the end after stop, at any read size
# kernels: 6.1
session_start
echo 'submit 1 gfx 1 1 count=3000' >"$GRT_DIR/emit"

# A reader waits, and gets a part of a sub-buffer soon though none is full.
for cpu in 0 1; do
	[ -e "$GRT_DIR/events$cpu" ] || continue
	cat "$GRT_DIR/events$cpu" >"$CASE_TMP/whole$cpu" &
done
has_events() { [ "$(cat "$CASE_TMP"/whole? | wc -c)" -gt $((3000 * 80)) ]; }
wait_for 10 has_events
expect_fail cat "$GRT_DIR/events0"
grep -q 'busy' "$CASE_TMP/out" || fail "the second reader got: $(cat "$CASE_TMP/out")"
kill -0 $! || fail "the reader ended before the session did"
session_stop
wait

# Read again: the events are consumed, the definitions and the end are not.
for cpu in 0 1; do
	[ -e "$GRT_DIR/events$cpu" ] || continue
	cat "$GRT_DIR/events$cpu" >"$CASE_TMP/again$cpu"
	again=$(wc -c <"$CASE_TMP/again$cpu") whole=$(wc -c <"$CASE_TMP/whole$cpu")
	[ "$again" -gt 88 ] || fail "the second reading of CPU $cpu has $again bytes"
	[ "$again" -le "$whole" ] || fail "CPU $cpu gave more at the second reading"
done

# Byte by byte and in one gulp: the same stream.
session_start
echo 'submit 1 gfx 1 1 count=20' >"$GRT_DIR/emit"
session_stop
dd if="$GRT_DIR/events0" bs=7 2>/dev/null >"$CASE_TMP/small"
produced=$(stat subbufs_consumed)
session_start
session_stop
expect_eq "consumed after a restart" "$(stat subbufs_consumed)" 0
dd if="$GRT_DIR/events0" bs=1M 2>/dev/null >"$CASE_TMP/empty"
[ "$(wc -c <"$CASE_TMP/small")" -gt 500 ] || fail "small reads gave next to nothing"
echo "consumed $produced"
