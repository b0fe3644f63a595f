#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a thread that waited for a job is no longer followed after ten seconds without a wait, and followed again from its next wait on
# kernels: 6.1
# requires: mock grtrace fences
need_module grtrace_cpu
session_start buffer_size=16777216
fences wander 14000 >"$CASE_TMP/thread" || fail "no job was done"
session_stop
dump_session
read -r tid other_ns <"$CASE_TMP/thread"
awk -F, -v tid="$tid" -v other_ns="$other_ns" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ seconds = ($at["ts"] - exit_ns) / 1e9 }
	$at["type"] == "SYNC_WAIT_EXIT" && $at["tid"] == tid && !exit_ns { exit_ns = $at["ts"] }
	$at["type"] != "CPU_SWITCH" || !exit_ns { next }
	$at["prev_tid"] != tid && $at["next_tid"] != tid { next }
	$at["ts"] - other_ns > 0 { again++; next }
	{ switches++; last = seconds; leaves = $at["prev_tid"] == tid }
	END {
		if (switches < 100) print switches + 0 " switches are told"
		if (last < 9.9 || last > 12) print "the last one is " last " s after the wait"
		if (!leaves) print "the last one is not that it leaves its CPU"
		if (!again) print "it is not followed again"
	}' "$CASE_TMP/dump.csv" >"$CASE_TMP/bad"
[ ! -s "$CASE_TMP/bad" ] || fail "$(cat "$CASE_TMP/bad")"
