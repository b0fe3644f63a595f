#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a start that fails half way, by a name that is taken or for lack of memory, leaves nothing behind
# kernels: 6.1
# requires: grtrace
# vm: own --smp 3
mapped() { awk '/relay_/ { sum += $2 } END { print sum + 0 }' /proc/vmallocinfo; }

# refuse_start WHY: the start fails, and leaves nothing behind
refuse_start()
{
	if ctl start 2>/dev/null; then
		fail "$1: the start succeeded"
	fi
	cat "$GRT_DIR/error"
	expect_eq "$1: control" "$(cat "$GRT_DIR/control")" idle
	expect_eq "$1: bytes of buffers" "$(mapped)" 0
	for file in "$GRT_DIR"/events[0-9]*; do
		case $file in *'[0-9]*' | */"${2-}") continue ;; esac
		fail "$1: $file was left"
	done
}

# expect_session: the next start works as if nothing had been
expect_session()
{
	session_start
	for cpu in 1 2 4; do
		taskset $cpu sh -c "echo 'submit 1 gfx 1 1 count=10' >'$GRT_DIR/emit'"
	done
	session_stop
	expect_stat written 30
	dump_session
	expect_eq "SUBMITs" "$(grep -c '^SUBMIT,' "$CASE_TMP/dump.csv")" 30
	session_reset
	expect_eq "bytes of buffers after a reset" "$(mapped)" 0
}

expect_eq "bytes of buffers at first" "$(mapped)" 0
for cpu in 0 1 2; do
	modprobe grtrace_obstacle dir=events$cpu
	refuse_start "events$cpu is taken" events$cpu
	refuse_start "events$cpu is taken, again" events$cpu
	rmmod grtrace_obstacle
	expect_session
done
for call in 1 2 3; do
	modprobe grtrace_obstacle fail_vmap=$call comm=sh
	refuse_start "no memory for the buffer of CPU $((call - 1))"
	rmmod grtrace_obstacle
	expect_session
done
for call in 1 2; do
	modprobe grtrace_obstacle fail_probe=$call comm=sh
	refuse_start "no memory for probe $call"
	rmmod grtrace_obstacle
	expect_session
done

# One that comes up while its name is taken has no file, and trace_pipe has its events.
echo 0 >/sys/devices/system/cpu/cpu2/online
session_start
modprobe grtrace_obstacle dir=events2
echo 1 >/sys/devices/system/cpu/cpu2/online
rmmod grtrace_obstacle
taskset 4 sh -c "echo 'submit 1 gfx 1 1 count=10' >'$GRT_DIR/emit'"
session_stop
dump_session
expect_eq "SUBMITs" "$(grep -c '^SUBMIT,2,' "$CASE_TMP/dump.csv")" 10
