#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: only fences that a job depends on are recorded, each once, even if several of one context are pending
# kernels: 6.1
# requires: mock grtrace fences
session_start
fences row 40 5 6 9 6 33 >"$CASE_TMP/named" || fail "cannot make the fences"
session_stop
dump_session
sort -u "$CASE_TMP/named" >"$CASE_TMP/wanted"
for type in DEPENDENCY:dep_ctx:dep_seqno FENCE_SIGNALED:ctx:seqno; do
	# Up to 6.16 a job's dependency is told once, later again when it blocks.
	awk -F, -v names="$type" '
		BEGIN { split(names, name, ":") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == name[1] { print $at[name[2]] ":" $at[name[3]] }' "$CASE_TMP/dump.csv" |
		sort >"$CASE_TMP/told"
	[ "${type%%:*}" = FENCE_SIGNALED ] || sort -u -o "$CASE_TMP/told" "$CASE_TMP/told"
	diff "$CASE_TMP/told" "$CASE_TMP/wanted" || fail "${type%%:*}: (-) is told, (+) is what jobs depend on"
done
