#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: from the threshold on events are dropped before the buffer is full, and kept again once it is read; in adaptive mode the share falls and recovers
# kernels: 6.1
# requires: mock grtrace
SUBBUFS=16	# of a buffer

# on_cpu_0 TYPE FIRST COUNT: by hand, all on one CPU
on_cpu_0() { taskset 1 sh -c "echo '$1 7 gfx 900 $2 count=$3' >$GRT_DIR/emit"; }
# cpu_0 COLUMN: of pc_stats
cpu_0() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $1 == 0 { print $at[name] }' "$GRT_DIR/pc_stats"; }
expect_adds_up()
{
	fates_sum
	expect_eq "$1: seen" "$(stat seen)" $(($(stat written) + $(stat backpressure_drops) + $(stat buffer_full)))
}
# told: the number of events dropped on purpose, as reported to a reader
told()
{
	grtrace dump --format csv "$1" | told_lost BACKPRESSURE
}

# Nobody reads: as many sub-buffers are filled as the threshold says, none behind it.  At
# more than 93 % that is all of them.
for threshold in 25 50 75 93; do
	session_start buffer_size=64K backpressure_threshold=$threshold
	on_cpu_0 submit 1 5000
	expect_adds_up "$threshold %"
	expect_stat buffer_full 0
	[ "$(stat backpressure_drops)" -gt 0 ] || fail "$threshold %: nothing was dropped"
	# those that are full, and the one that was begun then
	expect_eq "$threshold %: sub-buffers" "$(cpu_0 subbufs)" $(((threshold * SUBBUFS + 99) / 100 + 1))
	session_stop
done
session_start backpressure_threshold=0
on_cpu_0 submit 1 5000
session_stop
expect_stat backpressure_drops 0
[ "$(stat buffer_full)" -gt 0 ] || fail "without a threshold the buffer was not full, so this run proves nothing"

# Real jobs, and a reader that comes late.
session_start backpressure_threshold=25
mock_run_jobs 400 --duration-us 50:100
expect_stat buffer_full 0
dropped=$(stat backpressure_drops)
[ "$dropped" -gt 0 ] || fail "400 jobs did not fill a quarter of the buffers, so this run proves nothing"
before=$(column SUBMIT written)
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe" &
reader=$!
is_drained() { [ $(($(stat subbufs_produced) - $(stat subbufs_consumed))) -le "$(nproc)" ]; }
wait_for 20 is_drained
mock_run_jobs 20
expect_eq "SUBMIT written of the 20 behind the reader" $(($(column SUBMIT written) - before)) 20
session_stop
wait $reader
expect_adds_up "real jobs"
expect_stat buffer_full 0
expect_eq "dropped, as the reader is told" "$(told "$CASE_TMP/pipe")" "$(stat backpressure_drops)"

# Adaptive: the share falls while nobody reads, and returns to all when somebody reads.
next=1
# share COUNT: the percentage kept of COUNT jobs
share()
{
	was=$(column SUBMIT written)
	on_cpu_0 submit $next "$1"
	next=$((next + $1))
	echo $((($(column SUBMIT written) - was) * 100 / $1))
}
session_start backpressure_threshold=25 adaptive_sampling=1
high=$(share 100)
expect_eq "share while the buffer is empty" "$high" 100
share 400 >/dev/null
middle=$(share 200)
share 8000 >/dev/null
low=$(share 500)
{ [ "$middle" -lt "$high" ] && [ "$low" -lt "$middle" ] && [ "$low" -lt 20 ]; } || fail "shares of $high, $middle, $low %: it does not fall"
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe" &
reader=$!
is_whole() { [ "$(share 40)" = 100 ]; }
wait_for 60 is_whole
session_stop
wait $reader
expect_adds_up adaptive
expect_eq "dropped, as the reader is told" "$(told "$CASE_TMP/pipe")" "$(stat backpressure_drops)"
echo "adaptive: $high %, $middle %, $low %, and 100 % again"
