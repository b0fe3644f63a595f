#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: start while running and stop while idle succeed and change nothing; start hold is refused then; reset while running begins the statistics anew
# kernels: 6.1
# requires: grtrace
for _ in 1 2; do
	ctl stop || fail "stop while idle: $(cat "$GRT_DIR/error")"
	expect_eq control "$(cat "$GRT_DIR/control")" idle
	expect_stat enabled 0
done
expect_status 0 grtrace stop
grep -q 'no session runs' "$CASE_TMP/out" || fail "grtrace stop does not say that none ran: $(cat "$CASE_TMP/out")"

session_start
id=$(stat session_id)
expect_stat enabled 1
echo 'submit 7 gfx 900 1 count=10' >"$GRT_DIR/emit"
ctl start || fail "start while running: $(cat "$GRT_DIR/error")"
expect_status 0 grtrace start
grep -q 'runs already' "$CASE_TMP/out" || fail "grtrace start does not say that one runs: $(cat "$CASE_TMP/out")"
expect_stat session_id "$id"
expect_stat seen 10

# start hold fails: its writer must know that the session is not its own.
expect_refused control 'start hold'
grep -q 'a session runs' "$GRT_DIR/error" || fail "error says: $(cat "$GRT_DIR/error")"
expect_eq control "$(cat "$GRT_DIR/control")" running

# The statistics begin anew; the trace goes on.
ctl reset || fail "reset while running: $(cat "$GRT_DIR/error")"
expect_eq control "$(cat "$GRT_DIR/control")" running
expect_stat session_id "$id"
expect_stat seen 0
echo 'submit 7 gfx 900 11 count=5' >"$GRT_DIR/emit"
expect_stat seen 5
session_stop
ctl stop || fail "stop of a stopped session: $(cat "$GRT_DIR/error")"
expect_eq control "$(cat "$GRT_DIR/control")" stopped
dump_session
expect_eq "SUBMITs in the trace" "$(grep -c '^SUBMIT,' "$CASE_TMP/dump.csv")" 15

# A held session ends with its holder, whoever wrote start meanwhile.
exec 3>"$GRT_DIR/control"
echo 'start hold' >&3
ctl start || fail "start beside a holder: $(cat "$GRT_DIR/error")"
expect_eq control "$(cat "$GRT_DIR/control")" running
exec 3>&-
expect_eq "control without its holder" "$(cat "$GRT_DIR/control")" stopped
