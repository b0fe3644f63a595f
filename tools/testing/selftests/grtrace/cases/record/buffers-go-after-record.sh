#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the buffers of a held session are freed once it was read to its end, buffers of other sessions stay, and stats and status show the bytes
# kernels: 6.1
# requires: mock grtrace
mapped() { awk '/relay_/ { sum += $2 - 4096 } END { print sum + 0 }' /proc/vmallocinfo; }
# expect_memory BYTES: the buffers take so many bytes, and stats and status say so
expect_memory()
{
	expect_eq "mapped" "$(mapped)" "$1"
	expect_stat memory_bytes "$1"
	grtrace status --format json | grep -q "\"memory_bytes\":$1[,}]" || fail "status: $(grtrace status)"
}
all=$(($(nproc) * 1048576))
config buffer_size=1M

# As record does: all is read, so all is freed.
grtrace record -q -o "$CASE_TMP/trace.grt" -- workload --jobs 50 >/dev/null
expect_memory 0
expect_stat buffer_bytes 1048576
[ "$(stat subbufs_consumed)" -gt 0 ] || fail "the count of sub-buffers went with the buffers"
grtrace status | grep -q '^memory held  *0' || fail "status: $(grtrace status)"
expect_eq "jobs" "$(grtrace report --jobs --format csv "$CASE_TMP/trace.grt" | sed 1d | wc -l)" 50
# the stream is still there: definitions and the end
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/again"
[ "$(wc -c <"$CASE_TMP/again")" -gt 88 ] || fail "a stream that was read has no definitions any more"

# A plain session is kept, however often it is opened.
session_start
mock_run_jobs 50
session_stop
for file in events0 trace_pipe trace_pipe; do
	cat "$GRT_DIR/$file" >"$CASE_TMP/plain"
	expect_memory "$all"
done
grtrace status | grep -q '^memory held  *[1-9]' || fail "status: $(grtrace status)"
session_reset
expect_memory 0

# A recorder that died: unread events stay, and are freed once somebody has read them.
sh -c 'exec 3>"$0/control"; echo "start hold" >&3; sleep 60' "$GRT_DIR" &
holder=$!
is() { [ "$(cat "$GRT_DIR/control")" = "$1" ]; }
wait_for 5 is running
mock_run_jobs 50
# take BYTES: reads no more than that, a multiple of 100.  head reads ahead, and would drop events.
take() { dd if="$GRT_DIR/trace_pipe" bs=100 count=$(($1 / 100)) 2>/dev/null; }
# less than the definitions: a reader that waits has events flushed, and may take all of them
take 100 >"$CASE_TMP/part"
kill -9 $holder
wait $holder || :
wait_for 5 is stopped
expect_memory "$all"
take 9000 >"$CASE_TMP/part"
expect_memory "$all"
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/rest"
expect_memory 0
# The part may hold all events of a CPU that had few: those are not in the rest.
completed()
{
	grtrace dump --format csv "$1" 2>/dev/null | awk -F, '
		$1 == "type" { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == "COMPLETE" { print $at["ctx"] ":" $at["seqno"] }'
}
expect_eq "jobs" "$({ completed "$CASE_TMP/part"; completed "$CASE_TMP/rest"; } | sort -u | wc -l)" 50
grtrace report "$CASE_TMP/rest" >/dev/null || fail "the rest cannot be read"

# The next session has its buffers again, with the same files.
session_start
expect_memory "$all"
mock_run_jobs 50
session_stop
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/next"
expect_eq "jobs" "$(grtrace report --jobs --format csv "$CASE_TMP/next" | sed 1d | wc -l)" 50
