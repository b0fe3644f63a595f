#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: two processes in one slot of the table have a row each; names of any number are kept apart
# requires: mock grtrace crowd
# timeout: 240
cd "$CASE_TMP" || exit

# at PID COMMAND...: in the background, as process PID
at()
{
	echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid
	shift
	"$@" &
}

# 1401 and 8166 had one slot when the table had one row in each; they take turns.
session_start buffer_size=4M
at 1401 crowd --rename --jobs 500 --csv a.csv
first=$!
at 8166 crowd --rename --jobs 500 --csv b.csv
second=$!
wait $first $second
session_stop
[ "$first $second" = "1401 8166" ] || fail "they are $first and $second, so this run proves nothing"
cat "$GRT_DIR/trace_pipe" >pipe
grtrace dump -d --format csv pipe >dump.csv
expect_eq "rows of two processes" "$(grep -c '^PROCESS,' dump.csv)" 2
awk 'NR > 1' b.csv >>a.csv
crowd_recorded a.csv pipe

# More names than the table has rows: read in time, all are told.
expect_status 0 grtrace record -b 1M -o t.grt -- crowd --rename --processes 20000 --csv crowd.csv
expect_stat lost_events 0
expect_stat processes_unnamed 0
crowd_recorded crowd.csv t.grt

# Nobody reads: what found no room is counted, and what has a row is right.
session_start buffer_size=16M
crowd --rename --processes 17000 --csv crowd.csv || fail "crowd"
session_stop
[ "$(stat processes_unnamed)" -gt 0 ] || fail "17000 names found room"
[ "$(stat processes_unnamed)" -le 617 ] || fail "$(stat processes_unnamed) of 17000 found no room"
expect_stat lost_events 0
