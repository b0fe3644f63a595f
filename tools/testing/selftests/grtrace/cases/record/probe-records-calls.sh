#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --probe and -e grtrace_probe:* have each call of functions of the scheduler and of the mock, with arguments by name, by number and by member, as the mock's own log says
# requires: mock grtrace
# kernels: 6.1
# shellcheck disable=SC2016,SC2086	# the dollars are of tracefs; a probe is several words
cd "$CASE_TMP" || exit
log=/sys/kernel/debug/grtrace_mock/log
trap 'grtrace probe del --all' EXIT

# values FUNCTION TRACE: what was recorded of its calls, a line each
values()
{
	grtrace dump --type TRACE_EVENT "$2" | sed -n "s/.*grtrace_probe:$1 \(.*\)\"\$/\1/p" | tr -d '\\"'
}

# logged COLUMNS: of the mock's log, as "name=value" in this order
logged()
{
	awk -F, -v names="$*" 'BEGIN { nr = split(names, want, " ") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ line = ""; for (i = 1; i <= nr; i++) line = line (i > 1 ? " " : "") want[i] "=" $at[want[i]]; print line }' $log
}

# missed TRACE: a probe is not run while another one runs on its CPU; the kernel counts that
missed() { grtrace dump --definitions "$1" | sed -n 's/.*\\nmissed=\([0-9]*\).*/\1/p'; }

# same WHAT FILE LOG TRACE: the file has all lines of the log, but for calls that the trace missed
same()
{
	[ -s "$3" ] || fail "$1: the log has nothing, so this run proves nothing"
	diff "$2" "$3" | grep '^[<>]' >differs || :
	! grep '^<' differs || fail "$1: these are not in the log"
	[ "$(wc -l <differs)" -le "$(missed "$4")" ] || fail "$1: $(head -n 5 differs)"
}

echo 1 >/sys/kernel/debug/grtrace_mock/log_reset
grtrace record -o own.grt --probe 'drm_sched_entity_push_job ctx=sched_job->s_fence->finished.context sched_job->s_fence->finished.seqno ring=sched_job->sched->name:string' \
	--probe 'grtrace_mock:mock_job_signal status=$arg2:s32 end_ns=$arg3:u64' \
	--probe 'done=grtrace_mock:mock_job_signal%return' 2>words -- \
	workload --scenario mixed --jobs 100 >workload.txt || fail "record: $(cat words)"
grep -q '^source: tracefs .*has --probe' words || fail "the source: $(cat words)"
grtrace verify own.grt >verified || fail "verify: $(cat verified)"
values drm_sched_entity_push_job own.grt | sort >pushed
logged ctx seqno ring | sort >log.pushed
same "jobs that were pushed" pushed log.pushed own.grt
values mock_job_signal own.grt | sort >signalled
logged status end_ns | sort >log.signalled
same "jobs that ended" signalled log.signalled own.grt
returns=$(grtrace dump --type TRACE_EVENT own.grt | grep -c 'grtrace_probe:done"')
ended=$(wc -l <log.signalled)
{ [ "$returns" -le "$ended" ] && [ "$returns" -ge $((ended - $(missed own.grt))) ]; } || fail "$returns returns of $ended"
! grep -q probe "$TRACEFS/dynamic_events" || fail "a probe of the recording is left"
[ ! -e "$TRACEFS/events/grtrace_probe" ] || fail "there is a probe that nobody added"

# The jobs themselves are in the same trace, in the same order.
grtrace report --all --jobs --format csv own.grt >jobs.csv
expect_eq "jobs of the report" "$(sed 1d jobs.csv | wc -l)" "$(wc -l <log.pushed)"

# A probe that was added stays, and is an event like others.
grtrace probe add drm_sched_entity_push_job 'sched_job->s_fence->finished.seqno' >added || fail "probe add"
expect_eq "the name" "$(cat added)" grtrace_probe:drm_sched_entity_push_job
echo 1 >/sys/kernel/debug/grtrace_mock/log_reset
grtrace record -q -o added.grt -e 'grtrace_probe:*' -- workload --scenario batch --jobs 30 >workload.txt
values drm_sched_entity_push_job added.grt | sort >pushed
logged seqno | sort >log.pushed
same "jobs that were pushed" pushed log.pushed added.grt
expect_eq "hits in the list" "$(grtrace probe list -f csv | awk -F, '$1 == "drm_sched_entity_push_job" { print $3 }')" 30

# It cannot run inside of another probe: where the kernel counts that, so does the recording, from its start on.
inner_misses() { awk '$1 == "inner" { print $3 }' "$TRACEFS/kprobe_profile"; }
grtrace probe add inner=strncpy_from_kernel_nofault >added || fail "probe add"
for _ in 1 2; do
	before=$(inner_misses)
	grtrace record -q -o inner.grt -e 'grtrace_probe:*' --probe 'drm_sched_entity_push_job sched_job->sched->name:string' -- \
		workload --scenario batch --jobs 30 >workload.txt
	missed=$(missed inner.grt) inner=$(($(inner_misses) - before))
	case $(uname -r) in
	6.1.*) [ $inner -ge 30 ] || fail "only $inner missed, so this run proves nothing" ;;
	esac
	{ [ "$missed" -ge $inner ] && [ "$missed" -lt $((inner + 30)) ]; } || fail "$missed missed, $inner of them of the inner probe"
done
grtrace probe del inner

# With --stop-on it triggers a flight recorder, here at the fifth job of a context.
flight_begin --source=tracefs --stop-on 'grtrace_probe:drm_sched_entity_push_job if seqno == 5'
workload --scenario batch --jobs 20 >workload.txt
wait_for 30 grep -q 'events: somebody asked for it' words
flight_end
grep -q '^grtrace_probe:drm_sched_entity_push_job if seqno == 5 came' words || fail "$(cat words)"

# What is wrong is said, and nothing is left.
grtrace probe del --all
for probe in 'no_such_function' 'vfs_read nothing' 'vfs_read %foo' 'vfs_read+1' 'nowhere:vfs_read' 'vfs_read%return count' 'int3_exception_notify'; do
	grtrace probe add $probe >out 2>words && fail "'$probe' was added"
	expect_eq "errors of '$probe'" "$(grep -c '^grtrace: ' words)" 1
	grep -q '^hint: ' words || fail "'$probe' has no hint: $(cat words)"
	expect_status 3 grtrace record -q -o none.grt --probe "drm_sched_entity_push_job" --probe "$probe"
done
! grep probe "$TRACEFS/dynamic_events" || fail "something is left"
[ ! -e none.grt ] || fail "there is a file"
