#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a full buffer is counted, never silent: fates sum to seen, and the reader's LOSS says the same
# kernels: 6.1
# requires: grtrace
EVENTS=100000
session_start buffer_size=65536
echo "submit 7 GRAPHICS 0 1 count=$EVENTS" >"$GRT_DIR/emit"
session_stop
seen=$(stat seen) written=$(stat written) full=$(stat buffer_full)
[ "$full" -gt 0 ] || fail "the buffer never filled, so this run proves nothing"
expect_eq seen "$seen" $EVENTS
expect_eq "written + buffer_full" $((written + full)) $EVENTS

for stream in "$GRT_DIR"/events[0-9]*; do
	cat "$stream" >"$CASE_TMP/${stream##*/}"
done
grtrace dump --format csv "$CASE_TMP"/events[0-9]* >"$CASE_TMP/dump.csv" || fail "dump failed"
read_=$(grep -c '^SUBMIT,' "$CASE_TMP/dump.csv")
lost=$(awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "LOSS" && $at["reason"] == "BUFFER_FULL" { lost += $at["count"]; next }
	$at["type"] == "LOSS" { lost = "another reason: " $at["reason"]; exit }
	END { print lost }' "$CASE_TMP/dump.csv")
expect_eq "events read" "$read_" "$written"
expect_eq "events that LOSS records tell of" "$lost" "$full"
echo "seen $seen = written $written + buffer_full $full; read $read_, LOSS $lost"

# The same with a reader that takes some events meanwhile: events are lost here and there.
session_start buffer_size=65536
grtrace record -q -o "$CASE_TMP/t.grt" &
pid=$!
wait_for 10 recording_has_begun "$CASE_TMP/t.grt"	# it has attached
echo "submit 7 GRAPHICS 0 1 count=$EVENTS" >"$GRT_DIR/emit"
session_stop
wait $pid || fail "record ended with $?"
written=$(stat written) full=$(stat buffer_full)
expect_eq "written + buffer_full" $((written + full)) $EVENTS
grtrace dump --format csv "$CASE_TMP/t.grt" >"$CASE_TMP/dump.csv" || fail "dump failed"
expect_eq "events recorded" "$(grep -c '^SUBMIT,' "$CASE_TMP/dump.csv")" "$written"
expect_eq "lost while recorded" "$(awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "LOSS" { lost += $at["count"] }
	END { print lost + 0 }' "$CASE_TMP/dump.csv")" "$full"
echo "with a reader: written $written, buffer_full $full, LOSS the same"
