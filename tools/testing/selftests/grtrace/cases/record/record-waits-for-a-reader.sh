#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record into a pipe that nobody reads begins no session and can be ended; a reader that goes or stops ends the session
# kernels: 6.1
# requires: mock grtrace
cd "$CASE_TMP" || exit
mkfifo pipe
session_start
session_stop
session=$(stat session_id)

# ended STATUS COMMAND...: soon, and not by force
ended()
{
	want=$1 got=0
	shift
	timeout -s KILL 20 "$@" >out 2>&1 || got=$?
	[ $got -eq "$want" ] || fail "'$*' ended with $got, not $want: $(cat out)"
}

ended 3 grtrace record -o pipe -d 300ms
for signal in INT TERM HUP; do
	ended 3 timeout -s $signal 1 grtrace record -o pipe
	grep -q "^grtrace: nobody reads 'pipe'" out || fail "SIG$signal: $(cat out)"
done
expect_stat session_id "$session"

head -c 3000 pipe >/dev/null &
ended 3 grtrace record -q -o pipe -- workload --scenario batch --jobs 500
expect_eq "control without a reader" "$(cat "$GRT_DIR/control")" stopped
wait_for 20 sh -c "! pidof workload"

sh -c "exec sleep 60" <pipe &
sleeper=$!
grtrace record -q --discard -o pipe >out 2>&1 &
pid=$!
wait_for 10 grep -qx running "$GRT_DIR/control"
mock_run_jobs 500
kill -TERM $pid
is_gone() { ! kill -0 $pid; }
wait_for 10 is_gone
kill $sleeper
status=0
wait $pid || status=$?
expect_eq "exit status with a reader that takes nothing" $status 3
grep -q "the reader of 'pipe' does not read" out || fail "$(cat out)"
expect_eq "control with a reader that takes nothing" "$(cat "$GRT_DIR/control")" stopped
# Nothing holds the session: the next one begins.
expect_status 0 grtrace record -q --discard -o t.grt -- true

# Links and FIFOs at the file's name, or beside it, are neither followed nor replaced.
echo precious >victim
ln -s victim link.grt
expect_status 3 grtrace record -o link.grt -- true
grep -q '^hint: ' out || fail "no hint: $(cat out)"
expect_eq "behind the link" "$(cat victim)" precious
for file in t.grt.grtrace-rec-abcdef t.grt.grtrace-part-abcdef; do
	ln -s victim "$file"
	mkfifo "${file%abcdef}fedcba"
done
ended 0 grtrace record -q -o t.grt -- true
expect_eq "behind the link beside it" "$(cat victim)" precious
expect_eq "what was beside it" "$(find . -name 't.grt.*' | wc -l)" 4
