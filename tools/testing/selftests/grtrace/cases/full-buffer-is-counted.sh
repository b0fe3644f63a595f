#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a full buffer is counted, never silent
session_start buffer_size=65536
count=0
while [ "$count" -lt 100000 ]; do
	count=$((count + 1))
	echo "submit 7 GRAPHICS 0 $count"
done >"$CASE_TMP/events"
while read -r event; do
	echo "$event" >"$GRT_DIR/emit"
done <"$CASE_TMP/events"
session_stop
seen=$(stat seen) written=$(stat written) full=$(stat buffer_full)
[ "$full" -gt 0 ] || fail "the buffer never filled, so this run proves nothing"
expect_eq seen "$seen" 100000
expect_eq "written + buffer_full" $((written + full)) "$seen"
