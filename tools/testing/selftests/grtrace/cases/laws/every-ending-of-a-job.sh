#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: done, failed, refused, not run, hung, killed, destroyed: each job has one SUBMIT and one COMPLETE, at most one COMMIT and END, and the right status
# requires: mock grtrace mock-test
# debug: no, for jobs that are killed the scheduler of 6.1 keeps a fence for ever (drm_sched_entity_kill_jobs), and kmemleak tells
# kernels: 6.1 7.x
JOBS=420

# ended FILE: checks the invariants of all jobs in this trace, and writes its jobs as CSV
ended()
{
	expect_status 0 grtrace verify -s 1s "$1"
	grtrace dump --format csv "$1" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ type = $at["type"]; key = $at["ctx"] ":" $at["seqno"] }
		type !~ /^(SUBMIT|COMMIT|START|END|COMPLETE)$/ { next }
		{ count[type, key]++; keys[key] = 1 }
		END {
			for (key in keys) {
				if (count["SUBMIT", key] != 1 || count["COMPLETE", key] != 1 ||
				    count["COMMIT", key] > 1 || count["START", key] > 1 || count["END", key] > 1 ||
				    count["END", key] != count["COMMIT", key]) {
					print key ": SUBMIT " count["SUBMIT", key] " COMMIT " count["COMMIT", key] \
						" END " count["END", key] " COMPLETE " count["COMPLETE", key]
					bad = 1
				}
				jobs++
			}
			print jobs " jobs, each with one beginning and one end"
			exit bad || !jobs
		}' || fail "the lives of jobs in $1 are not whole"
	grtrace report --all --jobs --format csv "$1" >"$CASE_TMP/jobs.csv"
}

all_complete()
{
	sed -n 's/^[0-9]*,\(SUBMIT\|COMPLETE\),\([0-9]*\),.*/\2/p' "$GRT_DIR/events_by_type" | uniq | wc -l | grep -qx 1
}

seen() { sed -n "s/^[0-9]*,$1,\([0-9]*\),.*/\1/p" "$GRT_DIR/events_by_type"; }

# More jobs than the scheduler can finish in the second it gives them.
many_are_queued() { [ $(($(seen SUBMIT) - $(seen COMMIT))) -gt 800 ]; }

finish_trace() { session_stop; expect_stat lost_events 0; cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/$1"; ended "$CASE_TMP/$1"; }

# 1. The trace agrees with the program, job by job.
session_start buffer_size=4M
workload --scenario hang --jobs $JOBS --faults 6 --csv "$CASE_TMP/seen.csv" >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
finish_trace faults
awk -F, '
	FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
	{ key = $at[file, "ctx"] ":" $at[file, "seqno"]; status = $at[file, "status"] }
	file == 1 { want[key] = status; next }
	{
		if (!(key in want)) { print key " was never submitted"; bad = 1 }
		else if (status != want[key]) { print key ": status " status ", the program saw " want[key]; bad = 1 }
		kinds[status]++
		if ($at[file, "flags"] ~ /no_hw/) kinds["no_hw"]++
		jobs++
	}
	END {
		for (kind in kinds) printf "status %s: %d  ", kind, kinds[kind]
		print ""
		exit bad || jobs != total || !kinds[-5] || !kinds[-22] || kinds[-62] != 1 || !kinds["no_hw"]
	}' total=$JOBS "$CASE_TMP/seen.csv" "$CASE_TMP/jobs.csv" || fail "statuses differ, or a kind of ending did not come up"

# 2. Processes killed with jobs queued and running.
session_start
# A queue that goes on is given a second by the scheduler: these wait for each other.
workload --scenario chain --jobs 3000 --processes 3 >/dev/null 2>&1 &
load=$!
wait_for 20 many_are_queued
kill -9 $load
wait $load 2>/dev/null || :
wait_for 60 all_complete
finish_trace killed
killed=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["flags"] ~ /killed/ {
		count++
		if ($at["status"] != -3 || $at["commit_ns"] != "" || $at["t_exec_ns"] != "") exit 1
		if ($at["total_ns"] == "") exit 1
	}
	END { print count + 0 }' "$CASE_TMP/jobs.csv") || fail "a killed job has stages, no total, or the wrong status"
[ "$killed" -gt 0 ] || fail "no job was killed before it ran, so this run proves nothing"
echo "$killed jobs killed before they ran"

# 3. Contexts destroyed, rings reset by hand, and all else that the mock's own test does.
session_start
mock-test >"$CASE_TMP/mock-test" || fail "$(grep '^not ok' "$CASE_TMP/mock-test")"
wait_for 60 all_complete
finish_trace mock-test
