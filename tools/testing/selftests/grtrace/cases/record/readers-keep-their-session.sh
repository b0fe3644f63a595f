#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a reader of one session sees nothing of the next session
# kernels: 6.1
# requires: grtrace taskset
session_start buffer_size=64K
for cpu in 1 2; do
	taskset $cpu sh -c "echo 'submit 1 gfx 1 1 count=500' >'$GRT_DIR/emit'"
done
session_stop
first=$(stat session_id)

# Reads little by little, while the next session begins.
(
	exec <"$GRT_DIR/trace_pipe"
	for round in $(seq 100); do
		dd bs=1000 count=1 2>/dev/null
		usleep 10000
		echo "$round" >"$CASE_TMP/round"
	done >"$CASE_TMP/stream"
) &
reader=$!
has_begun() { [ "$(wc -c <"$CASE_TMP/stream")" -gt 8000 ]; }
wait_for 5 has_begun
modprobe grtrace_obstacle late=ktime_get_with_offset late_ms=1000 comm=tee
echo start | tee "$GRT_DIR/control"
rmmod grtrace_obstacle
session_stop
wait $reader
expect_stat session_id $((first + 1))

bytes=$(wc -c <"$CASE_TMP/stream")
[ "$bytes" -lt 80000 ] || fail "all was read before the next session began, so this run proves nothing"
if grtrace dump --session $((first + 1)) "$CASE_TMP/stream" >"$CASE_TMP/other" 2>/dev/null; then
	head -n 5 "$CASE_TMP/other"
	fail "events of session $first are said to be of the next one"
fi
grtrace dump --format csv --session "$first" "$CASE_TMP/stream" >"$CASE_TMP/dump" 2>&1 || echo "cut at its end"
[ "$(grep -c '^SUBMIT,' "$CASE_TMP/dump")" -gt 20 ] || fail "too few events, so this run proves nothing"
