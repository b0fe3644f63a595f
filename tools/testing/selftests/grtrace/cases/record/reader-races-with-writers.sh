#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: two CPUs write at full speed while a reader drains the buffers: no event is torn, repeated or uncounted
# kernels: 6.1
# requires: grtrace
# timeout: 900
#
# relay's own read() loses thousands of sub-buffers in this test.
EVENTS=${GRTRACE_EVENTS:-400000}	# of each writer

writer()	# CPU CTX: in portions, so that the buffer is found full and not full
{
	left=$EVENTS seq=1
	while [ "$left" -gt 0 ]; do
		count=$((left < 700 ? left : 700))
		echo "submit $2 gfx 900 $seq count=$count" >"$GRT_DIR/emit"
		seq=$((seq + count)) left=$((left - count))
	done
}

session_start buffer_size=64K
grtrace record -q -o "$CASE_TMP/t.grt" &
recorder=$!
wait_for 10 recording_has_begun "$CASE_TMP/t.grt"	# it has attached
writer 0 7 &
first=$!
writer 1 9 &
second=$!
wait $first
wait $second
session_stop
wait $recorder || fail "record ended with $?"

written=$(stat written) full=$(stat buffer_full)
expect_stat seen $((2 * EVENTS))
expect_eq "written + buffer_full" $((written + full)) $((2 * EVENTS))
[ "$full" -gt 1000 ] || fail "the buffers were hardly ever full, so this run proves nothing"
[ "$written" -gt 1000 ] || fail "hardly anything was written, so this run proves nothing"
[ "$(stat subbufs_consumed)" -gt 100 ] || fail "too few sub-buffers to race for"

# Bytes are whole, in order and counted; every event is in the file once.
expect_status 0 grtrace verify -s 1s "$CASE_TMP/t.grt"
grtrace dump --format csv "$CASE_TMP/t.grt" | awk -F, -v written="$written" -v full="$full" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "SUBMIT" {
		events++
		ctx = $at["ctx"]
		# For each writer: seqno rises, and each gap is counted as lost.
		if ($at["seqno"] + 0 <= last[ctx] + 0) { print "seqno " $at["seqno"] " after " last[ctx]; bad = 1 }
		last[ctx] = $at["seqno"]
		next
	}
	$at["type"] == "LOSS" && $at["reason"] == "BUFFER_FULL" { lost += $at["count"]; next }
	$at["type"] == "LOSS" { print "lost for another reason: " $at["reason"]; bad = 1 }
	END {
		print "written " written ", read " events ", buffer_full " full ", LOSS " lost
		exit bad || events != written || lost != full
	}' || fail "what was read is not what was written"
