#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a session without events and without a reader never wakes a CPU, and still tells its seconds
# kernels: 6.1
WORK=workqueue/workqueue_execute_start
QUEUE=workqueue/workqueue_queue_work
TIMER=timer/timer_expire_entry
HRTIMER=timer/hrtimer_expire_entry

trap ftrace_undo EXIT
session_start
emit submit 7 gfx 900 1
sleep 0.5
ftrace_begin 4096 $WORK $QUEUE $TIMER $HRTIMER
sleep 3
ftrace_stop
[ "$(grep -c 'timer_expire_entry\|workqueue_' "$CASE_TMP/trace")" -gt 3 ] ||
	fail "ftrace saw no timer at all, so this run proves nothing"
# ftrace prints the function of a timer or of work with its module behind it.
grep '\[grtrace' "$CASE_TMP/trace" | grep -v '^#' >"$CASE_TMP/woken" || :
[ ! -s "$CASE_TMP/woken" ] ||
	fail "$(wc -l <"$CASE_TMP/woken") wake-ups in 3 idle seconds: $(head -n 3 "$CASE_TMP/woken")"

# With a reader that waits there is work, so the names above are those to look for.
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe" &
reader=$!
ftrace_begin 4096 $WORK
sleep 1
ftrace_stop
grep -q '\[grtrace' "$CASE_TMP/trace" || fail "no work for a reader that waits, so this run proves nothing"

# Nobody looked all that time: each event is in a second of its own, and those between had none.
emit submit 7 gfx 900 2
session_stop
wait $reader || :
awk -F, 'NR == 1 { next }
	{ rows++; sum += $3; if ($3 == 1) { apart = $1 - before; before = $1 } }
	END { print rows " rows, " sum " events, the second " apart " seconds after the first"
		exit rows < 5 || sum != 2 || apart < 3 }' "$GRT_DIR/sec_stats" ||
	fail "sec_stats: $(cat "$GRT_DIR/sec_stats")"
