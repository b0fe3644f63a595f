#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The part of event-cost that runs in the guest: fires every event in each state of tracing and
# prints "STATE EVENT TICKS LOOPS". Fails if a tracer did not record the events, because then it
# would measure the cost of dropping them.
set -eu
here=$(dirname "$0")
loops=$1 rounds=2
bench=/sys/kernel/debug/grtrace_bench
grt=/sys/kernel/debug/grtrace
tracefs=/sys/kernel/tracing
insmod "$here/grtrace_bench.ko" "loops=$loops"

fail() { echo "event-cost: $*" >&2; exit 1; }

# fire STATE EVENT...
fire()
{
	state=$1
	shift
	for event in "$@"; do
		[ ! -e "$bench/$event" ] || echo "$state $event $(cat "$bench/$event")"
	done
}

# fire_rounds STATE EVENT...
fire_rounds()
{
	for _ in $(seq "$rounds"); do fire "$@"; done
}

jobs="submit commit end dependency complete"
# How often one fire_rounds fires an event of $jobs; 100 are its warm-up.
fired()
{
	count=0
	for event in $jobs; do
		[ ! -e "$bench/$event" ] || count=$((count + 1))
	done
	echo $((count * (loops + 100) * rounds))
}

config() { echo "$1" >"$grt/config" || fail "config '$1': $(cat "$grt/error")"; }
stat() { sed -n "s/^$1=//p" $grt/stats; }
expect() { [ "$2" = "$3" ] || fail "$1: $2 instead of $3, so the figures mean nothing"; }

# $jobs is a list, here and below.
# shellcheck disable=SC2086
off()
{
	fire_rounds off empty nops $jobs foreign
}

# shellcheck disable=SC2086
recorded_by_grtrace()
{
	config buffer_size=64M
	echo start >$grt/control
	fire_rounds grtrace $jobs foreign
	echo stop >$grt/control
	expect "events that grtrace wrote" "$(stat written)" "$(fired)"
}

# A flight recorder; its buffers are so small that events overwrite others. Short runs need smaller ones, where
# a change of sub-buffers is a larger part of the cost.
# shellcheck disable=SC2086
overwritten_by_grtrace()
{
	grep -q '^mode=' $grt/config || return 0
	buffer_kb=1024
	[ "$loops" -ge 2000 ] || buffer_kb=128
	config "buffer_size=${buffer_kb}K"
	config mode=overwrite
	echo start >$grt/control
	fire_rounds overwrite $jobs
	echo stop >$grt/control
	expect "events that the flight recorder wrote" "$(stat written)" "$(fired)"
	[ "$(stat bytes_written)" -gt $((buffer_kb * 1024)) ] || fail "nothing was overwritten"
	config mode=discard
	config buffer_size=64M
}

# Only MARK is kept, so that COMPLETE is refused for its type.
filtered_by_grtrace()
{
	grep -q '^filter_type_mask=' $grt/config || return 0
	keep=$(sed -n 's/^filter_type_mask=//p' $grt/config)
	config "filter_type_mask=$1"
	echo start >$grt/control
	fire setup submit
	fire_rounds filtered complete
	echo stop >$grt/control
	config "filter_type_mask=$keep"
	expect "events that grtrace filtered" "$(stat filtered_type)" $(((loops + 100) * (rounds + 1)))
}

# NAME FILE=VALUE...: measures $stage_event with these settings, then restores them.
stage_event=life
staged()
{
	stage=$1
	shift
	undo=""
	for pair; do
		file=${pair%%=*}
		[ -e "$grt/$file" ] || return 0
		case $file in
		rules) undo="rules=clear $undo" ;;
		profile) undo="profile=default $undo" ;;
		*) undo="$file=$(cat "$grt/$file") $undo" ;;
		esac
		echo "${pair#*=}" >"$grt/$file" || fail "$pair: $(cat "$grt/error")"
	done
	echo start >$grt/control
	fire_rounds "stage-$stage" "$stage_event"
	echo stop >$grt/control
	expect "COMPLETE that were seen, $stage" "$(sed -n 's/^1,COMPLETE,\([0-9]*\),.*/\1/p' $grt/events_by_type)" \
		$(((loops + 100) * rounds))
	expect "lost events, $stage" "$(stat lost_events)" 0
	for pair in $undo; do
		echo "${pair#*=}" >"$grt/${pair%%=*}"
	done
}

