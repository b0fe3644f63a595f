#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: ftrace in the same boot saw the same events: same jobs, dependencies, processes, order per ring, counts
# requires: mock grtrace
# timeout: 300
# kernels: 6.1 7.x
#
# A wait_dep event names its job by ring and id only, which its SUBMIT tells too.
JOBS=1500

sched=$TRACEFS/events/gpu_scheduler
if [ -d "$sched/drm_sched_job_queue" ]; then
	dependencies="DECLARED BLOCKED"
elif [ -d "$sched/drm_sched_job" ]; then
	dependencies=POPPED
else
	fail "the scheduler of this kernel has events under names that nobody knows"
fi

# Lines "TYPE ring|ctx|job key [more]" in time order, from ftrace ...  The first
# reading learns which fences are jobs: of these a "scheduled" fence, whose context is
# the one before, counts as its job.
ftrace_events()
{
	awk '
	function value(name,    at) {
		at = match($0, " " name "=[^ ,]*")
		if (!at)
			return ""
		at = substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2)
		gsub(/"/, "", at)
		return at
	}
	function key() { return is_stable ? value("fence") : value("ctx") ":" value("seqno") }
	function ctx_of(key,    part) { split(key, part, ":"); return part[1] }
	function learn() {
		ring_of[key()] = value(is_stable ? "ring" : "name")
		job_of[value("name") " " value("id")] = key()
		is_ours[ctx_of(key())] = 1
	}
	function submit(    tgid) {
		match($0, /\( *[0-9]+\) \[/)
		tgid = substr($0, RSTART + 1, RLENGTH - 4) + 0
		print "SUBMIT", ctx_of(key()), key(), tgid
	}
	function depends(kind, job, dep,    part) {
		split(dep, part, ":")
		if (!(part[1] in is_ours) && (part[1] + 1) in is_ours)
			part[1]++
		print kind, job, job, part[1] ":" part[2]
	}
	/ drm_sched_job_queue: /	 { is_stable = 1 }
	/ (submit|drm_sched_job_queue): / { if (NR == FNR) learn(); else submit() }
	NR == FNR { next }
	/ (commit|drm_sched_job_run): /	 { print "COMMIT", ring_of[key()], key() }
	/ (end|drm_sched_job_done): /	 { print "END", ring_of[key()], key() }
	/ drm_sched_job_add_dep: /	 { sub(/.*=/, "", $NF); depends("DECLARED", key(), $NF) }
	/ drm_sched_job_unschedulable: / { sub(/.*=/, "", $NF); depends("BLOCKED", key(), $NF) }
	/ dep: / { depends("POPPED", job_of[value("name") " " value("id")], value("dctx") ":" value("dseqno")) }
	/ dma_fence_signaled: / && value("context") in is_ours {
		done = value("context") ":" value("seqno")
		print "COMPLETE", ring_of[done], done
	}' "$CASE_TMP/trace" "$CASE_TMP/trace"
}

# ... and from grtrace.
our_events()
{
	awk -F, -v kinds="$dependencies" '
	BEGIN { split(kinds, kind_names, " ") }
	FNR == 1 { file++; for (i = 1; i <= NF; i++) at[$i] = i; next }
	function col(name) { return $at[name] }
	function key() { return col("ctx") ":" col("seqno") }
	function kind(    i) {
		for (i = 1; i in kind_names; i++)
			if (("|" col("flags") "|") ~ ("[|]" kind_names[i] "[|]"))
				return kind_names[i]
		return "DEPENDENCY"
	}
	file == 1 { name[col("ring")] = col("name"); next }
	col("type") == "SUBMIT" { print "SUBMIT", col("ctx"), key(), col("tgid") }
	col("type") == "DEPENDENCY" { print kind(), key(), key(), col("dep_ctx") ":" col("dep_seqno") }
	col("type") ~ /^(COMMIT|END|COMPLETE)$/ { print col("type"), name[col("ring")], key() }
	' "$GRT_DIR/rings" "$CASE_TMP/ours.csv"
}

same()
{
	if ! diff "$CASE_TMP/$1.ftrace" "$CASE_TMP/$1.ours" >"$CASE_TMP/diff"; then
		head -n 20 "$CASE_TMP/diff"
		fail "ftrace (-) and grtrace (+) differ in: $2"
	fi
}

# enough TYPE...: ftrace saw enough events for a meaningful comparison; $count is their number
enough()
{
	count=0
	for kind; do
		of_kind=$(grep -c "^$kind " "$CASE_TMP/all.ftrace")
		[ "$of_kind" -ge 100 ] || fail "only $of_kind $kind, so this run proves nothing"
		count=$((count + of_kind))
	done
}

trap sched_ftrace_undo EXIT
sched_ftrace_begin 16384
session_start buffer_size=4M
workload --scenario mixed --jobs $JOBS --processes 4 --seed 7 >"$CASE_TMP/workload" 2>&1 ||
	fail "workload: $(cat "$CASE_TMP/workload")"
session_stop
ftrace_stop
cat "$GRT_DIR/events_by_type" >"$CASE_TMP/by_type"
expect_stat lost_events 0

for stream in "$GRT_DIR"/events[0-9]*; do
	cat "$stream" >"$CASE_TMP/${stream##*/}"
done
grtrace dump --format csv "$CASE_TMP"/events[0-9]* >"$CASE_TMP/ours.csv" || fail "dump failed"

ftrace_events >"$CASE_TMP/all.ftrace"
our_events >"$CASE_TMP/all.ours"
for who in ftrace ours; do
	# Each event, whatever its time: nothing missing, nothing extra, nothing twice.
	sort "$CASE_TMP/all.$who" >"$CASE_TMP/set.$who"
	# In time order within a ring (or context, or job): -s keeps equal lines in it.
	sort -s -k 1,2 "$CASE_TMP/all.$who" >"$CASE_TMP/order.$who"
done
same set "the set of events"
same order "the order within a ring, a context or a job's dependencies"

for type in SUBMIT DEPENDENCY COMMIT END COMPLETE; do
	case $type in
	DEPENDENCY) # shellcheck disable=SC2086	# a list
		enough $dependencies ;;
	*)	enough $type ;;
	esac
	seen=$(sed -n "s/^[0-9]*,$type,\([0-9]*\),.*/\1/p" "$CASE_TMP/by_type")
	expect_eq "$type seen" "$seen" "$count"
	echo "$type: $count seen by ftrace, $seen by grtrace"
done
expect_eq "SUBMIT" "$(grep -c '^SUBMIT ' "$CASE_TMP/all.ours")" $JOBS
