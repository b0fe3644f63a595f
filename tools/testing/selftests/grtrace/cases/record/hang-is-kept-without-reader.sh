#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: with mode=overwrite a hang keeps the events before it, although nobody reads: the last 1,000 that ftrace saw; recording goes on, and the next hang is kept after a release
# kernels: 6.1 7.x
# requires: mock grtrace
# timeout: 400
JOBS=3000	# half of them before the hang: more than the buffers hold
LAST=1000

trap sched_ftrace_undo EXIT

# ftrace_events: "NS TYPE CTX:SEQNO" of jobs, in the order of time
ftrace_events()
{
	awk '
	function value(name,    at) {
		at = match($0, " " name "=[^ ,]*")
		return at ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : ""
	}
	function key() { return is_stable ? value("fence") : value("ctx") ":" value("seqno") }
	function print_as(type, key,    at) {
		at = match($0, /[0-9]+[.][0-9][0-9][0-9][0-9][0-9][0-9]: /)
		split(substr($0, RSTART, RLENGTH - 2), time, ".")
		printf "%d%s000 %s %s\n", time[1], time[2], type, key
	}
	/ drm_sched_job_queue: /	  { is_stable = 1 }
	/ (submit|drm_sched_job_queue): / { split(key(), part, ":"); is_ours[part[1]] = 1; print_as("SUBMIT", key()) }
	/ (commit|drm_sched_job_run): /	  { print_as("COMMIT", key()) }
	/ (end|drm_sched_job_done): /	  { print_as("END", key()) }
	/ dma_fence_signaled: / && value("context") in is_ours {
		print_as("COMPLETE", value("context") ":" value("seqno"))
	}' "$CASE_TMP/trace"
}

# our_events NAME: the same of a snapshot
our_events()
{
	awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] ~ /^(SUBMIT|COMMIT|END|COMPLETE)$/ {
		print $at["ts"], $at["type"], $at["ctx"] ":" $at["seqno"] }' "$CASE_TMP/$1.csv"
}

# between FROM_NS TO_NS: of "NS ..." on stdin, without the time, sorted
between() { awk -v from="$1" -v to="$2" '$1 >= from && $1 < to { $1 = ""; print }' | sort; }

# only_in FILE OTHER: lines of the first that are not in the second
only_in() { awk 'NR == FNR { is_there[$0] = 1; next } !($0 in is_there)' "$2" "$1"; }

# error_of NAME COLUMN: of its last TIMEOUT
error_of()
{
	awk -F, -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "ERROR" && $at["code"] == "TIMEOUT" { found = $at[name] }
		END { print found }' "$CASE_TMP/$1.csv"
}

# expect_names_job NAME: the SNAPSHOT record names the job of the TIMEOUT
expect_names_job()
{
	expect_eq "trigger of '$1'" "$(snapshot_told "$1" trigger)" ERROR
	[ "$(error_of "$1" ctx)" -gt 0 ] || fail "no TIMEOUT of a job in '$1'"
	expect_eq "job of '$1'" "$(snapshot_told "$1" ctx):$(snapshot_told "$1" seqno)" \
		"$(error_of "$1" ctx):$(error_of "$1" seqno)"
	expect_eq "detail of '$1'" "$(snapshot_told "$1" detail)" 1	# TIMEOUT
}

hang()
{
	workload --scenario hang --jobs "$1" >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
}

sched_ftrace_begin 8192
session_start mode=overwrite snapshot_on=all buffer_size=128K
if ! grep -q '^kprobe.drm_sched_stop=attached' "$GRT_DIR/metadata"; then
	! echo 'p:grt_try drm_sched_stop' >"$TRACEFS/kprobe_events" || fail "no kprobe on the scheduler"
	skip "this kernel refuses kprobes on the scheduler"
fi
hang $JOBS
ftrace_stop
wait_for 10 snapshot_is held
expect_stat state running
expect_stat snapshots_taken 1
# The reset comes while it is held.
[ "$(stat snapshots_missed)" -ge 1 ] || fail "the reset was not counted"

save_snapshot first
check_snapshot first
expect_names_job first
expect_eq missed "$(snapshot_told first missed)" 0
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["cseq"] > 1 && !($at["cpu"] in seen) { seen[$at["cpu"]] = $at["cseq"] }
	END { for (cpu in seen) if (seen[cpu] > 2) late++; exit !late }' "$CASE_TMP/first.csv" ||
	fail "nothing was overwritten, so this run proves nothing"

