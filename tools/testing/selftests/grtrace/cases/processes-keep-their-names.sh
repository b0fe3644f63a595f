#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: two processes in one slot of the table have a row each
# requires: mock grtrace crowd
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
at 1401 crowd --rename --jobs 200 --csv a.csv
first=$!
at 8166 crowd --rename --jobs 200 --csv b.csv
second=$!
wait $first $second
session_stop
[ "$first $second" = "1401 8166" ] || fail "they are $first and $second, so this run proves nothing"
cat "$GRT_DIR/trace_pipe" >pipe
grtrace dump -d --format csv pipe >dump.csv
expect_eq "rows of two processes" "$(grep -c '^PROCESS,' dump.csv)" 2
awk 'NR > 1' b.csv >>a.csv
crowd_recorded a.csv pipe
