#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a stream says that timeouts and resets are recorded only if their tracepoints or kprobes are there
# requires: modules grtrace
# vm: own --no-load
# kernels: 6.1
# Bit 6 of the features in STREAM_INFO, with which each stream begins.
promise()
{
	cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
	expect_eq "what begins the stream" "$(od -An -t u2 -N 2 "$CASE_TMP/pipe" | tr -d ' ')" $((0xff00))
	echo $(($(od -An -t u8 -j 56 -N 8 "$CASE_TMP/pipe") >> 6 & 1))
}

modprobe grtrace_drm_bridge
if [ -d /sys/module/gpu_sched ] || grep -q ' drm_sched_stop$' /proc/kallsyms; then
	echo "the scheduler is there already"
else
	session_start
	expect_eq "kprobes without a scheduler" "$(grep -c '^kprobe.drm_.*=attached' "$GRT_DIR/metadata")" 0
	session_stop
	expect_eq "the promise where nobody sees it" "$(promise)" 0
fi
modprobe grtrace_mock
session_start
for name in drm_sched_job_timedout drm_sched_stop drm_sched_start; do
	grep -q -e "^kprobe.$name=attached" -e "^adapter.drm_bridge=.*\b$name\b" "$GRT_DIR/metadata" ||
		fail "neither a kprobe on $name nor its tracepoint"
done
session_stop
expect_eq "the promise" "$(promise)" 1
