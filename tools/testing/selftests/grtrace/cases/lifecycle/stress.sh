#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: jobs, events by hand, changes of policy, readers, starts and stops, modules that come and go, all at once: fates sum, no job is left in flight
# requires: mock grtrace
# timeout: 180
# kernels: 6.1
#
# It changes code under the feet of two CPUs all the time, and emulated CPUs of newer kernels
# may not see that ("Oops: int3", see vm/emulator): once in a dozen runs of 7.x.
#
# GRTRACE_SECONDS: how long
# GRTRACE_STORM=1: CPUs and the driver come and go, too, with snapshots, random writes, and memory
#                  that cannot be had, which needs a kernel with failslab
lasts=${GRTRACE_SECONDS:-12}
patience=${CASE_SLOWNESS:-1}	# seconds until a reader is ended
MODULES="grtrace_aggregator grtrace_filter grtrace_perf_mon grtrace_sampling"
WORKERS="jobs events policy extension reader looker sessions modules"
[ -z "${GRTRACE_STORM-}" ] || WORKERS="$WORKERS cpus driver snapshots scribbler starved"

# meanwhile WORKER: again and again until the time is up; counts how often it worked
meanwhile()
{
	set +e
	rounds=0 good=0
	while [ ! -e "$CASE_TMP/over" ]; do
		rounds=$((rounds + 1))
		if "$1" >/dev/null 2>&1; then
			good=$((good + 1))
		fi
	done
	echo "$good $rounds" >"$CASE_TMP/$1.rounds"
}
# one_of NAME: a line of that list, by chance
one_of() { shuf -n 1 "$CASE_TMP/$1"; }

cat >"$CASE_TMP/config-lines" <<-'END'
	level=minimal
	level=verbose
	filter_type_mask=3
	filter_type_mask=0
	filter_engine_mask=4
	filter_engine_mask=-1
	filter_ring_id=gfx
	filter_ring_id=0
	watch_ctx=1,2,3
	watch_ctx_clear=1
	watchlist=!copy
	watchlist=
	sample=30
	sample=100
	rate_limit=500
	rate_limit=0
	rate_limit_mode=bucket
	backpressure_threshold=20
	backpressure_threshold=0
	adaptive_sampling=1
	track_jobs=1
	track_jobs=0
	cost_sample=8
	cost_sample=0
	global_seq=2
	reset_stats=1
	profile=production
	profile=default
	buffer_size=64K
	buffer_size=1M
	mode=overwrite
	mode=discard
END
cat >"$CASE_TMP/rule-lines" <<-'END'
	total > 1ms label=slow
	status != 0 label=failed
	off slow
	clear
END
cat >"$CASE_TMP/ext-lines" <<-'END'
	aggregator_enable 1
	aggregator_enable 2
	aggregator_enable 0
	sampling_mode static
	sampling_mode threshold
	sampling_mode adaptive
	sampling_mode off
	sampling_rate 40
	filter_enabled 1
	filter_enabled 0
	filter_latency 2000
	filter_latency 0
	perf_mon_enable 1
	perf_mon_enable 0
END
printf 'trace_pipe\nevents0\nevents1\n' >"$CASE_TMP/stream-lines"

# The driver does not go while jobs run.
jobs()
{
	while [ -e "$CASE_TMP/driver-goes" ]; do sleep 0.1; done
	workload --scenario mixed --jobs 60 --duration-us 50:500 --faults 9
}
events()
{
	for type in submit commit end complete; do
		echo "$type 700001 gfx 900 1 count=200"
	done >"$GRT_DIR/emit"
}
policy() { one_of config-lines >"$GRT_DIR/config" && one_of rule-lines >"$GRT_DIR/rules"; }
extension()
{
	read -r file value <<-END
		$(one_of ext-lines)
	END
	[ -e "$GRT_DIR/$file" ] && echo "$value" >"$GRT_DIR/$file"
}
# It ends by itself, or is ended amid a read.
reader() { timeout "$patience" head -c 20000 "$GRT_DIR/$(one_of stream-lines)"; }
looker()
{
	for file in stats jobs sec_stats events_by_type pc_stats config rings metadata rules; do
		cat "$GRT_DIR/$file" || return 1
	done
}
sessions()
{
	echo stop >"$GRT_DIR/control"
	sleep 0.2
	[ $((rounds % 3)) -ne 0 ] || echo reset >"$GRT_DIR/control"
	echo start >"$GRT_DIR/control"
	sleep 0.4
}
modules()
{
	for module in $MODULES; do rmmod "$module"; done
	sleep 0.1
	for module in $MODULES; do modprobe "$module"; done
}

