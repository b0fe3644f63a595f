#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a busy CPU makes t_sched grow and t_sched_cpu says so; t_wake is what ftrace saw
# requires: mock grtrace
# timeout: 300
# kernels: 6.1
#
# The scheduler's threads have CPU 1, its workers from Linux 6.8 on too; the processes
# that submit have CPU 0.  A program that takes CPU 1 then delays the scheduler only.  With PREEMPT_RT
# the thread ktimers/1 has the mock GPU's interrupts, so the program must let it run.
JOBS=300
unbound=/sys/devices/virtual/workqueue/cpumask
all_cpus=$(cat $unbound)
hog=""

undo()
{
	[ -z "$hog" ] || kill "$hog" 2>/dev/null || :
	echo "$all_cpus" >$unbound
	ftrace_undo
}

threads_named()	# NAME...: their numbers
{
	for comm in /proc/[0-9]*/comm; do
		tid=${comm%/comm}
		for name; do
			[ "$(cat "$comm" 2>/dev/null)" != "$name" ] || echo "${tid#/proc/}"
		done
	done
}

put_scheduler_aside()
{
	echo 2 >$unbound
	for tid in $(threads_named gfx compute copy); do
		taskset -p 2 "$tid" >"$CASE_TMP/taskset"
	done
}

# run_jobs NAME: their per-job table in $CASE_TMP/NAME
run_jobs()
{
	grtrace record -o "$CASE_TMP/$1.grt" -- taskset 1 workload --jobs $JOBS \
		--scenario mixed --duration-us 500:1000 >"$CASE_TMP/record" 2>&1 ||
		{ cat "$CASE_TMP/record"; fail "recording '$1' failed"; }
	grtrace report --jobs --format csv "$CASE_TMP/$1.grt" >"$CASE_TMP/$1"
}

# sum NAME COLUMN: "SUM KNOWN" in whole microseconds, of jobs where it is known
sum()
{
	awk -F , -v column="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
	$at != "" { sum += $at / 1000; known++ }
	END { if (!at) exit 1; printf "%d %d\n", sum, known }' "$CASE_TMP/$1" ||
		fail "the report has no column '$2'"
}

# Lines "CTX:SEQNO NS" of jobs that a thread was waiting for, off its CPU
wakes_of_ftrace()
{
	awk '
	function value(name,    at) {
		at = match($0, "[ :]" name "=[^ ]*")
		return at ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : ""
	}
	function key() { return value("context") ":" value("seqno") }
	{
		match($0, / [0-9]+\.[0-9]+: /)
		split(substr($0, RSTART + 1, RLENGTH - 3), part, ".")
		# busybox takes a number that begins with 0 for an octal one
		now = part[1] % 100000 * 1000000 + ("1" part[2]) - 1000000
	}
	/: sched_switch: / {
		is_off[value("prev_pid")] = 1
		is_off[value("next_pid")] = 0
		fence = due[value("next_pid")]
		if (fence != "")
			print fence, (now - since[fence]) * 1000
		delete due[value("next_pid")]
	}
	/: dma_fence_wait_start: / {
		match($0, /-[0-9]+ +\[/)
		split(substr($0, RSTART + 1), tid, " ")
		waiter[key()] = tid[1]
	}
	/: dma_fence_signaled: / && waiter[key()] && is_off[waiter[key()]] {
		since[key()] = now
		due[waiter[key()]] = key()
	}' "$CASE_TMP/trace"
}

# The two clocks are read a few microseconds apart, and once in a while a virtual CPU
# stands still between them.
compare_wakes()
{
	wakes_of_ftrace >"$CASE_TMP/theirs"
	awk -F '[, ]' '
	NR == FNR { theirs[$1] = $2; next }
	FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		fence = $at["ctx"] ":" $at["seqno"]
		ours = $at["t_wake_ns"]
		if (!(fence in theirs) || ours == "")
			next
		compared++
		off = ours - theirs[fence]
		if (off < 100000 && off > -100000)
			next
		bad++
		print "job " fence ": t_wake " ours " ns, ftrace " theirs[fence] " ns"
	}
	END {
		print "t_wake compared:", compared + 0, "jobs, off by more than 100 us:", bad + 0
		exit compared < 20 || bad * 20 > compared
	}' "$CASE_TMP/theirs" "$CASE_TMP/calm" >"$CASE_TMP/compared" || fail "$(cat "$CASE_TMP/compared")"
	tail -n 1 "$CASE_TMP/compared"
}

trap undo EXIT
modprobe grtrace_cpu
put_scheduler_aside
ftrace_begin 16384 sched/sched_switch dma_fence/dma_fence_signaled dma_fence/dma_fence_wait_start
run_jobs calm
ftrace_stop
compare_wakes

timers=$(threads_named ktimers/1)
# shellcheck disable=SC2086	# one word or none
cpu-hog 1 20 5 $timers &
hog=$!
has_begun() { [ "$(cut -d ' ' -f 41 "/proc/$hog/stat")" = 1 ]; }	# SCHED_FIFO
wait_for 10 has_begun
run_jobs busy
kill "$hog"

# shellcheck disable=SC2046	# two words each
set -- $(sum calm t_sched_ns) $(sum calm t_sched_cpu_ns) $(sum busy t_sched_ns) $(sum busy t_sched_cpu_ns)
calm_sched=$1 calm_cpu=$3 known=$4 busy_sched=$5 busy_cpu=$7 busy_known=$8
echo "t_sched $calm_sched us, without a CPU $calm_cpu us; busy: $busy_sched us, $busy_cpu us"
[ "$known" -ge $((JOBS / 2)) ] || fail "t_sched_cpu is known of $known jobs only"
[ "$busy_known" -ge $((JOBS / 2)) ] || fail "t_sched_cpu is known of $busy_known busy jobs only"
[ "$busy_sched" -gt $((2 * calm_sched)) ] || fail "t_sched did not grow: this proves nothing"
[ $((busy_cpu - calm_cpu)) -gt $(((busy_sched - calm_sched) * 3 / 4)) ] ||
	fail "what t_sched grew by was not for want of a CPU, says t_sched_cpu"
for name in calm busy; do
	awk -F , '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["t_sched_cpu_ns"] + 0 > $at["t_sched_ns"] + 0 { bad++ }
	END { exit bad > 0 }' "$CASE_TMP/$name" || fail "$name: t_sched_cpu is more than t_sched"
done