# In the order of the table.
stages()
{
	extensions="grtrace_aggregator grtrace_filter grtrace_perf_mon grtrace_sampling"
	# shellcheck disable=SC2086	# words
	modprobe -a $extensions 2>/dev/null || :
	staged none
	staged level-normal level=normal
	staged ring-filter filter_ring_id=1
	staged watch-kept watch_ctx="$(cat $bench/ctx)"
	staged watch-refused watch_ctx=1000000
	staged sample-50 sample=50
	staged rate-limit-window rate_limit=10000000
	staged rate-limit-bucket rate_limit_mode=bucket rate_limit=10000000
	staged backpressure backpressure_threshold=99
	staged adaptive-sampling adaptive_sampling=1 backpressure_threshold=99
	staged cost-sample-64 cost_sample=64
	staged track-jobs track_jobs=1
	staged one-rule 'rules=total > 1s label=slow'
	staged filter-pid filter_enabled=1 filter_pid=1
	staged filter-latency filter_enabled=1 filter_latency=1000000
	staged perf-mon perf_mon_enable=1
	staged sampling-static-100 sampling_rate=100 sampling_mode=static
	staged sampling-static-0 sampling_rate=0 sampling_mode=static
	staged sampling-adaptive sampling_mode=adaptive
	staged sampling-threshold-fast sampling_threshold=1s sampling_mode=threshold
	staged sampling-threshold-slow sampling_threshold=0 sampling_mode=threshold
	staged aggregator-1 aggregator_enable=1
	staged aggregator-2 aggregator_enable=2
	stage_event=whole
	staged whole-none
	staged whole-level-normal level=normal
	staged whole-production profile=production buffer_size=64M
	stage_event=life
	# shellcheck disable=SC2086
	rmmod $extensions 2>/dev/null || :
}

# The buffer is larger than all events that are written to it.
ftrace_begin()
{
	echo 131072 >$tracefs/buffer_size_kb
	echo >$tracefs/trace
}

# ftrace_end EVENTS
ftrace_end()
{
	echo 0 >$tracefs/events/enable
	expect "events that ftrace holds" "$(sed -n 's/^entries: //p' $tracefs/per_cpu/cpu0/stats)" "$1"
	echo >$tracefs/trace
}

ftrace_enable()
{
	for event in "$@"; do
		[ ! -d "$tracefs/events/$event" ] || echo 1 >"$tracefs/events/$event/enable"
	done
}

# shellcheck disable=SC2086
recorded_by_ftrace()
{
	ftrace_begin
	ftrace_enable gpu_scheduler dma_fence/dma_fence_signaled
	fire_rounds ftrace $jobs foreign
	ftrace_end $(($(fired) + (loops + 100) * rounds))
}

# The cost in ftrace of an event that its own filter refuses.
filtered_by_ftrace()
{
	ftrace_begin
	echo 'context == 0' >$tracefs/events/dma_fence/dma_fence_signaled/filter
	ftrace_enable dma_fence/dma_fence_signaled
	fire_rounds ftrace-filtered complete
	ftrace_end 0
	echo 0 >$tracefs/events/dma_fence/dma_fence_signaled/filter
}

# Event probes add the job's key to events that do not have it, up to Linux 6.16.
recorded_by_event_probes()
{
	# shellcheck disable=SC2016	# the dollars are ftrace's
	key='ctx=+32($fence):u64 seqno=+40($fence):u64'
	[ -d $tracefs/events/gpu_scheduler/drm_sched_process_job ] || return 0
	{
		echo "e:bench/submit gpu_scheduler.drm_sched_job $key" >>$tracefs/dynamic_events &&
		echo "e:bench/commit gpu_scheduler.drm_run_job $key" >>$tracefs/dynamic_events &&
		echo "e:bench/end gpu_scheduler.drm_sched_process_job $key" >>$tracefs/dynamic_events
	} || fail "ftrace refused an event probe"
	ftrace_begin
	ftrace_enable bench
	fire_rounds event-probe submit commit end
	ftrace_end $(((loops + 100) * rounds * 3))
	echo >$tracefs/dynamic_events
}

recorded_by_bpf()
{
	counts=/tmp/bpf-counts
	[ -e "$here/with-bpf" ] || return 0
	# shellcheck disable=SC2016	# for the inner shell
	"$here/with-bpf" "$here/cost.bpf.o" sh -c '
		for event in submit commit end complete foreign submit commit end complete foreign; do
			echo "bpf $event $(cat '$bench'/$event)"
		done' >$counts || fail "the BPF programs do not run"
	grep '^bpf [a-z]* [0-9]' $counts
	expect "events of the BPF programs" "$(tail -n 1 $counts)" \
		"bpf recorded $(((loops + 100) * rounds * 4)) lost 0"
}

# record --source=bpf: what replaces the module where none may be loaded.
recorded_by_bpf_source()
{
	counts=/tmp/bpf-source-counts
	# shellcheck disable=SC2016	# for the inner shell
	grtrace record --source=bpf -q -b 64M -o /tmp/bpf-source.grt -- sh -c '
		for event in '"$jobs $jobs"' foreign foreign; do
			[ ! -e '$bench'/$event ] || echo "source-bpf $event $(cat '$bench'/$event)"
		done' >$counts || fail "the source bpf does not record"
	cat $counts
	expect "events of the source bpf" \
		"$(grtrace dump --definitions /tmp/bpf-source.grt | sed -n 's/.*[ \\n]written=\([0-9]*\).*/\1/p')" "$(fired)"
	rm /tmp/bpf-source.grt
}

