#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a fence of no job that holds up a job is recorded, with its end and status, even if it is over already; other fences are not
# requires: mock grtrace
# kernels: 6.1 7.x
#
# Truths: the program, which made and signalled the fences, and ftrace in the same
# boot, which knows whether the scheduler looked at a fence before its end.  The mock
# calls the timeline of these fences 'foreign', and gives each a context of its own.
JOBS=300

# Up to 6.16: when the scheduler looks at a fence.  Since: at the submit, and when it blocks.
if [ -d "$TRACEFS/events/gpu_scheduler/drm_sched_job_wait_dep" ]; then
	events=gpu_scheduler/drm_sched_job_wait_dep
else
	events="gpu_scheduler/drm_sched_job_add_dep gpu_scheduler/drm_sched_job_unschedulable"
fi

# Lines "DEPENDENCY ctx:seqno flags" and "FENCE_SIGNALED ctx:seqno when", from ftrace.  What
# was over before a job depended on it is told then.  Since 6.17 the name of the fence is
# the last word, fence=ctx:seqno.
ftrace_events()
{
	awk '
	function value(name) {
		if (!match($0, " " name "=[0-9]+"))
			return ""
		return substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2)
	}
	function depends(seqno, kind, other) {
		is_named[ctx] = 1
		print "DEPENDENCY", ctx ":" seqno, kind (ctx in is_over ? "|SIGNALED" : other) "|FOREIGN"
		if (ctx in is_over)
			print "FENCE_SIGNALED", ctx ":" seqno, "before"
	}
	{ ctx = value("context") }
	/ drm_sched_job_(add_dep|unschedulable): / { split($NF, last, /[=:]/); ctx = last[2] }
	/ dma_fence_init: / && / timeline=foreign / { is_foreign[ctx] = 1 }
	!(ctx in is_foreign) { next }
	/ drm_sched_job_wait_dep: / { depends(value("seq"), "POPPED", "|BLOCKED") }
	/ drm_sched_job_add_dep: / { depends(last[3], "DECLARED", "") }
	/ drm_sched_job_unschedulable: / { print "DEPENDENCY", ctx ":" last[3], "BLOCKED|FOREIGN" }
	/ dma_fence_signaled: / {
		is_over[ctx] = 1
		if (ctx in is_named)
			print "FENCE_SIGNALED", ctx ":" value("seqno"), "now"
	}' "$CASE_TMP/trace"
}

# ... and from grtrace.  Another case checks dependencies on jobs.
our_events()
{
	awk -F, '
	FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
	file == 1 { is_job[$at[1, "ctx"]] = 1; next }
	{ type = $at[2, "type"]; dep = $at[2, "dep_ctx"] }
	type == "DEPENDENCY" && !(dep in is_job) {
		print type, dep ":" $at[2, "dep_seqno"], $at[2, "flags"]
	}
	type == "FENCE_SIGNALED" {
		print type, $at[2, "ctx"] ":" $at[2, "seqno"], ($at[2, "signaled_ns"] > 0 ? "before" : "now")
	}
	' "$CASE_TMP/jobs.csv" "$CASE_TMP/ours.csv"
}

