#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a rule is recorded before the first COMPLETE with its flag, and a removed rule flags nothing
# kernels: 6.1
# requires: grtrace
rule() { echo "$1" >"$GRT_DIR/rules" || fail "rule '$1' was refused: $(cat "$GRT_DIR/error")"; }

trap 'echo clear >"$GRT_DIR/rules"' EXIT
session_start
for cpu in 0 1; do
	taskset $((1 << cpu)) sh -c "
		echo submit 7 gfx 0 $cpu >$GRT_DIR/emit
		echo 'total > 0ns label=any' >$GRT_DIR/rules
		echo submit 8 gfx 0 $cpu >$GRT_DIR/emit
		echo complete 8 gfx 0 $cpu >$GRT_DIR/emit
		echo clear >$GRT_DIR/rules
		echo complete 7 gfx 0 $cpu >$GRT_DIR/emit
	" || fail "refused: $(cat "$GRT_DIR/error")"
done
rule 'total > 0ns label=any'
taskset 1 sh -c "echo complete 9 gfx 0 1 >$GRT_DIR/emit"	# its SUBMIT is not known
session_stop
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
grtrace dump --format csv "$CASE_TMP/pipe" >"$CASE_TMP/events.csv"
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "COMPLETE" { print $at["ctx"], $at["flags"] ~ /RULE/ }' "$CASE_TMP/events.csv" |
	sort >"$CASE_TMP/flagged"
expect_eq "flagged: the context and 1" "$(paste -s -d ' ' "$CASE_TMP/flagged")" "7 0 7 0 8 1 8 1 9 0"
grtrace dump "$CASE_TMP/pipe" | sed -n 's/.* POLICY .*"\(rule1=.*\)"$/\1/p' >"$CASE_TMP/told"
any='rule1=total > 0ns label=any'
expect_eq "told" "$(paste -s -d '|' "$CASE_TMP/told")" "$any|rule1=|$any|rule1=|$any"