# Stamps of the two differ by some us: leave out 1 ms at the hang, and at the other end compare only one way.
end=$(($(error_of first ts) - 1000000))
ftrace_events >"$CASE_TMP/ftrace"
our_events first >"$CASE_TMP/ours"
awk -v end=$end '$1 < end' "$CASE_TMP/ftrace" | tail -n $LAST >"$CASE_TMP/last"
[ "$(wc -l <"$CASE_TMP/last")" -eq $LAST ] || fail "ftrace saw only $(wc -l <"$CASE_TMP/last") events, so this run proves nothing"
begin=$(head -n 1 "$CASE_TMP/last" | cut -d ' ' -f 1)
between "$begin" "$end" <"$CASE_TMP/ftrace" >"$CASE_TMP/want"
between $((begin - 1000000)) $((end + 1000000)) <"$CASE_TMP/ours" >"$CASE_TMP/wide"
between $((begin + 1000000)) $((end - 1000000)) <"$CASE_TMP/ours" >"$CASE_TMP/narrow"
uniq -d "$CASE_TMP/wide" >"$CASE_TMP/twice"
[ ! -s "$CASE_TMP/twice" ] || fail "in the snapshot twice: $(head -n 3 "$CASE_TMP/twice")"
only_in "$CASE_TMP/want" "$CASE_TMP/wide" >"$CASE_TMP/missing"
[ ! -s "$CASE_TMP/missing" ] || fail "$(wc -l <"$CASE_TMP/missing") of the last $LAST events are missing: $(head -n 3 "$CASE_TMP/missing")"
only_in "$CASE_TMP/narrow" "$CASE_TMP/want" >"$CASE_TMP/extra"
[ ! -s "$CASE_TMP/extra" ] || fail "ftrace did not see: $(head -n 3 "$CASE_TMP/extra")"

# Recording went on: the events after the hang are in the other buffers.  A second hang is not kept
# while the first is held, but after a release.
seen=$(stat seen)
missed=$(stat snapshots_missed)
hang 60
[ "$(stat seen)" -gt "$seen" ] || fail "no event was seen after the hang"
[ "$(stat snapshots_missed)" -gt "$missed" ] || fail "the second hang was not counted"
expect_stat snapshots_taken 1
missed=$(stat snapshots_missed)
ctl release
expect_stat snapshot none
hang 60
wait_for 10 snapshot_is held
save_snapshot second
check_snapshot second
expect_names_job second
expect_eq "number of the second" "$(snapshot_told second number)" 2
expect_eq missed "$(snapshot_told second missed)" "$missed"
[ "$(error_of first ctx):$(error_of first seqno)" != "$(error_of second ctx):$(error_of second seqno)" ] ||
	fail "both snapshots are of one hang"
session_stop
session_reset

# Which events keep a snapshot.
config snapshot_on=none
session_start
hang 60
workload --scenario batch --jobs 60 --faults 6 >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
[ "$(sed -n 's/^[0-9]*,ERROR,\([0-9]*\),.*/\1/p' "$GRT_DIR/events_by_type")" -ge 3 ] || fail "there was no hang, so this run proves nothing"
expect_stat snapshot none
expect_stat snapshots_missed 0
config snapshot_on=error
workload --scenario batch --jobs 60 --faults 6 >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
expect_stat snapshot none
config snapshot_on=status
emit complete 7 gfx 900 1 status=-3	# ESRCH: killed with its process
emit complete 7 gfx 900 2 status=-125	# ECANCELED
emit complete 7 gfx 900 3
# Killed jobs leave a fence behind in 6.1, and a debug kernel tells of it.
if [ "${CASE_SLOWNESS:-1}" -lt 8 ]; then
	workload --script "$0/../scenarios/killed-in-the-queue.txt" --unit-ms 400 >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
fi
expect_stat snapshot none
expect_stat snapshots_missed 0
workload --scenario batch --jobs 60 --faults 6 >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
wait_for 10 snapshot_is held
save_snapshot status
check_snapshot status
expect_eq trigger "$(snapshot_told status trigger)" STATUS
[ "$(snapshot_told status detail)" -lt 0 ] || fail "detail is $(snapshot_told status detail), not the errno"
