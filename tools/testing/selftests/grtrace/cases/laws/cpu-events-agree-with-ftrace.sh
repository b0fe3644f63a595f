#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: switches, wake-ups and waits of the threads that matter are those that ftrace saw in the same boot
# requires: mock grtrace
# timeout: 300
# kernels: 6.1 7.x
#
# A thread is followed from its first COMMIT or wait on; ftrace begins before that and
# ends later.  So each thread's events here must be a stretch of ftrace's, without a
# gap, that goes at least to the mark written before the end.
JOBS=400

# A fence that is over has no driver any more, so the jobs of the trace tell which are theirs.
# Lines "TID SECONDS what": "switch PREV NEXT runs-on?", "wake", "wait FENCE", "waited FENCE"
ftrace_events()
{
	awk '
	function value(name,    at) {
		at = match($0, "[ :]" name "=[^ ]*")
		return at ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : ""
	}
	NR == FNR { is_job[$1]; next }
	/tracing_mark_write: the end/ { exit }
	{
		at = match($0, / [0-9]+\.[0-9]+: /)
		time = substr($0, RSTART + 1, RLENGTH - 3)
	}
	/: sched_switch: / {
		what = "switch " value("prev_pid") " " value("next_pid") " " (value("prev_state") ~ /^R/)
		print value("prev_pid"), time, what
		print value("next_pid"), time, what
	}
	/: sched_wakeup: / { print value("pid"), time, "wake" }
	/: dma_fence_wait_(start|end): / && value("context") in is_job {
		match($0, /-[0-9]+ +\[/)
		split(substr($0, RSTART + 1), tid, " ")
		print tid[1], time, (/wait_start/ ? "wait " : "waited ") value("context") ":" value("seqno")
	}' "$CASE_TMP/contexts" "$CASE_TMP/trace"
}

# The same from a CSV dump.  The columns are found by their names.
grtrace_events()
{
	awk -F , '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ seconds = sprintf("%.6f", $at["ts"] / 1e9) }
	$1 == "CPU_SWITCH" {
		what = "switch " $at["prev_tid"] " " $at["next_tid"] " " ($at["prev_state"] ~ /^(0x)?0$/)
		if ($at["flags"] ~ /PREV_FOLLOWED/)
			print $at["prev_tid"], seconds, what
		if ($at["flags"] ~ /NEXT_FOLLOWED/)
			print $at["next_tid"], seconds, what
	}
	$1 == "CPU_WAKE" { print $at["tid"], seconds, "wake" }
	$1 ~ /^SYNC_WAIT_E/ {
		print $at["tid"], seconds, ($1 ~ /ENTER/ ? "wait " : "waited ") \
			$at["ctx"] ":" $at["seqno"]
	}' "$CASE_TMP/csv"
}

# Clocks are read a few microseconds apart; the first event finds its place by time.
#
# Up to 6.12 the probes of a tracepoint are called with preemption off. On 7.x it is on
# (tracepoint.h: __DO_TRACE_CALL under srcu_fast): at a wait's begin or end a thread may
# lose its CPU between the probe of ftrace, which came first, and ours. So there ours may
# come behind what it lost, and a thread that lost its CPU at its first event was
# followed from its return on.
PREEMPTED='
	function is_wait(event) { return preemptible && event ~ /^wait/ }
	# off its CPU, though it could run on, and back
	function is_preemption(tid, off, on,    o, b) {
		return split(off, o) == 4 && split(on, b) == 4 &&
			o[1] == "switch" && o[2] == tid && o[4] == 1 && b[1] == "switch" && b[3] == tid
	}
	# By how many events the next wait of ftrace comes later here; 0: it does not.
	function lateness(tid, i, at,    n) {
		if (!is_wait(theirs[tid, at]))
			return 0
		for (n = 0; ours[tid, i + n] == theirs[tid, at + 1 + n] &&
		     ours[tid, i + n + 1] == theirs[tid, at + n + 2] &&
		     is_preemption(tid, ours[tid, i + n], ours[tid, i + n + 1]); n += 2)
			if (ours[tid, i + n + 2] == theirs[tid, at])
				return n + 2
		return 0
	}
'
compare()
{
	case $(uname -r) in [1-6].*) preemptible=0 ;; *) preemptible=1 ;; esac
	awk -v preemptible=$preemptible "$PREEMPTED"'
	function what() { return substr($0, length($1 " " $2 " ") + 1) }
	NR == FNR {
		theirs[$1, ++last[$1]] = what()
		their_time[$1, last[$1]] = $2
		next
	}
	{ ours[$1, ++count[$1]] = what(); our_time[$1, count[$1]] = $2 }
	function place(tid,    i, best, near, off) {
		near = preemptible ? 1 : 0.01
		for (i = 1; i <= last[tid]; i++) {
			off = our_time[tid, 1] - their_time[tid, i]
			if (theirs[tid, i] != ours[tid, 1] || off > near || -off > near)
				continue
			near = off < 0 ? -off : off
			best = i
		}
		# It lost its CPU at its first event, a wait, after it began to be followed.
		if (best > 1 && lateness(tid, 1, best - 1))
			best--
		return best
	}
	END {
		for (tid in count) {
			threads++
			at = place(tid)
			if (!at) {
				print "thread " tid ": ftrace has not its first event, " ours[tid, 1]
				bad++
				continue
			}
			for (i = 1; at <= last[tid]; i++, at++) {
				compared++
				while (i == 2 && ours[tid, i] != theirs[tid, at] && is_wait(ours[tid, 1]) &&
				       is_preemption(tid, theirs[tid, at], theirs[tid, at + 1]))
					at += 2
				if (ours[tid, i] == theirs[tid, at])
					continue
				late = lateness(tid, i, at)
				if (late) {
					compared += late
					i += late
					at += late
					preempted++
					continue
				}
				print "thread " tid ", event " i ": " ours[tid, i] ", ftrace: " \
					theirs[tid, at] " at " their_time[tid, at]
				bad++
				break
			}
		}
		print "compared", compared, "events of", threads, "threads,", preempted + 0, "preempted between probes"
		exit bad > 0
	}' "$CASE_TMP/theirs" "$CASE_TMP/ours"
}

