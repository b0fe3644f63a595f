#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a recorder with an instance of tracefs records a scheduler whose module is loaded later, and leaves nothing behind
# requires: modules
# vm: own --no-load
# kernels: 6.1
[ ! -d /sys/module/gpu_sched ] || fail "gpu_sched is loaded already, so this run proves nothing"
cd "$CASE_TMP" || exit
# Its probes are defined a moment after the module came.
cat >later <<END
modprobe grtrace_mock || exit
for _ in \$(seq 200); do
	! grep -q 'grtrace_[0-9_]*/ring_recovered' $TRACEFS/dynamic_events || break
	sleep 0.1
done
sleep 1
workload --scenario mixed --jobs 100 --processes 2
workload --scenario hang --jobs 20 --processes 1 --faults 2
END
grtrace record --source=tracefs -e irq:softirq_entry -b 2M -o x.grt -- sh later >out 2>words || fail "record: $(cat words)"
grep -q "warning: no driver with GPU jobs is loaded yet" words || fail "no warning: $(cat words)"
[ ! -d /sys/module/grtrace ] || fail "the module is loaded, so this run proves nothing"
expect_status 0 grtrace verify x.grt
expect_eq "jobs" "$(grtrace report --jobs --format csv x.grt | sed 1d | wc -l)" 120
whole=$(grtrace report --jobs --format csv --filter 'total > 0 and t_exec > 0 and t_dep >= 0' x.grt | sed 1d | wc -l)
[ "$whole" -ge 100 ] || fail "only $whole of 120 jobs have all their times"
grtrace dump --definitions x.grt | grep STREAM_INFO | head -n 1 >info
features=$(sed -n 's/.* features=\([^ ]*\) .*/\1/p' info)
[ $((features >> 5 & 3)) -eq 3 ] || fail "no promise of dependencies, timeouts and resets: $(cat info)"
grtrace dump x.grt >dump.txt
[ "$(grep -c ' ERROR .*TIMEOUT' dump.txt)" -ge 1 ] || fail "no timeout is recorded"
grep -q ' TRACE_EVENT .*irq:softirq_entry' dump.txt || fail "no other event"
[ -z "$(ls "$TRACEFS/instances")" ] || fail "an instance is left: $(ls "$TRACEFS/instances")"
[ -z "$(cat "$TRACEFS/dynamic_events")" ] || fail "probes are left: $(cat "$TRACEFS/dynamic_events")"
rmmod grtrace_mock gpu_sched || fail "a module is held"
