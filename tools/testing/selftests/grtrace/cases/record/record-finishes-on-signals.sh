#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: SIGINT, SIGTERM and SIGHUP finish the file; after SIGKILL it still can be read
# kernels: 6.1
# requires: mock grtrace
running() { [ "$(cat "$GRT_DIR/control")" = running ]; }

# recorded SIGNAL STATUS: a recording of some jobs that ends with SIGNAL
recorded()
{
	rm -f "$CASE_TMP/t.grt"
	grtrace record -o "$CASE_TMP/t.grt" >"$CASE_TMP/record" 2>&1 &
	pid=$!
	wait_for 10 running
	mock_run_jobs 200
	sleep 0.5		# a part of a sub-buffer is handed out after 100 ms
	kill -"$1" $pid
	status=0
	wait $pid || status=$?
	expect_eq "exit status after SIG$1" $status "$2"
}

# A shell's background job ignores SIGINT; record must take it all the same.
for signal in INT TERM HUP; do
	recorded $signal 0
	expect_eq "control after SIG$signal" "$(cat "$GRT_DIR/control")" stopped
	expect_status 0 grtrace report --jobs --format csv "$CASE_TMP/t.grt"
	expect_eq "jobs after SIG$signal" "$(grep -c ',grtrace_mock' "$CASE_TMP/out" || :)" 0
	expect_eq "jobs after SIG$signal" "$(sed 1d "$CASE_TMP/out" | wc -l)" 200
done

recorded KILL 137
# The session hung on record's descriptor.
wait_for 10 grep -qx stopped "$GRT_DIR/control"
[ ! -e "$CASE_TMP/t.grt" ] || fail "a file that is not whole has the name of one"
# The next record in this folder finds the killed one's file, and says so.
expect_status 0 grtrace record --discard -o "$CASE_TMP/next.grt" -d 0ms
grep -q "a recording was killed; what it had written is in '.*/t-cut-.*.grt'" "$CASE_TMP/out" ||
	fail "it is not told: $(cat "$CASE_TMP/out")"
cut=$(ls "$CASE_TMP"/t-cut-*.grt) || fail "nothing is left of the recording: $(ls "$CASE_TMP")"
grtrace report --jobs --format csv "$cut" >"$CASE_TMP/jobs" 2>"$CASE_TMP/warning" ||
	fail "report after SIGKILL: $(cat "$CASE_TMP/warning")"
[ "$(sed 1d "$CASE_TMP/jobs" | wc -l)" -eq 200 ] || fail "$(sed 1d "$CASE_TMP/jobs" | wc -l) of 200 jobs"
[ -s "$CASE_TMP/warning" ] || fail "no word about the unfinished file"
