#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: emit takes every type that its own text lists, each is counted under its name
session_start
grep -v '^#' "$GRT_DIR/emit" >"$CASE_TMP/types"
count=0
while read -r type _; do
	emit "$type" 3 copy 7 "$count"
	emit emit "$type" 3 2 7 "$count"
	count=$((count + 1))
done <"$CASE_TMP/types"
emit mark 0 other 0 0 'text=a text with blanks = and signs'
session_stop
expect_eq "types" "$count" 22
expect_stat seen 45
expect_stat written 45
while read -r type _; do
	name=$(echo "$type" | tr '[:lower:]' '[:upper:]')
	want=2
	[ "$name" != MARK ] || want=3
	expect_eq "$name seen,written" \
		"$(sed -n "s/^[0-9]*,$name,\([0-9]*,[0-9]*\),.*/\1/p" "$GRT_DIR/events_by_type")" \
		"$want,$want"
done <"$CASE_TMP/types"
