#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: kill -9 of a recorder of tracefs at 8 moments and more leaves nothing of it in tracefs, and a file that can be read; the user's own tracing stays as it was
# requires: mock grtrace
# timeout: 300
# kernels: 6.1
# GRTRACE_ROUNDS: how many moments; 8 by default, 100 in the soak.
rounds=${GRTRACE_ROUNDS:-8}
cd "$CASE_TMP" || exit

# What a user may have set up, at the top and in an instance.
undo_users()
{
	set +e
	echo 0 >"$TRACEFS/instances/users/events/enable"
	rmdir "$TRACEFS/instances/users"
	ftrace_undo
	echo "-:grtrace/users_probe" >>"$TRACEFS/dynamic_events"
}

# The user's state, for comparison
users_state()
{
	cd "$TRACEFS" || exit
	grep -H . tracing_on trace_clock buffer_size_kb set_event current_tracer options/overwrite options/record-tgid \
		instances/users/tracing_on instances/users/trace_clock instances/users/set_event dynamic_events
	cat trace instances/users/trace | grep -v '^#' || :
	cd "$CASE_TMP" || exit
}

is_clean()
{
	[ "$(ls "$TRACEFS/instances")" = users ] && ! grep -q 'grtrace_[0-9]*_[0-9]*/' "$TRACEFS/dynamic_events" &&
		[ -z "$(ls -d "$TRACEFS"/events/grtrace_* 2>/dev/null)" ]
}

has_instance() { [ -n "$(ls -d "$TRACEFS/instances/grtrace.$1".* 2>/dev/null)" ]; }

trap undo_users EXIT
echo boot >"$TRACEFS/trace_clock"
echo 'p:grtrace/users_probe drm_sched_stop' >>"$TRACEFS/dynamic_events"
echo 1 >"$TRACEFS/events/gpu_scheduler/enable"
echo 0 >"$TRACEFS/tracing_on"
mkdir "$TRACEFS/instances/users"
echo counter >"$TRACEFS/instances/users/trace_clock"
echo 1 >"$TRACEFS/instances/users/events/dma_fence/dma_fence_signaled/enable"
echo 0 >"$TRACEFS/instances/users/tracing_on"
users_state >before

cut=0 begun=0
for i in $(seq "$rounds"); do
	grtrace record --source=tracefs -q -o k.grt &
	pid=$!
	# At any moment of it: while it sets up, and while it records.
	if [ $((i % 2)) -eq 0 ]; then
		wait_for 10 recording_has_begun k.grt
		workload --scenario batch --jobs 100 >workload.txt &
		sleep $((i % 24 / 8))
	fi
	sleep 0.$((i % 5))$((i * 7 % 10))
	! has_instance $pid || begun=$((begun + 1))
	kill -9 $pid
	wait || :
	wait_for 10 is_clean
	# The next one finds what it wrote.
	grtrace record --source=tracefs -q -o k.grt -d 10ms
	for file in k-cut-*.grt; do
		[ -e "$file" ] || continue
		expect_readable "$file" "$i"
		cut=$((cut + 1))
	done
	rm -f k-cut-*.grt
done
rm -f k.grt
if [ $begun -lt $((rounds / 2)) ] || [ $cut -lt $((rounds / 4)) ]; then
	fail "$begun had begun, $cut files were cut: this run proves nothing"
fi
echo "$begun had begun, $cut files were cut"

# Whole cgroups are killed with the process that cleans up: then the next recorder does.
grtrace record --source=tracefs -q -o k.grt &
pid=$!
wait_for 10 recording_has_begun k.grt
cat /proc/[0-9]*/stat 2>/dev/null | awk -v by=$pid '$4 == by { print $1 }' >children
expect_eq "processes of the recorder" "$(wc -l <children)" 1
kill -9 "$(cat children)" $pid
wait || :
sleep 0.5
has_instance $pid || fail "who cleaned up?"
grtrace record --source=tracefs -q -o next.grt -- workload --scenario batch --jobs 20 >workload.txt
wait_for 10 is_clean

users_state >after
diff before after || fail "the user's tracing changed"

# And one that ends as it should, with a word from the user.
: >words
grtrace record --source=tracefs -o whole.grt 2>words &
pid=$!
wait_for 10 grep -q "source: tracefs (instance grtrace.$pid" words
wait_for 10 recording_has_begun whole.grt
echo "the user was here" >"$(echo "$TRACEFS/instances/grtrace.$pid".*/trace_marker)"
workload --scenario batch --jobs 20 >workload.txt
kill -INT $pid
wait $pid || fail "$(cat words)"
grtrace dump whole.grt >dump.txt
grep -q "MARK.*the user was here" dump.txt || fail "no MARK: $(head dump.txt)"
is_clean || fail "something is left: $(ls "$TRACEFS/instances") $(cat "$TRACEFS/dynamic_events")"
expect_status 0 grtrace verify whole.grt
users_state >after
diff before after || fail "the user's tracing changed"
