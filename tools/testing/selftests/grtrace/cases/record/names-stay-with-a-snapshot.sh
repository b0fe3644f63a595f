#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a snapshot that is held keeps the names of its processes, also if nothing is written meanwhile and their rows are wanted back
# kernels: 6.1
# requires: mock grtrace crowd
# debug: no, thousands of processes take it too long
# timeout: 280
#
# When half of the table's rows are taken, rows of dead processes are marked; while jobs are tracked
# they are freed 10 s later at the earliest.  Before that the snapshot is taken, and all is quiet.
PROCESSES=4150

is_quiet() { [ "$(stat jobs_in_flight)" -eq 0 ]; }

session_start mode=overwrite snapshot_on=none track_jobs=1 buffer_size=4M
crowd --rename --no-wait --processes $PROCESSES --csv "$CASE_TMP/crowd.csv" || fail "crowd"
began=$(cut -d . -f 1 /proc/uptime)
wait_for 8 is_quiet
ctl snapshot
[ $(($(cut -d . -f 1 /proc/uptime) - began)) -le 8 ] || fail "too slow to tell"
save_snapshot early
sleep 15
save_snapshot late
ctl release
check_snapshot early
check_snapshot late
count=$(grep -c '^PROCESS,' "$CASE_TMP/early.csv")
[ "$count" -ge $PROCESSES ] || fail "only $count processes have names, so this run proves nothing"
expect_eq "names after 15 s" "$(grep -c '^PROCESS,' "$CASE_TMP/late.csv")" "$count"
