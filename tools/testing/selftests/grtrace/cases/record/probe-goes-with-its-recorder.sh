#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: kill -9 of record --probe, probe --time and probe --graph leaves no probe, no instance and no tracer; probes that the user added stay
# requires: mock grtrace
# kernels: 6.1
# timeout: 300
cd "$CASE_TMP" || exit
program=$(command -v workload)

undo_users()
{
	set +e
	grtrace probe del --all
	echo "-:grtrace/users_probe" >>"$TRACEFS/dynamic_events"
}

state()
{
	cat "$TRACEFS/dynamic_events" "$TRACEFS/kprobe_events" "$TRACEFS/uprobe_events"
	ls "$TRACEFS/instances"
	(cd "$TRACEFS" && grep -H . current_tracer set_graph_function max_graph_depth tracing_on)
}

is_as_before() { state >after && cmp -s before after; }

trap undo_users EXIT
echo 'p:grtrace/users_probe drm_sched_stop' >>"$TRACEFS/dynamic_events"
grtrace probe add drm_sched_entity_push_job >/dev/null
state >before

# kill_it PATTERN COMMAND...: once it has made what has the pattern
kill_it()
{
	pattern=$1
	shift
	"$@" >out 2>&1 &
	pid=$!
	wait_for 30 changed "$pattern"
	kill -9 $pid
	wait || :
	wait_for 60 is_as_before	# the kernel finishes what a killed process began
}

changed() { state >now && grep -q -e "$1" now; }

for _ in 1 2; do
	kill_it "grtrace_[0-9]*_[0-9]*/drm_sched_entity_push_job" grtrace record -q -o k.grt --probe drm_sched_entity_push_job
	kill_it "grtrace_[0-9]*_[0-9]*/main $program" grtrace record -q -o k.grt --probe "-x $program main" --probe vfs_read%return
	kill_it "grtrace_[0-9]*_[0-9]*/vfs_read__return" grtrace probe --time vfs_read
done
kill_it "set_graph_function:drm_sched_entity_push_job" grtrace probe --graph drm_sched_entity_push_job --max-depth 3
rm -f k.grt k-cut-*.grt

# With the process that cleans up: then the next recorder does.
grtrace record -q -o k.grt --probe vfs_write &
pid=$!
wait_for 20 changed 'grtrace_[0-9]*_[0-9]*/vfs_write'
cat /proc/[0-9]*/stat 2>/dev/null | awk -v by=$pid '$4 == by { print $1 }' >children
kill -9 "$(cat children)" $pid
wait || :
sleep 0.5
changed 'grtrace_[0-9]*_[0-9]*/vfs_write' || fail "who cleaned up?"
grtrace record --source=tracefs -q -o next.grt -d 100ms
wait_for 10 is_as_before
grtrace probe list | grep -q drm_sched_entity_push_job || fail "the user's probe is gone"
