#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the file jobs lists the jobs that the mock holds, with stages and ages; no finished jobs, none while tracking is off, and a count of jobs that found no room
# kernels: 6.1
# requires: mock grtrace
MOCK=/sys/kernel/debug/grtrace_mock
JOBS=24 ROOM=16384 MANY=20000

worker=""
undo()
{
	echo 0 >"$MOCK/manual"
	[ -z "$worker" ] || wait "$worker" || :
}
trap undo EXIT

rows() { sed 1d "$GRT_DIR/jobs" | wc -l; }
# in_stage STAGE: the number of jobs in this stage
in_stage() { awk -F, -v stage="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["stage"] == stage { n++ } END { print n + 0 }' "$GRT_DIR/jobs"; }
# on_rings: jobs that the mock's rings hold
on_rings() { awk -F, 'NR > 1 { sum += $3 + $4 } END { print sum }' "$MOCK/rings"; }
in_flight() { echo $(($(column SUBMIT seen) - $(column COMPLETE seen))); }
now_ns() { awk '{ printf "%.0f\n", $1 * 1e9 }' /proc/uptime; }
expect_empty()
{
	expect_eq "$1: rows" "$(rows)" 0
	expect_stat jobs_in_flight 0
}

# hold COUNT: submits jobs that end only on command; the rings take some, the others wait
hold()
{
	echo 1 >"$MOCK/manual"
	workload --scenario batch --processes 1 --jobs "$1" >"$CASE_TMP/workload" 2>&1 &
	worker=$!
	wait_for 20 holds_still
}
holds_still()
{
	grt_was=$(in_flight)
	[ "$(on_rings)" -gt 0 ] || return 1
	[ "$grt_was" -gt "$(on_rings)" ] || return 1
	sleep 0.5
	[ "$(in_flight)" -eq "$grt_was" ]
}
# release: lets jobs end until the worker is done; it submits more as jobs end
release()
{
	echo 0 >"$MOCK/manual"
	wait "$worker" || fail "$(cat "$CASE_TMP/workload")"
	worker=""
}

session_start track_jobs=1
began=$(now_ns)
hold $JOBS
cp "$GRT_DIR/jobs" "$CASE_TMP/jobs"
expect_eq "jobs in the file" "$(rows)" "$(in_flight)"
expect_stat jobs_in_flight "$(rows)"
expect_eq "committed" "$(in_stage committed)" "$(on_rings)"
expect_eq "queued" "$(in_stage queued)" $(($(in_flight) - $(on_rings)))
[ "$(in_stage queued)" -gt 0 ] || fail "none waits, so this run proves nothing"
# an hour of one is not the other's: no age is longer than the session, nor does it shrink
awk -F, -v most=$(($(now_ns) - began + 1000000000)) '
	FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; file++; next }
	{ key = $at["ctx"] ":" $at["seqno"]; age = $at["age_ns"]; stage = $at["stage_ns"] }
	age > most && file == 1 || age <= 0 || stage > age || stage < 0 { print key ": age " age ", stage " stage; bad = 1 }
	$at["stage"] == "queued" && ($at["commit_ns"] != "" || stage != age) { print key " is queued since " stage " of " age; bad = 1 }
	$at["stage"] == "committed" && ($at["commit_ns"] == "" || $at["end_ns"] != "") { print key " is committed at " $at["commit_ns"]; bad = 1 }
	$at["name"] !~ /^(gfx|compute|copy)$/ || $at["tgid"] == 0 { print key " is on " $at["name"] " of " $at["tgid"]; bad = 1 }
	file == 1 { was[key] = age; next }
	{ if (!(key in was) || age <= was[key]) { print key " was " was[key] " ns old, now " age; bad = 1 } n++ }
	END { exit bad || !n }' "$CASE_TMP/jobs" "$GRT_DIR/jobs" || fail "the rows are wrong"

# One job ends: it leaves the list.
first=$(sed -n '/,committed,/{p;q;}' "$CASE_TMP/jobs" | cut -d, -f 3,4)
ring=$(sed -n '/,committed,/{p;q;}' "$CASE_TMP/jobs" | cut -d, -f 2)
[ -n "$first" ] || fail "no job is committed"
echo "$ring 1" >"$MOCK/advance"
is_less() { [ "$(column COMPLETE seen)" -ge 1 ] && holds_still; }
wait_for 20 is_less
expect_eq "jobs in the file" "$(rows)" "$(in_flight)"
release
session_stop
expect_eq "jobs that were over" "$(column COMPLETE seen)" $JOBS
expect_empty "after all were over"
expect_stat jobs_overflow 0

# Off: no job in flight is followed, and none stays in the list.
session_start track_jobs=0
hold $JOBS
expect_empty "while it is off"
config track_jobs=1		# from here on, which none of these is
expect_empty "jobs of before"
release
mock_run_jobs 5
config track_jobs=0
session_stop
expect_empty "when it was switched off"

# By hand: all stages, and more than there is room for.
session_start track_jobs=1
for seqno in 1 2 3 4; do emit submit 7 gfx 900 $seqno tgid=4711; done
for seqno in 2 3 4; do emit commit 7 gfx 900 $seqno; done
for seqno in 3 4; do emit start 7 gfx 900 $seqno; done
emit end 7 gfx 900 4
expect_eq "stages" "$(sed 1d "$GRT_DIR/jobs" | cut -d, -f 4,5,8 | sort | paste -s -d ' ')" \
	"1,4711,queued 2,4711,committed 3,4711,running 4,4711,ended"
config track_jobs=0
expect_empty "when it was switched off amid them"
config track_jobs=1
echo "submit 8 gfx 900 1 count=$MANY" >"$GRT_DIR/emit"
in_table=$(stat jobs_in_flight) overflow=$(stat jobs_overflow)
expect_eq "followed and not" $((in_table + overflow)) $MANY
{ [ "$overflow" -ge $((MANY - ROOM)) ] && [ "$in_table" -gt $((ROOM / 2)) ]; } ||
	fail "$in_table followed, $overflow not, there is room for $ROOM"
expect_eq "jobs in the file" "$(rows)" "$in_table"
echo "complete 8 gfx 900 1 count=$MANY" >"$GRT_DIR/emit"
expect_empty "when $MANY were over"
session_stop
