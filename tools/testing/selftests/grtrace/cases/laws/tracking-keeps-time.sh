#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: events written while tracking of jobs is switched on and off have times of their own
# kernels: 6.1
# requires: grtrace
# timeout: 300
SWITCHES=3

session_start
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe" &
reader=$!
# However slow the machine is, events come all the while.
emits() { until [ -e "$CASE_TMP/enough" ]; do echo "irq $1 gfx 0 1 count=20000" >"$GRT_DIR/emit"; done; }
emits 7 &
first=$!
emits 8 &
taskset -p 1 $first >"$CASE_TMP/out"
taskset -p 2 $! >"$CASE_TMP/out"
switches=0
while [ $switches -lt $SWITCHES ]; do
	echo track_jobs=1 >"$GRT_DIR/config"
	echo track_jobs=0 >"$GRT_DIR/config"
	switches=$((switches + 1))
done
touch "$CASE_TMP/enough"
wait $first $!
session_stop
wait $reader || fail "cat ended with $?"
# The longest run of events with one time on one CPU.
grtrace dump --format csv "$CASE_TMP/pipe" | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "IRQ" {
		cpu = $at["cpu"]
		run[cpu] = $at["ts"] == last[cpu] ? run[cpu] + 1 : 1
		last[cpu] = $at["ts"]
		if (run[cpu] > most) most = run[cpu]
		n++
	}
	END { print n, most }' >"$CASE_TMP/runs"
read -r events most <"$CASE_TMP/runs"
expect_stat written "$events"
[ "$events" -gt 50000 ] || fail "only $events events, so this run proves nothing"
[ "$most" -le 3 ] || fail "$most events in a row have one time"
echo "$switches switches amid $events events, at most $most in a row with one time"
