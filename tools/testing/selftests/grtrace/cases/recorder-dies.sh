#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: kill -9 of record, at any moment: the session stops with it and the file can be read
# requires: mock grtrace
# timeout: 900
ROUNDS=${GRTRACE_ROUNDS:-8}
state() { cat "$GRT_DIR/control"; }
is() { [ "$(state)" = "$1" ]; }

workload --scenario batch --jobs 1000000 --processes 2 >/dev/null 2>&1 &
load=$!
trap 'kill -9 $load 2>/dev/null || :' EXIT
round=0 jobs=0
while [ $round -lt "$ROUNDS" ]; do
	round=$((round + 1))
	rm -f "$CASE_TMP/t.grt"
	grtrace record -q -b 64K -o "$CASE_TMP/t.grt" &
	recorder=$!
	wait_for 10 is running
	sleep "0.$((round * 7 % 5 + 1))"
	kill -9 $recorder
	wait $recorder 2>/dev/null || :
	wait_for 10 is stopped
	status=0
	grtrace report --jobs --format csv "$CASE_TMP/t.grt" >"$CASE_TMP/jobs" 2>"$CASE_TMP/err" || status=$?
	[ $status -eq 0 ] || fail "round $round: report ended with $status: $(cat "$CASE_TMP/err")"
	jobs=$((jobs + $(sed 1d "$CASE_TMP/jobs" | wc -l)))
done
kill -0 $load || fail "the workload ended by itself"
[ $jobs -gt $((ROUNDS * 20)) ] || fail "only $jobs jobs in $ROUNDS files, so this run proves nothing"
echo "$ROUNDS files, $jobs jobs"