# SUBMIT only, from 5,000 processes to 1,000 rings: "many-FIRST submit TICKS LOOPS MOST".
many()
{
	config buffer_size=64M
	echo start >$grt/control
	sed "s/\([a-z]*\) /many-\1 submit /" $bench/many
	echo stop >$grt/control
	expect "processes without a name" "$(stat processes_unnamed)" 0
	expect "lost events" "$(stat lost_events)" 0
	grep -E "^(processes_unnamed|rings_lost|table_bytes)=" $grt/stats
	echo "rings=$(($(wc -l <$grt/rings) - 1))"
}

if [ "$3" ]; then
	fire off empty nops
	many
	exit
fi

# Adapters of drivers are attached while their driver is there.
recorded_by_drivers()
{
	rmmod grtrace_bench
	modprobe -a i915 nouveau grtrace_i915 grtrace_nouveau || fail "no i915 or nouveau, or no adapter"
	config buffer_size=64M
	grtrace start --discard >/tmp/start 2>&1 || fail "start: $(cat /tmp/start)"
	offsets=$(sed -n 's/^i915,\(i915_request.engine\|intel_engine_cs.name\),8,//p' $grt/offsets | paste -s -d ,)
	insmod "$here/grtrace_bench.ko" "loops=$loops" "i915_offsets=$offsets"
	fire_rounds grtrace i915-submit i915-complete nouveau-submit nouveau-complete
	fire_rounds with-drivers foreign foreign-init
	echo stop >$grt/control
	# and one when the bench initialises nouveau's fence
	expect "events that grtrace wrote of drivers" "$(stat written)" $((4 * (loops + 100) * rounds + 1))
	expect "the rings" "$(grep -c 'rcs0\|glmark2' $grt/rings)" 2
}

begin_amdgpu()
{
	rmmod grtrace_bench
	grtrace start --discard >/tmp/start 2>&1 || fail "start: $(cat /tmp/start)"
	insmod "$here/grtrace_bench.ko" "loops=$loops"
}

# The bridge records jobs, amdgpu's adapter adds num_ibs; and without the bridge.  nouveau's adapter writes
# one event, see above.
recorded_by_amdgpu()
{
	modprobe -a amdgpu grtrace_amdgpu || fail "no amdgpu, or no adapter"
	begin_amdgpu
	fire_rounds grtrace amdgpu-noted amdgpu-irq
	echo stop >$grt/control
	expect "events that the bridge records" "$(stat duplicate)" $(((loops + 100) * rounds))
	expect "interrupts" "$(stat written)" $(((loops + 100) * rounds + 1))
	rmmod grtrace_drm_bridge
	begin_amdgpu
	fire_rounds grtrace amdgpu-submit amdgpu-commit amdgpu-complete
	echo stop >$grt/control
	expect "events of amdgpu's jobs" "$(stat written)" $((4 * (loops + 100) * rounds + 1))
}

# recorded_by ADAPTER EVENTS BESIDE LOOP...: measures the loops with this adapter alone. It writes
# EVENTS in one round of all of them, and BESIDE when the bench makes its fences.
recorded_by()
{
	adapter=$1 events=$2 beside=$3
	shift 3
	rmmod grtrace_bench
	modprobe "$adapter" || fail "no $adapter"
	grtrace start --discard >/tmp/start 2>&1 || fail "start: $(cat /tmp/start)"
	offsets=$(sed -n 's/^xe,\(xe_vma.gpuva.vm\|xe_vma.gpuva.gem.obj\|xe_vm.gpuvm.drm\),8,//p' $grt/offsets | paste -s -d ,)
	insmod "$here/grtrace_bench.ko" "loops=$loops" ${offsets:+"xe_offsets=$offsets"}
	fire_rounds grtrace "$@"
	echo stop >$grt/control
	expect "events of $adapter" "$(stat written)" $((events * (loops + 100) * rounds + beside))
	rmmod "$adapter"
}

recorded_by_others()
{
	modprobe -a radeon virtio_gpu || fail "no radeon or virtio_gpu"
	rmmod grtrace_i915 grtrace_nouveau grtrace_amdgpu
	rmmod grtrace_radeon grtrace_virtio_gpu grtrace_xe grtrace_display 2>/dev/null || :
	recorded_by grtrace_radeon 3 2 radeon-submit radeon-complete
	recorded_by grtrace_virtio_gpu 6 0 virtio-submit virtio-unfenced virtio-end virtio-complete
	recorded_by grtrace_display 2 0 display-vblank display-delivered
	recorded_by grtrace_irq 1 0 irq-gpu irq-other
	# not in 6.1
	! modprobe xe 2>/dev/null || recorded_by grtrace_xe 2 0 xe-bind xe-move
}

off
recorded_by_grtrace
overwritten_by_grtrace
filtered_by_grtrace "$2"
stages
recorded_by_ftrace
filtered_by_ftrace
recorded_by_event_probes
recorded_by_bpf
recorded_by_bpf_source
recorded_by_drivers
recorded_by_amdgpu
recorded_by_others
