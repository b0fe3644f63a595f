#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: -e records other events of the kernel beside the jobs: as many as another instance of ftrace sees, in the same order and with the same fields
# requires: mock grtrace
# kernels: 6.1
# timeout: 600
cd "$CASE_TMP" || exit
outside=$TRACEFS/instances/outside

undo_outside()
{
	set +e
	[ ! -d "$outside" ] || rmdir "$outside"
}

# Lines "CPU EVENT FIELDS" in the order of time: of the instance; of the trace
seen_outside()
{
	sed -n 's/^.* \[\([0-9]*\)\] [^ ]* *[0-9.]*: \([a-z_]*\): \(.*[^ ]\) *$/\1 \2 \3/p' "$outside/trace" | sed 's/^0*\([0-9]\)/\1/'
}

recorded()	# TRACE
{
	grtrace dump --type TRACE_EVENT --format csv "$1" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ text = $at["text"]; sub(/^[^:]*:/, "", text); print $at["cpu"], text }'
}

# What was recorded of each event on each CPU is one part of what the instance saw there: no event
# is missing in between.  Events of two kinds may have another order, because an interrupt comes
# between the two times that one is written.
compare()	# OUTSIDE RECORDED
{
	awk '{ key = $1 " " $2 }
		NR == FNR { all[key] = all[key] "\n" $0; next }
		{ part[key] = part[key] "\n" $0; n[key]++ }
		END {
			for (key in part) {
				if (!index(all[key] "\n", part[key] "\n")) { print "not the same: " key; bad = 1 }
				print n[key], key
			}
			exit bad
		}' "$1" "$2"
}

trap undo_outside EXIT
mkdir "$outside"
echo mono >"$outside/trace_clock"
echo 16384 >"$outside/buffer_size_kb"
echo 1 >"$outside/events/sched/sched_switch/enable"
echo 1 >"$outside/events/irq/enable"
echo 1 >"$outside/tracing_on"
grtrace record -b 8M -e sched:sched_switch -e 'irq:*' -v -e irq:softirq_raise -o other.grt 2>words -- \
	workload --scenario mixed --jobs 200 --processes 2 >workload.txt || fail "record: $(cat words)"
echo 0 >"$outside/tracing_on"
grep -q '^source: tracefs .*has -e' words || fail "the source: $(cat words)"
expect_eq "events that the instance lost" "$(cat "$outside"/per_cpu/cpu*/stats | awk '/^(overrun|dropped events): /{ sum += $NF } END { print sum }')" 0
expect_status 0 grtrace verify other.grt
expect_eq "events that the trace lost" "$(grtrace dump other.grt | grep -c ' LOSS ')" 0
expect_eq "jobs" "$(grtrace report --jobs --format csv other.grt | sed 1d | wc -l)" 200
seen_outside >outside.txt
recorded other.grt >recorded.txt
compare outside.txt recorded.txt >counts || fail "$(cat counts)"
awk '{ n[$3] += $1 } END { exit !(n["sched_switch"] > 100 && n["softirq_entry"] && n["softirq_exit"]) }' counts ||
	fail "few events: $(cat counts)"
grep -q softirq_raise outside.txt || fail "no event is left out, so this run proves nothing"
! grep -q softirq_raise recorded.txt || fail "softirq_raise was to be left out"
# It must see the difference.
sed 1d outside.txt >fewer.txt
sed '5s/$/0/' recorded.txt >changed.txt
if compare fewer.txt outside.txt >/dev/null || compare outside.txt changed.txt >/dev/null; then
	fail "a missing or another event is not noticed"
fi
rmdir "$outside"

# No address of the kernel gets into a trace, and grtrace's own events are not recorded twice.
grtrace record -e timer -e workqueue -e gpu_scheduler -o timer.grt 2>words -- \
	workload --scenario batch --jobs 20 >workload.txt || fail "record: $(cat words)"
grep -q "warning: 'gpu_scheduler:.* recorded as events of jobs" words || fail "no warning: $(cat words)"
grtrace dump --type TRACE_EVENT timer.grt >dump.txt
grep -q 'timer:hrtimer_start hrtimer=0x[0-9a-f]* function=[a-z_]\{4,\} ' dump.txt || fail "no timer: $(head dump.txt)"
! grep -E -i '\b(0x)?ffff[0-9a-f]{12}\b' dump.txt || fail "these are addresses of the kernel"
! grep 'gpu_scheduler:drm_\(run_job\|sched_job_run\) ' dump.txt || fail "these are recorded twice"
grtrace verify timer.grt

# Losses count
grtrace record -b 16K -e sched -e irq -v -e irq:softirq_raise -o lossy.grt 2>words &
pid=$!
wait_for 10 recording_has_begun lossy.grt
kill -STOP $pid
workload --scenario batch --jobs 400 >workload.txt
kill -CONT $pid
workload --scenario batch --jobs 20 >workload.txt
kill -INT $pid
wait $pid || fail "$(cat words)"
grtrace verify lossy.grt
grep -q 'hint: sudo grtrace record .*--event sched --event irq --except --event irq:softirq_raise' words || fail "no hint: $(cat words)"
[ "$(grtrace dump --type LOSS lossy.grt | wc -l)" -gt 0 ] || fail "nothing was lost, so this run proves nothing"

# A name that means no event is refused, and nothing is changed.
ls "$TRACEFS/instances" >before
cat "$TRACEFS/dynamic_events" >>before
expect_status 3 grtrace record -e irq -e sched:sched_swich -o none.grt
grep -q "the kernel has no event 'sched:sched_swich'" out || fail "$(cat out)"
grep -q "hint: -e sched:sched_switch " out || fail "$(cat out)"
ls "$TRACEFS/instances" >after
cat "$TRACEFS/dynamic_events" >>after
diff before after || fail "it left something"
[ ! -e none.grt ] || fail "there is a file"
for source in module bpf; do
	expect_status 3 grtrace record --source=$source -e irq -o none.grt
	grep -q "source $source does not work here: it cannot record other events" out || fail "$(cat out)"
done
cat counts
