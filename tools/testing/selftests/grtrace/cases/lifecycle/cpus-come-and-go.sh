#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: CPUs that go and come during a session lose no event
# requires: mock grtrace
# vm: own --smp 3
# kernels: 6.1
online() { echo "$2" >"/sys/devices/system/cpu/cpu$1/online"; }

# A CPU comes that was offline at the start: it has no buffer yet.
online 2 0
session_start
mock_run_jobs 100
online 2 1
workload --scenario mixed --jobs 400 >"$CASE_TMP/workload" &
load=$!
for round in 1 2 3; do
	online 1 0
	online 2 0
	online 1 1
	online 2 1
	echo "round $round"
done
wait $load || fail "$(cat "$CASE_TMP/workload")"
taskset 4 workload --scenario batch --jobs 100 >/dev/null
online 2 0
session_stop
for type in SUBMIT COMMIT END COMPLETE; do
	expect_eq "$type seen,written" \
		"$(sed -n "s/^[0-9]*,$type,\([0-9]*,[0-9]*\),.*/\1/p" "$GRT_DIR/events_by_type")" 600,600
done
# What a CPU counted before it went is in its seconds.
fates_sum sec_stats
expect_eq "events of sec_stats" "$(column_sum sec_stats events)" "$(stat seen)"
expect_eq "bytes of sec_stats" "$(column_sum sec_stats bytes)" "$(stat bytes_written)"
[ -e "$GRT_DIR/events2" ] || fail "the CPU that came late has no stream"
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
expect_eq "jobs" "$(grtrace report --jobs --format csv "$CASE_TMP/pipe" | sed 1d | wc -l)" 600
grtrace dump --format csv "$CASE_TMP/pipe" | grep -q '^SUBMIT,2,' ||
	fail "nothing was written on CPU 2, so this run proves nothing"
online 2 1
