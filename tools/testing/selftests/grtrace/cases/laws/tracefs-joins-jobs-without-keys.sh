#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: where tracefs takes no probes, jobs are still told apart: on old kernels by addresses, and each event says so
# requires: mock grtrace
# kernels: 6.1
cd "$CASE_TMP" || exit

# A file that nobody can write to, where probes are defined.
undo_mount() { umount "$TRACEFS/dynamic_events"; }
: >empty
mount --bind empty "$TRACEFS/dynamic_events"
trap undo_mount EXIT
mount -o remount,bind,ro "$TRACEFS/dynamic_events" || mount -o remount,ro,bind empty "$TRACEFS/dynamic_events"
if echo x >>"$TRACEFS/dynamic_events"; then
	fail "probes can still be defined"
fi

grtrace record --source=tracefs -o plain.grt -- workload --scenario mixed --jobs 300 --processes 3 >workload.txt 2>words
cat words
grtrace verify plain.grt
grtrace report plain.grt
grtrace dump --format csv plain.grt | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ type = $at["type"]; key = $at["ctx"] ":" $at["seqno"] }
	type ~ /^(SUBMIT|COMMIT|END|COMPLETE)$/ { count[type]++; if (seen[type, key]++) bad = bad " two " type " of " key }
	type == "SUBMIT" { inferred += $at["flags"] ~ /KEY_INFERRED/; tgids[$at["tgid"]] = 1 }
	type == "COMPLETE" && !(("SUBMIT", key) in seen) { lonely++ }
	END {
		for (tgid in tgids) processes++
		print count["SUBMIT"], count["COMMIT"], count["END"], count["COMPLETE"], inferred + 0, lonely + 0, processes, bad
	}' >counts
cat counts
read -r submits commits ends completes inferred lonely processes bad <counts
expect_eq "SUBMIT, COMMIT and END" "$submits $commits $ends" "300 300 300"
expect_eq "processes" "$processes" 3
expect_eq "twice" "$bad" ""
if [ -d "$TRACEFS/events/gpu_scheduler/drm_sched_job_queue" ]; then
	expect_eq "inferred keys, where events have them" "$inferred $lonely $completes" "0 0 300"
else
	expect_eq "inferred keys" "$inferred" 300
	grep -q "keys are inferred" words || fail "nobody said so"
	# A thread that is moved to another CPU between the two events leaves a job without its end.
	[ "$lonely" -le 3 ] || fail "$lonely ends belong to no job"
	[ "$completes" -ge 297 ] || fail "$completes jobs have an end"
fi
