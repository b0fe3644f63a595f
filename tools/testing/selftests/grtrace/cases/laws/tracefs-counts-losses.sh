#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: what a small buffer of tracefs loses is what the kernel counts, and values that depend on it are unknown
# requires: mock grtrace
# kernels: 6.1
cd "$CASE_TMP" || exit

# The events that the kernel overwrote, of all CPUs
overruns() { cat "$TRACEFS/instances/grtrace.$pid".*/per_cpu/cpu*/stats | awk '/^(overrun|dropped events): /{ sum += $NF } END { print sum + 0 }'; }

grtrace record --source=tracefs -b 16K -o lossy.grt 2>words &
pid=$!
wait_for 10 recording_has_begun lossy.grt
# It reads nothing now.
kill -STOP $pid
workload --scenario batch --jobs 400 >workload.txt
lost=$(overruns)
kill -CONT $pid
sleep 1
workload --scenario batch --jobs 20 >workload.txt
kill -INT $pid
wait $pid || fail "$(cat words)"
[ "$lost" -gt 100 ] || fail "the kernel lost $lost events only: this run proves nothing"
grtrace verify lossy.grt
grtrace report lossy.grt >report.txt
expect_eq "lost events" "$(sed -n 's/.*(buffer_full \([0-9,]*\)).*/\1/p' report.txt | tr -d ,)" "$lost"
sums=$(grtrace dump --format csv lossy.grt | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "LOSS" { lost += $at["count"] }
	END { print lost + 0 }')
expect_eq "the sum of LOSS" "$sums" "$lost"
echo "$lost lost, and told"
