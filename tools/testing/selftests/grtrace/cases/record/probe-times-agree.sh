#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: probe --time measures from one function of the mock to another what the mock's own log says; calls from entry to return are as many as jobs
# requires: mock grtrace
# kernels: 6.1
# shellcheck disable=SC2016	# the dollar is of tracefs
cd "$CASE_TMP" || exit
log=/sys/kernel/debug/grtrace_mock/log

# total NAME: of the row for all
total() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $2 == "(all)" { print $at[name] }' took; }

# missed: hits that the kernel itself counts as missed: an interrupt reached a probe while another one ran
missed() { sed -n 's/^grtrace: warning: \([0-9]*\) hits* w[a-z]* missed by .*/\1/p' words; }

# On a slow machine that happens; then the times are not those of all jobs.
for try in 1 2 3 4 5; do
	echo 1 >/sys/kernel/debug/grtrace_mock/log_reset
	grtrace probe --time grtrace_mock:run_job grtrace_mock:mock_job_signal --key '$arg1:u64' -f csv >took 2>words -- \
		sh -c 'workload --scenario batch --jobs 200 >workload.txt' || fail "probe: $(cat words)"
	cp $log log
	[ -n "$(missed)" ] || break
	[ $(($(total count) + $(missed))) -ge 200 ] || fail "$(total count) pairs, $(cat words)"
	[ $try -lt 5 ] || skip "the kernel missed hits each time: $(cat words)"
done
expect_eq "pairs" "$(total count)" 200
[ ! -s words ] || fail "a warning: $(cat words)"
# The first probe runs before run_ns is read, the second one after end_ns was: so it is no shorter.  It is
# over before the fence is signalled.
awk -F, -v mean="$(total mean_ns)" -v max="$(total max_ns)" -v min="$(total min_ns)" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		n++
		short = $at["end_ns"] - $at["run_ns"]
		long = $at["signaled_ns"] - $at["run_ns"]
		sum_short += short
		sum_long += long
		if (n == 1 || short < min_short) min_short = short
		if (short > max_short) max_short = short
	}
	END {
		printf "mean %d ns, log %d to %d; max %d, log %d; min %d, log %d\n", mean, sum_short / n, sum_long / n, max, max_short, min, min_short
		exit !(mean >= int(sum_short / n) && mean <= sum_long / n + 1000000 && max >= max_short &&
			max <= max_short + 20000000 && min >= min_short)
	}' log >agree || fail "the times are others: $(cat agree)"
cat agree
expect_eq "histogram" "$(sed '1,/^$/d' took | awk -F, 'NR > 1 { sum += $3 } END { print sum }')" 200

# From entry to return, one call for each job.
grtrace probe --time drm_sched_entity_push_job --per-process -f csv >took 2>words -- sh -c 'workload --scenario batch --jobs 50 >workload.txt' ||
	fail "probe: $(cat words)"
expect_eq "calls" "$(total count)" 50
expect_eq "calls of the process" "$(awk -F, '$2 == "batch" || $2 == "workload" { n += $3 } END { print n }' took)" 50

# It ends when another event comes, and leaves nothing.
grtrace probe --time drm_sched_entity_push_job --stop-on gpu_scheduler:no_such_event >out 2>&1 && fail "no such event"
grep -q "has no event 'gpu_scheduler:no_such_event'" out || fail "$(cat out)"
grtrace probe --time drm_sched_entity_push_job --stop-on dma_fence:dma_fence_signaled >took 2>words &
pid=$!
ended() { workload --scenario batch --jobs 5 >workload.txt; ! kill -0 $pid; }
wait_for 30 ended
wait $pid || fail "$(cat words)"
grep -q '^dma_fence:dma_fence_signaled came' words || fail "$(cat words)"
expect_status 7 grtrace probe --time drm_sched_entity_push_job -- sh -c 'exit 7'

# What a function calls.
grtrace probe --graph drm_sched_entity_push_job --max-depth 2 >graph 2>words -- sh -c 'workload --scenario batch --jobs 5 >workload.txt' ||
	fail "graph: $(cat words)"
expect_eq "calls in the graph" "$(grep -c '|  drm_sched_entity_push_job.*()\( {\|;\)$' graph)" 5
grep -q 'us *|    [a-z_]*.*();' graph || fail "it calls nothing: $(cat graph)"
! grep -q '|      [a-z]' graph || fail "this is too deep: $(cat graph)"
[ -z "$(ls "$TRACEFS/instances")" ] || fail "an instance is left"
! grep grtrace "$TRACEFS/dynamic_events" || fail "a probe is left"
expect_eq "the tracer" "$(cat "$TRACEFS/current_tracer")" nop
grep -q '^####' "$TRACEFS/set_graph_function" || fail "its functions are left"
expect_eq "the depth" "$(cat "$TRACEFS/max_graph_depth")" 0