cpus()
{
	for state in 0 1; do
		for cpu in /sys/devices/system/cpu/cpu[1-9]*; do echo $state >"$cpu/online" || return 1; done
		sleep 0.3
	done
}
driver()
{
	: >"$CASE_TMP/driver-goes"
	tries=100
	until rmmod grtrace_mock || [ $tries -eq 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
	[ $((rounds % 2)) -eq 0 ] || rmmod gpu_sched
	modprobe grtrace_mock
	rm "$CASE_TMP/driver-goes"
	sleep 2
	[ $tries -gt 0 ]
}
snapshots()
{
	echo snapshot >"$GRT_DIR/control" || return 1
	timeout $((2 * patience)) head -c 100000 "$GRT_DIR/trace_pipe"
	echo release >"$GRT_DIR/control"
}
# What it checks is not so while others write, too.
scribbler() { scribble --writes 200 --changes 200 --seed "$rounds" || [ $? -eq 1 ]; }
# In these writes and programs, one allocation in twenty fails.  Each runs in a process of its own, because
# a shell that cannot fork would end.
starving() { (echo 1 >/proc/self/make-it-fail; "$@"); }
write() { echo "$2" >"$GRT_DIR/$1"; }
starved()
{
	for word in stop start snapshot release reset start; do starving write control $word; done
	while read -r line; do starving write config "$line"; done <"$CASE_TMP/config-lines"
	while read -r line; do starving write rules "$line"; done <"$CASE_TMP/rule-lines"
	for module in $MODULES; do
		starving rmmod "$module"
		starving modprobe "$module"
	done
	for file in stats jobs metadata; do starving cat "$GRT_DIR/$file"; done
	starving timeout "$patience" head -c 20000 "$GRT_DIR/trace_pipe"
	true
}

most=1000000000
starve()
{
	for kind in failslab fail_page_alloc; do
		dir=/sys/kernel/debug/$kind
		[ -d $dir ] || fail "this kernel has no $kind"
		for pair in task-filter=Y ignore-gfp-wait=N verbose=0 times=$most probability=$1; do
			echo "${pair#*=}" >"$dir/${pair%%=*}"
		done
		[ ! -e $dir/min-order ] || echo 0 >$dir/min-order
	done
}

children=""
cat "$GRT_DIR/config" >"$CASE_TMP/config-before"
[ -z "${GRTRACE_STORM-}" ] || starve 5
session_start
for worker in $WORKERS; do
	meanwhile "$worker" &
	children="$children $!"
done
sleep "$lasts"
: >"$CASE_TMP/over"
for child in $children; do
	wait "$child" || :
done
for worker in $WORKERS; do
	read -r good rounds <"$CASE_TMP/$worker.rounds"
	echo "$worker: $good of $rounds rounds"
	[ "$good" -gt 0 ] || fail "$worker never worked, so this run proves nothing"
done
if [ -n "${GRTRACE_STORM-}" ]; then
	for kind in failslab fail_page_alloc; do
		failed=$((most - $(cat /sys/kernel/debug/$kind/times)))
		echo "$kind: $failed allocations failed"
		[ $failed -gt 0 ] || fail "no allocation failed by $kind, so this run proves nothing"
	done
	starve 0
	while read -r line; do echo "$line" >"$GRT_DIR/config" 2>/dev/null || :; done <"$CASE_TMP/config-before"
fi
echo 0 >"$GRT_DIR/enabled"
fates_sum

# Afterwards a new session works as usual, and loses nothing.
for module in $MODULES; do
	[ ! -d "/sys/module/$module" ] || rmmod "$module" || fail "$module is held by somebody"
done
echo clear >"$GRT_DIR/rules"
config profile=default cost_sample=0 track_jobs=1 mode=discard
session_start
mock_run_jobs 50
session_stop
fates_sum
expect_stat jobs_in_flight 0
expect_stat jobs_overflow 0
expect_stat lost_events 0
for type in SUBMIT COMMIT END COMPLETE; do
	expect_eq "$type written" "$(column $type written)" 50
done
expect_eq "rows of jobs" "$(sed 1d "$GRT_DIR/jobs" | wc -l)" 0
