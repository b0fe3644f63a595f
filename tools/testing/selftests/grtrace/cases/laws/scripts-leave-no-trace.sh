#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a script that is wrong, fails or is interrupted says where and why, and the mock's knobs are as before
# kernels: 6.1
# requires: mock
MOCK=/sys/kernel/debug/grtrace_mock
trap 'echo 0 >$MOCK/manual' EXIT

# run_script LINE...: into $CASE_TMP/out
run_script() { printf '%s\n' "$@" >"$CASE_TMP/script"; workload --script "$CASE_TMP/script" --unit-ms 250 >"$CASE_TMP/out" 2>&1; }

# expect_script STATUS TEXT LINE...: ends so, and says so
expect_script()
{
	want=$1 text=$2 status=0
	shift 2
	run_script "$@" || status=$?
	cat "$CASE_TMP/out"
	expect_eq "exit status of: $*" "$status" "$want"
	grep -qF "$text" "$CASE_TMP/out" || fail "nothing says: $text"
	expect_eq "manual after: $*" "$(cat $MOCK/manual)" 0
}

job='submit A ctx=a ring=gfx'
expect_script 0 'A ' "$job" 'step 1' 'advance gfx 1'

# 1. A wrong script: nothing happens, and the error names the line.
jobs_before=$(wc -l <$MOCK/log)
expect_script 2 "script:2: 'stop' is no command" "$job" 'stop 1'
expect_script 2 "script:3: no job 'B'" "$job # a comment" '' 'submit C ctx=c ring=copy dep=B'
expect_script 2 "script:1: ring is 'gfy'" 'submit A ctx=a ring=gfy'
expect_script 2 "script:2: 'a' was another context so far" "$job" 'submit B ctx=a ring=copy'
expect_script 2 "script:3: 'a' was killed" "$job" 'kill a' 'submit B ctx=a ring=gfx'
expect_script 2 "script:2: there is more behind it" "$job" 'step 1 2'
expect_eq "jobs of wrong scripts" $(($(wc -l <$MOCK/log) - jobs_before)) 0

# 2. Refused by the mock, and not over at the end.
expect_script 1 "script:1: cannot submit 'A'" "$job credits=100"
expect_script 1 "the script ends, but not job 'A'" "$job" 'step 1'

# 3. A hang that no job took up hangs nobody else's job.
expect_script 0 'A ' "$job" 'step 1' 'advance gfx 1' 'hang gfx'
workload --scenario frame --jobs 8 >"$CASE_TMP/out" 2>&1 || fail "a job hung: $(cat "$CASE_TMP/out")"

# 4. Interrupted.
printf '%s\n' "$job" 'step 100' >"$CASE_TMP/script"
workload --script "$CASE_TMP/script" --unit-ms 1000 >"$CASE_TMP/out" 2>&1 &
load=$!
wait_for 20 grep -q 1 $MOCK/manual
kill -TERM $load
status=0
wait $load || status=$?
expect_eq "exit status of the interrupted" $status 1
grep -q 'script:[12]: interrupted' "$CASE_TMP/out" || fail "$(cat "$CASE_TMP/out")"
expect_eq "manual after it" "$(cat $MOCK/manual)" 0

# 5. Where it was on before, it stays on.
echo 1 >$MOCK/manual
run_script "$job" 'step 1' 'advance gfx 1' || fail "$(cat "$CASE_TMP/out")"
expect_eq "manual after a script" "$(cat $MOCK/manual)" 1
echo 0 >$MOCK/manual
