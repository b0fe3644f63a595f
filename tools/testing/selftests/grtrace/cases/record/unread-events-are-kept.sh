#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: events of a stopped session that nobody has read are not dropped unasked: extract saves each, report --live keeps what it takes; no sub-buffer is given in part, and so to two readers
# kernels: 6.1
# requires: mock grtrace
cd "$CASE_TMP" || exit
jobs() { grtrace report --jobs --format csv "$1" | sed 1d | wc -l; }

session_start
mock_run_jobs 50
session_stop
[ "$(stat unread_bytes)" -gt 1000 ] || fail "unread_bytes is $(stat unread_bytes)"
grtrace status | grep -q '^not read yet  *[1-9]' || fail "status: $(grtrace status)"
id=$(stat session_id)
expect_status 3 grtrace record -o t.grt
grep -q 'nobody has read' out || fail "record says: $(cat out)"
grep -q '^hint: sudo grtrace extract' out || fail "no hint: $(cat out)"
expect_status 3 grtrace start
expect_stat session_id "$id"
expect_status 2 grtrace report
[ ! -e t.grt ] || fail "a file was made all the same"

expect_status 0 grtrace extract -o e.grt
expect_eq "jobs extracted" "$(jobs e.grt)" 50
expect_status 0 grtrace verify -s 1s e.grt
expect_stat unread_bytes 0
expect_status 3 grtrace extract -o e.grt
expect_eq "jobs in it still" "$(jobs e.grt)" 50
expect_status 0 grtrace record -q -o t.grt -- true

# A sub-buffer is 64 KiB.  A reader with room for one and a half takes one, behind its definitions; the next reader has
# the others.  Which CPU has how many of the events is the scheduler's choice: one at least has more than a sub-buffer.
session_start buffer_size=1048576
mock_run_jobs 2000
session_stop
events_of_cpu() { grtrace dump --cpu "$1" --format csv "$2" 2>/dev/null | awk -F, -v cpu="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["cpu"] == cpu && $at["cseq"] > 0 && $at["type"] !~ /^(LOSS|POLICY|STREAM|SUBBUF|METADATA|RING|PROCESS|CLOCK|STATS|MACHINE|CGROUP)/ { print $at["cseq"] }'; }
cpus=$(($(nproc) - 1))
for cpu in $(seq 0 "$cpus"); do
	dd if="$GRT_DIR/events$cpu" of="part$cpu" bs=98304 count=1 2>words || fail "dd: $(cat words)"
done
expect_status 0 grtrace extract -q -o rest.grt
cut=0
for cpu in $(seq 0 "$cpus"); do
	events_of_cpu "$cpu" "part$cpu" >taken
	events_of_cpu "$cpu" rest.grt >rest
	[ ! -s taken ] || [ ! -s rest ] || cut=$((cut + 1))
	cat taken rest >both
	expect_eq "CPU $cpu: the last event of both" "$(wc -l <both)" "$(sort -n both | tail -n 1)"
	expect_eq "CPU $cpu: events that both have" "$(sort both | uniq -d | wc -l)" 0
done
[ $cut -gt 0 ] || fail "no CPU has more than a sub-buffer: this proves nothing"
config buffer_size=4194304

# Without room on the disk no event is taken.
mkdir small
mount -t tmpfs -o size=64k tmpfs small || skip "cannot mount a small tmpfs"
trap 'umount "$CASE_TMP/small"' EXIT
session_start
mock_run_jobs 200
session_stop
unread=$(stat unread_bytes)
expect_status 3 grtrace extract -o small/e.grt
expect_eq "what is left there" "$(ls small)" ""
expect_stat unread_bytes "$unread"
expect_status 0 grtrace start --discard
expect_stat unread_bytes 0

# Of one that runs: asked for, and kept.
mock_run_jobs 30
expect_status 2 grtrace report
grep -q 'a session runs' out || fail "report says: $(cat out)"
: >all.csv
grtrace report --live --jobs --format csv -o live.grt >all.csv 2>words &
pid=$!
is_through() { [ "$(wc -l <all.csv)" -gt 30 ]; }
wait_for 10 is_through
kill -INT $pid
wait $pid || fail "report --live ended with $?: $(cat words)"
grep -q 'kept in live.grt' words || fail "report --live says: $(cat words)"
expect_eq "jobs that were shown" "$(sed 1d all.csv | wc -l)" 30
expect_eq "jobs that are kept" "$(jobs live.grt)" 30
mock_run_jobs 20
expect_status 0 grtrace report --live -o more.grt
expect_eq "jobs that are kept, too" "$(jobs more.grt)" 20
