#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: more threads than can be followed at once are counted; when they are gone, others are followed
# kernels: 6.1
# requires: mock grtrace fences
# timeout: 240
lost() { sed -n 's/^cpu_threads_lost=//p' "$GRT_DIR/metadata"; }

need_module grtrace_cpu
# Large buffers: only the table of threads may run full.
session_start buffer_size=16777216
expect_eq "lost at first" "$(lost)" 0
fences crowd 700 || fail "the crowd did not get its jobs done"
crowd_lost=$(lost)
[ "$crowd_lost" -ge $((700 - 512)) ] || fail "of 700 threads only $crowd_lost found no room, but there is room for 512"
mock_run_jobs 40 --processes 4
expect_eq "lost after the crowd is gone" "$(lost)" "$crowd_lost"
session_stop
dump_session
# The last waits are those of the jobs after the crowd.
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "SUBMIT" { submits++; if (submits > 700) late[$at["tid"]] = 1 }
	$at["type"] == "CPU_SWITCH" && $at["flags"] ~ /PREV_FOLLOWED/ { is_followed[$at["prev_tid"]] = 1 }
	$at["type"] == "SYNC_WAIT_ENTER" && $at["tid"] in late { waits[$at["tid"]] = 1 }
	END {
		for (tid in waits) { all++; if (!(tid in is_followed)) print "thread " tid " waits and is not followed" }
		if (all < 4) print all + 0 " threads wait"
	}' "$CASE_TMP/dump.csv" >"$CASE_TMP/bad"
[ ! -s "$CASE_TMP/bad" ] || fail "$(cat "$CASE_TMP/bad")"