modprobe grtrace_cpu
trap ftrace_undo EXIT
ftrace_begin 16384 sched/sched_switch sched/sched_wakeup dma_fence/dma_fence_wait_start \
	dma_fence/dma_fence_wait_end
session_start
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/raw" &
reader=$!
mock_run_jobs $JOBS --scenario mixed
echo "the end" >"$TRACEFS/trace_marker"
session_stop
wait "$reader"
ftrace_stop
expect_stat written "$(stat seen)"
grtrace dump --format csv "$CASE_TMP/raw" >"$CASE_TMP/csv"
awk -F , 'NR == 1 { for (i = 1; i < NF && $i != "ctx"; i++); next } $1 == "SUBMIT" { print $i }' "$CASE_TMP/csv" |
	sort -u >"$CASE_TMP/contexts"
ftrace_events >"$CASE_TMP/theirs"
grtrace_events >"$CASE_TMP/ours"
compare >"$CASE_TMP/compared" || fail "$(tail -n 20 "$CASE_TMP/compared")"
tail -n 1 "$CASE_TMP/compared"
# a thread per ring or worker, and one per process at least
read -r _ compared _ _ threads _ <"$CASE_TMP/compared"
if [ "$compared" -lt $((4 * JOBS)) ] || [ "$threads" -lt 4 ]; then
	fail "compared $compared events of $threads threads: too few to prove anything"
fi
for what in switch wake wait waited; do
	grep -q "^[0-9]* [0-9.]* $what" "$CASE_TMP/ours" || fail "there is no '$what' event"
done
