#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the aggregator is switched while jobs run: each job has all of its events or none, a POLICY records each switch, windows never overlap
# kernels: 6.1
# requires: mock grtrace
need_module grtrace_aggregator
put aggregator_window 100

session_start buffer_size=4M
workload --scenario mixed --jobs 600 --processes 4 >"$CASE_TMP/workload" 2>&1 &
for round in 1 2 3; do
	for mode in 2 1 0; do
		put aggregator_enable $mode
		sleep 0.1
	done
	put aggregator_window $((100 + 70 * round))
done
wait $! || fail "$(cat "$CASE_TMP/workload")"
session_stop
fates_sum
dump_session
expect_eq "POLICY records of the mode" "$(grep -c 'aggregator_enable=' "$CASE_TMP/dump.csv")" 9
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "WINDOW" { r = $at["ring"]
		if ($at["window_start_ns"] < ended[r]) { print "a window begins before " ended[r]; bad++ }
		ended[r] = $at["window_start_ns"] + $at["window_ns"] }
	END { exit bad > 0 }' "$CASE_TMP/dump.csv" || fail "windows overlap"
jobs=$(jobs_are_whole SUBMIT COMMIT END COMPLETE <"$CASE_TMP/dump.csv")
aggregated=$(stat aggregated)
echo "$jobs jobs written, $aggregated events aggregated"
if [ "$jobs" -lt 10 ] || [ "$jobs" -gt 590 ] || [ "$aggregated" -eq 0 ]; then
	fail "none of one kind, so this run proves nothing"
fi
[ "$(cat /sys/module/grtrace_aggregator/refcnt)" = 0 ] || fail "the module is still held"
grep -q '^module.aggregator=off' "$GRT_DIR/metadata" || fail "the aggregator is asked after the session"
