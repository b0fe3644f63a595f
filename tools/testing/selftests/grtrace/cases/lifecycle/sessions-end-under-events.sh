#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: sessions begin and end under events that go through the policy and that hooks write; the fates of each sub-buffer and stream sum to what was seen
# kernels: 6.1
# requires: grtrace
# timeout: 300
need_module grtrace_sampling
SESSIONS=12
trap 'touch "$CASE_TMP/enough"; wait' EXIT

# session NUMBER: verifies what it wrote, and counts that in $written
session()
{
	ctl start
	sleep 0.1
	ctl stop
	written=$((written + $(stat written)))
	cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
	grtrace verify "$CASE_TMP/pipe" >"$CASE_TMP/said" 2>&1 || fail "session $1: $(grep -v '^ok' "$CASE_TMP/said" | head -n 5)"
}

for cpu in 0 1; do
	taskset $((1 << cpu)) sh -c "
		while [ ! -e $CASE_TMP/enough ]; do
			echo 'submit $((7 + cpu)) gfx 0 1 count=500' >$GRT_DIR/emit
			echo 'complete $((7 + cpu)) gfx 0 1 count=500' >$GRT_DIR/emit
		done" &
done
written=0
config buffer_size=64K sample=50 rate_limit=100000000 backpressure_threshold=90
for n in $(seq $SESSIONS); do
	session "$n with a policy"
done
[ $written -gt 1000 ] || fail "only $written events, so this run proves nothing"

# A job is one record, that the hook writes: all sub-buffers begin with one.
config sample=100 rate_limit=0 backpressure_threshold=0
put sampling_threshold 0
put sampling_mode threshold
written=0
for n in $(seq $SESSIONS); do
	session "$n with a hook"
done
touch "$CASE_TMP/enough"
wait
[ $written -gt 1000 ] || fail "only $written records of jobs, so this run proves nothing"
fates_sum
