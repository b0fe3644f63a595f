#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: ftrace in the same boot saw the same events: same jobs, dependencies, processes, order per ring, counts
# requires: mock grtrace
# timeout: 300
#
# Before 6.17 the scheduler's own events print pointers.  Event probes read the key
# behind them: offsets 32, 40 and 60 are struct dma_fence's context, seqno and error.
# A wait_dep event names its job by ring and id only, which its SUBMIT tells too.
JOBS=1500

sched=$TRACEFS/events/gpu_scheduler
[ -d "$sched/drm_sched_job" ] || skip "this kernel has no event drm_sched_job"

probe() { echo "$1" >>"$TRACEFS/dynamic_events" || fail "ftrace refused: $1"; }

undo_ftrace()
{
	echo 0 >"$TRACEFS/tracing_on"
	echo 0 >"$TRACEFS/events/enable"
	echo 0 >"$TRACEFS/options/record-tgid"
	for name in submit commit end dep; do
		echo "-:grt/$name" >>"$TRACEFS/dynamic_events"
	done
	echo >"$TRACEFS/trace"
}

begin_ftrace()
{
	trap undo_ftrace EXIT
	echo 0 >"$TRACEFS/tracing_on"
	echo mono >"$TRACEFS/trace_clock"
	echo 16384 >"$TRACEFS/buffer_size_kb"
	echo 1 >"$TRACEFS/options/record-tgid"
	# shellcheck disable=SC2016	# the dollars are ftrace's
	{
		probe 'e:grt/submit gpu_scheduler.drm_sched_job ctx=+32($fence):u64 seqno=+40($fence):u64 id=$id:u64 name=$name:string'
		probe 'e:grt/commit gpu_scheduler.drm_run_job ctx=+32($fence):u64 seqno=+40($fence):u64 name=$name:string'
		probe 'e:grt/end gpu_scheduler.drm_sched_process_job ctx=+32($fence):u64 seqno=+40($fence):u64'
		probe 'e:grt/dep gpu_scheduler.drm_sched_job_wait_dep id=$id:u64 name=$name:string dctx=$ctx:u64 dseqno=$seqno:u32'
	}
	echo 1 >"$TRACEFS/events/grt/enable"
	echo 1 >"$TRACEFS/events/dma_fence/dma_fence_signaled/enable"
	echo >"$TRACEFS/trace"
	echo 1 >"$TRACEFS/tracing_on"
}

# Lines "TYPE ring|ctx key [more]" in time order, from ftrace ...
ftrace_events()
{
	awk '
	function value(name,    at) {
		at = match($0, " " name "=[^ ]*")
		if (!at)
			return ""
		at = substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2)
		gsub(/"/, "", at)
		return at
	}
	function key() { return value("ctx") ":" value("seqno") }
	/ submit: / {
		match($0, /\( *[0-9]+\) \[/)
		tgid = substr($0, RSTART + 1, RLENGTH - 4) + 0
		ring_of[key()] = value("name")
		job_of[value("name") " " value("id")] = key()
		is_ours[value("ctx")] = 1
		print "SUBMIT", value("ctx"), key(), tgid
	}
	/ commit: / { print "COMMIT", ring_of[key()], key() }
	/ end: / { print "END", ring_of[key()], key() }
	/ dep: / {
		job = job_of[value("name") " " value("id")]
		print "DEPENDENCY", job, job, value("dctx") ":" value("dseqno")
	}
	/ dma_fence_signaled: / && value("context") in is_ours {
		key_ = value("context") ":" value("seqno")
		print "COMPLETE", ring_of[key_], key_
	}' "$CASE_TMP/trace"
}

# ... and from grtrace.
our_events()
{
	awk -F, '
	FNR == 1 { file++; for (i = 1; i <= NF; i++) at[$i] = i; next }
	function col(name) { return $at[name] }
	function key() { return col("ctx") ":" col("seqno") }
	file == 1 { name[col("ring")] = col("name"); next }
	col("type") == "SUBMIT" { print "SUBMIT", col("ctx"), key(), col("tgid") }
	col("type") == "DEPENDENCY" { print "DEPENDENCY", key(), key(), col("dep_ctx") ":" col("dep_seqno") }
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

begin_ftrace
session_start buffer_size=4M
workload --scenario mixed --jobs $JOBS --processes 4 --seed 7 >"$CASE_TMP/workload" 2>&1 ||
	fail "workload: $(cat "$CASE_TMP/workload")"
session_stop
echo 0 >"$TRACEFS/tracing_on"
cat "$TRACEFS/trace" >"$CASE_TMP/trace"
grep -h -E '^(overrun|dropped events): [1-9]' "$TRACEFS"/per_cpu/cpu*/stats &&
	fail "ftrace lost events, so this run proves nothing"
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
	count=$(grep -c "^$type " "$CASE_TMP/all.ftrace")
	[ "$count" -ge 100 ] || fail "only $count $type, so this run proves nothing"
	seen=$(sed -n "s/^[0-9]*,$type,\([0-9]*\),.*/\1/p" "$CASE_TMP/by_type")
	expect_eq "$type seen" "$seen" "$count"
	echo "$type: $count seen by ftrace, $seen by grtrace"
done
expect_eq "SUBMIT" "$(grep -c '^SUBMIT ' "$CASE_TMP/all.ours")" $JOBS
