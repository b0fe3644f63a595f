#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: load, start, work, stop, unload under jobs in changing order; the driver goes while readers wait: no warning, no hang, no leak
# debug: no, it measures memory, and KASAN keeps what was freed for a while; kmemleak looks there
# requires: modules
# timeout: 1800
# vm: own --no-load
# kernels: 6.1 7.x
ROUNDS=${GRTRACE_ROUNDS:-8}
used_kb() { awk '/^(Slab|VmallocUsed|Percpu):/ { sum += $2 } END { print sum }' /proc/meminfo; }

reap() { wait "$1" 2>/dev/null || :; }

round=0 early=""
while [ $round -lt "$ROUNDS" ]; do
	round=$((round + 1))
	if [ $((round % 2)) -eq 0 ]; then
		modprobe grtrace_mock
		modprobe grtrace_drm_bridge
	else
		modprobe grtrace_drm_bridge
		modprobe grtrace_mock
	fi
	config buffer_size=64K
	ctl start
	cat "$GRT_DIR/trace_pipe" >/dev/null &
	reader=$!
	workload --scenario mixed --jobs 100000 >/dev/null 2>&1 &
	load=$!
	sleep 0.2
	case $((round % 3)) in
	0)	# the driver and the scheduler go in the middle of the session
		kill -9 $load
		reap $load
		wait_for 10 rmmod grtrace_mock
		rmmod gpu_sched
		ctl stop ;;
	1)	# grtrace goes in the middle of the jobs
		ctl stop
		reap $reader
		rmmod grtrace_drm_bridge
		rmmod grtrace
		kill -9 $load
		reap $load ;;
	2)	# a session is stopped and started again under jobs
		ctl stop
		ctl start
		emit submit 1 gfx 900 1
		[ "$(stat written)" -gt 0 ] || fail "round $round: nothing is written after a restart"
		ctl stop
		kill -9 $load
		reap $load ;;
	esac
	kill $reader 2>/dev/null || :
	reap $reader
	[ ! -d /sys/module/grtrace_drm_bridge ] || rmmod grtrace_drm_bridge
	[ ! -d /sys/module/grtrace ] || wait_for 5 rmmod grtrace
	[ ! -d /sys/module/grtrace_mock ] || wait_for 10 rmmod grtrace_mock
	[ ! -e "$GRT_DIR" ] || fail "round $round: $GRT_DIR is still there"
	[ -n "$early" ] || [ $round -lt $((ROUNDS / 2)) ] || early=$(used_kb)
done
late=$(used_kb)
echo "$ROUNDS rounds; kernel memory $early kB half-way, $late kB at the end"
# A buffer of a session is 128 KiB, the tables 500 KiB: one lost a round would show.
[ $((late - early)) -lt $((100 * ROUNDS / 2 + 3000)) ] || fail "kernel memory grew from $early to $late kB"