# The program says which job needed which fence, and with what it was signalled:
# "ctx:seqno:status:time".  Prints what grtrace, in time order, tells otherwise.
contradictions()
{
	awk -F, '
	function bad(what) { print what }
	FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
	function key(ctx, seqno) { return $at[2, ctx] ":" $at[2, seqno] }
	# A fence that was over when it was recorded ended before the submit, or after it.
	function is_early(fence) { return $at[2, "signaled_ns"] < submit_ns[job_of[fence]] }
	file == 1 {
		job = $at[1, "ctx"] ":" $at[1, "seqno"]
		for (i = split($at[1, "foreign"], fences, " "); i; i--) {
			split(fences[i], part, ":")
			fence = part[1] ":" part[2]
			job_of[fence] = job
			status[fence] = part[3]
			time[fence] = part[4]
		}
		next
	}
	$at[2, "type"] == "SUBMIT" { submit_ns[key("ctx", "seqno")] = $at[2, "ts"] }
	$at[2, "type"] == "DEPENDENCY" {
		job = key("ctx", "seqno")
		if (!((fence = key("dep_ctx", "dep_seqno")) in job_of))
			next
		if (time[fence] == "unused" || job_of[fence] != job ||
		    ($at[2, "flags"] ~ "POPPED|DECLARED" && dep_cnt[fence]++))
			bad("a job that did not ask for it depends on fence " fence ": " job)
		if (time[fence] == "early" && index($at[2, "flags"], "BLOCKED"))
			bad("fence " fence " was signalled before the submit, and blocks " job)
		if (index($at[2, "flags"], "BLOCKED"))
			blocked_by[job] = fence
		else if (index($at[2, "flags"], "SIGNALED") && !end_cnt[fence])
			bad("nothing told when fence " fence " was over, that did not block " job)
	}
	$at[2, "type"] == "FENCE_SIGNALED" {
		fence = key("ctx", "seqno")
		if (!(fence in job_of))
			bad("nobody signalled fence " fence)
		else if (!dep_cnt[fence] && !$at[2, "signaled_ns"])
			bad("nobody had depended on fence " fence)
		else if ($at[2, "signaled_ns"] > 0 && is_early(fence) != (time[fence] == "early") ||
			 $at[2, "signaled_ns"] >= $at[2, "ts"])
			bad("fence " fence " was " time[fence] ", not signalled at " $at[2, "signaled_ns"])
		else if ($at[2, "status"] != status[fence])
			bad("fence " fence " has status " $at[2, "status"] ", expected " status[fence])
		if (end_cnt[fence]++)
			bad("fence " fence " was signalled twice")
	}
	$at[2, "type"] == "COMMIT" {
		job = key("ctx", "seqno")
		if (job in blocked_by && !end_cnt[blocked_by[job]])
			bad("job " job " was committed before the end of fence " blocked_by[job])
		commit_cnt[job]++
	}
	END {
		for (fence in job_of) {
			if (time[fence] != "unused" && !dep_cnt[fence])
				bad("no DEPENDENCY on fence " fence " of job " job_of[fence])
			if (!commit_cnt[job_of[fence]])
				bad("no COMMIT of job " job_of[fence])
		}
	}' "$CASE_TMP/jobs.csv" "$CASE_TMP/ours.csv"
}

# expect_many WHAT COUNT: enough of each kind, or the run proves nothing
expect_many()
{
	echo "$1: $2"
	[ "$2" -ge $((JOBS / 10)) ] || fail "only $2 of: $1, so this run proves nothing"
}

trap ftrace_undo EXIT
# shellcheck disable=SC2086	# a list
ftrace_begin 4096 $events dma_fence/dma_fence_init dma_fence/dma_fence_signaled
session_start buffer_size=4M
workload --scenario foreign --jobs $JOBS --processes 2 --csv "$CASE_TMP/jobs.csv" \
	>"$CASE_TMP/workload" 2>&1 || fail "workload: $(cat "$CASE_TMP/workload")"
session_stop
ftrace_stop
expect_stat lost_events 0
seen=$(sed -n 's/^[0-9]*,FENCE_SIGNALED,\([0-9]*\),.*/\1/p' "$GRT_DIR/events_by_type")
for stream in "$GRT_DIR"/events[0-9]*; do
	cat "$stream" >"$CASE_TMP/${stream##*/}"
done
grtrace dump --format csv "$CASE_TMP"/events[0-9]* >"$CASE_TMP/ours.csv" || fail "dump failed"

ftrace_events | sort >"$CASE_TMP/ftrace"
our_events | sort >"$CASE_TMP/ours"
if ! diff "$CASE_TMP/ftrace" "$CASE_TMP/ours" >"$CASE_TMP/diff"; then
	head -n 20 "$CASE_TMP/diff"
	fail "ftrace (-) and grtrace (+) differ in foreign fences"
fi
contradictions >"$CASE_TMP/bad"
[ ! -s "$CASE_TMP/bad" ] || fail "$(head -n 20 "$CASE_TMP/bad")"

expect_eq "FENCE_SIGNALED seen" "$seen" "$(grep -c '^FENCE_SIGNALED ' "$CASE_TMP/ftrace" || :)"
expect_many "fences that jobs waited for" "$(grep -c '^FENCE_SIGNALED .* now$' "$CASE_TMP/ftrace" || :)"
expect_many "of these with an error" \
	"$(awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["type"] == "FENCE_SIGNALED" && $at["status"] < 0' "$CASE_TMP/ours.csv" | wc -l)"
expect_many "signalled before the job looked" "$(grep -c '^FENCE_SIGNALED .* before$' "$CASE_TMP/ftrace" || :)"
expect_many "that nobody needed" "$(grep -o ':unused' "$CASE_TMP/jobs.csv" | wc -l)"
