#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --stacks has the call stack of each SUBMIT: the kernel's as ftrace saw it, the process's as its source says
# requires: mock
# kernels: 6.1
JOBS=400
cd "$CASE_TMP" || exit

undo()
{
	echo 0 >"$TRACEFS/options/stacktrace"
	echo 0 >"$TRACEFS/options/userstacktrace"
	ftrace_undo
}
event=gpu_scheduler/drm_sched_job
[ -d "$TRACEFS/events/$event" ] || event=gpu_scheduler/drm_sched_job_queue
trap undo EXIT
echo 1 >"$TRACEFS/options/stacktrace"
echo 1 >"$TRACEFS/options/userstacktrace"
ftrace_begin 32768 $event
grtrace record --source=auto --stacks=kernel,user -o t.grt -- stacks $JOBS >jobs.txt 2>words || fail "record: $(cat words)"
ftrace_stop
cat words
grep -q '^source: bpf .*call stacks' words || fail "it does not say why it took bpf"
[ "$(wc -l <jobs.txt)" = $JOBS ] || fail "the workload: $(tail -n 3 jobs.txt)"
grtrace verify t.grt >verify.txt || fail "verify: $(grep FAILED verify.txt)"

# Lines "KEY user kernel": the functions of each job, the outermost first.
grtrace dump -d t.grt >dump.txt || fail "dump"
awk '
	function value(name,    at) {
		at = match($0, " " name "=[^ ]*")
		return at ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : ""
	}
	/ STACK_TEXT / {
		text = $0
		sub(/.* text="/, "", text)
		sub(/(\\n.*)?"$/, "", text)
		name[value("stack")] = text
	}
	/ STACK / { n++; key[n] = value("ctx") ":" value("seqno"); user[n] = value("user_stack"); kernel[n] = value("kernel_stack") }
	END { for (i = 1; i <= n; i++) print key[i], user[i] == "0x0" ? "-" : name[user[i]], kernel[i] == "0x0" ? "-" : name[kernel[i]] }' dump.txt >ours
head -n 2 ours
[ "$(wc -l <ours)" = $JOBS ] || fail "$(wc -l <ours) stacks of $JOBS jobs"

# A stack is right or not known; the trace says how many are not known.
not_known()	# of the definitions on standard input: how many their statistics count
{
	echo $(($(sed -n 's,.* STATS .*kernel_stacks_no_room=\([0-9]*\)\\nuser_stacks_no_room=\([0-9]*\)\\nkernel_stacks_not_read=\([0-9]*\)\\nuser_stacks_not_read=\([0-9]*\)\\nstacks_raced=\([0-9]*\).*,\1 + \2 + \3 + \4 + \5,p')))
}
unknown=$(not_known <dump.txt)

# The process: below main the functions of the source; above it those of the C library, if any.
awk '{ sub(/^.*main;/, "main;", $2); print $1, $2 }' ours >ours.user
# The kernel: what ftrace saw at the same events, its own functions left out.
awk '
	function out() { if (is_open) print stack; is_open = 0 }
	/<stack trace>/ { out(); stack = ""; is_open = 1; next }
	is_open && /^ => / { if ($2 !~ /^(trace_event_|__traceiter_|__bpf_trace_|bpf_|perf_trace_|ftrace_|event_trigger)/) stack = $2 "_[k]" (stack == "" ? "" : ";" stack); next }
	{ out() }
	END { out() }' trace >theirs.all
[ "$(wc -l <theirs.all)" = $JOBS ] || fail "ftrace saw $(wc -l <theirs.all) stacks: $(head -n 40 trace)"
awk '{ print $1 }' jobs.txt | paste -d ' ' - theirs.all >theirs.kernel
awk '{ print $1, $3 }' ours >ours.kernel

# agree WHAT OURS THEIRS: lines "KEY functions"; how many of ours are not known is added to $missing
missing=0
agree()
{
	awk 'NR == FNR { want[$1] = $2; next }
		$2 == "-" { unknown++; next }
		{ known++ }
		$2 != want[$1] { bad++; if (bad < 4) print $1 ": " $2 ", not " want[$1] }
		END { print unknown + 0, known + 0; exit bad > 0 || known < 200 }' "$3" "$2" >agree || fail "the stacks of $1: $(cat agree)"
	echo "$1: $(awk '{ print $2 " stacks agree, " $1 " are not known" }' agree)"
	missing=$((missing + $(awk '{ print $1 }' agree)))
}
agree "the process" ours.user jobs.txt
agree "the kernel" ours.kernel theirs.kernel
expect_eq "stacks that are not known" "$missing" "$unknown"

# No address of the kernel is in the trace: 0xffff8... or higher, as eight bytes.
if od -A n -v -t x8 t.grt | tr -s ' ' '\n' | grep -E '^ffff[89a-f]' | grep -v '^f*$' >pointers; then
	fail "addresses of the kernel: $(head -n 3 pointers)"
fi

# The folded lines sum to the jobs.
for weight in jobs gpu wait; do
	grtrace report --stacks=$weight t.grt >folded.$weight || fail "report --stacks=$weight"
done
cat folded.jobs
expect_eq "the sum of jobs" "$(awk '{ n += $NF } END { print n }' folded.jobs)" $JOBS
for stack in 'main;draw_frame;call_kernel' 'main;copy_frame;upload;call_kernel'; do
	grep -qE ";$stack;(entry_|el0t_64_sync_)" folded.jobs || fail "no line of $stack"
done
awk '{ n += $NF } END { exit !n }' folded.gpu || fail "no GPU time"
key=$(awk 'NR % 2 == 0 && $2 != "-" { print $1; exit }' ours)
grtrace report --why "$key" --steps t.grt >why || fail "report --why $key"
grep -q 'submitted .*in call_kernel < upload < copy_frame < main' why || fail "$(cat why)"

# Without --stacks there are none; one kind is only that kind.
grtrace record --source=bpf -q -o plain.grt -- stacks 10 >/dev/null || fail "record without stacks"
grtrace dump -d plain.grt >dump.txt || fail "dump"
if grep " STACK" dump.txt; then fail "stacks that nobody asked for"; fi
grtrace record --source=bpf --stacks=user -q -o user.grt -- stacks 10 >/dev/null || fail "record --stacks=user"
grtrace report --stacks=jobs user.grt >folded || fail "report of user stacks"
if grep '_\[k\]' folded; then fail "functions of the kernel"; fi
grep -q "main;draw_frame;call_kernel [1-9]" folded || fail "user stacks: $(cat folded)"
expect_eq "jobs of user stacks" "$(awk '{ n += $NF } END { print n }' folded)" 10
grtrace record --source=bpf --stacks=kernel -q -o kernel.grt -- stacks 10 >/dev/null || fail "record --stacks=kernel"
grtrace report --stacks=jobs kernel.grt >folded || fail "report of kernel stacks"
grep -qE '^stacks;[^ ]*(do_syscall_64|el0_svc)_\[k\];[^ ]*drm_sched_entity_push_job_\[k\] [1-9]' folded || fail "kernel stacks: $(cat folded)"
expect_eq "jobs of kernel stacks" "$(awk '{ n += $NF } END { print n }' folded)" 10

# With a choice of jobs, and in each of several files.
grtrace record --source=bpf --stacks=user -F -q -o own.grt -- stacks 10 >/dev/null || fail "record -F"
grtrace report --stacks=jobs own.grt >folded || fail "report of a command's stacks"
known=$(awk '/;main;/ { n += $NF } END { print n + 0 }' folded)
[ "$known" -ge 5 ] || fail "only $known of ten call stacks are known: $(cat folded)"
expect_eq "jobs of the command" $((known + $(grtrace dump -d own.grt | not_known))) 10
grtrace record --source=bpf --stacks=kernel,user --rotate 64K -q -o part.grt -- stacks 1500 >/dev/null || fail "record --rotate"
[ -e part-0002.grt ] || fail "there is one file only"
for part in part-*.grt; do
	grtrace verify "$part" >verify.txt || fail "$part: $(grep FAILED verify.txt)"
	grep -q '^ok  *stacks ' verify.txt || fail "$part: $(cat verify.txt)"
done
