#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a hang gives TIMEOUT, RESET and RECOVERED of the ring, and without a reset TIMEOUT and RECOVERED; every job still has one SUBMIT and one COMPLETE, and its status
# requires: mock grtrace
# kernels: 6.1 7.x
JOBS=120
session_start
# Some kernels have tracepoints for it.  Where ftrace can set a kprobe, the bridge must have one, too.
if ! grep -q -e '^adapter.drm_bridge=.*\bdrm_sched_stop\b' -e '^kprobe.drm_sched_stop=attached' "$GRT_DIR/metadata"; then
	! echo 'p:grt_try drm_sched_stop' >"$TRACEFS/kprobe_events" ||
		fail "ftrace may put a kprobe on the scheduler, the bridge has none: $(grep ^kprobe "$GRT_DIR/metadata")"
	skip "this kernel refuses kprobes on the scheduler"
fi
workload --scenario hang --jobs $JOBS >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
session_stop
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"

# check FILE ERRORS: one job hung, and these are the errors
check()
{
	grtrace dump --format csv "$1" >"$CASE_TMP/dump"
	awk -F, -v jobs=$JOBS -v wanted="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ type = $at["type"]; key = $at["ctx"] ":" $at["seqno"] }
		type == "ERROR" { errors = errors $at["code"] " "; ring[$at["ring"]] = 1; if (key != "0:0") bad_key = key; next }
		type ~ /^(SUBMIT|COMMIT|END|COMPLETE)$/ {
			if (seen[type, key]++) fail_ = "two " type " of " key
			count[type]++
			status[type, key] = $at["status"]
		}
		END {
			if (errors != wanted " ") fail_ = "the errors are: " errors
			if (status["END", bad_key] != -62) fail_ = "END of the hung job " bad_key " has status " status["END", bad_key]
			for (type in count) if (count[type] != jobs) fail_ = count[type] " " type
			if (fail_ != "") { print fail_; exit 1 }
			print "hung job " bad_key ", status -62, " jobs " jobs, each with four events"
		}' "$CASE_TMP/dump" || fail "the trace of a hang is wrong: $1"
	grtrace report --jobs --format csv "$1" | cut -d, -f24 | sort | uniq -c >"$CASE_TMP/status"
	grep -q ' -62$' "$CASE_TMP/status" || fail "no job ended with -62: $(cat "$CASE_TMP/status")"
}

check "$CASE_TMP/pipe" "TIMEOUT RESET RECOVERED"

# --- a driver that ends just the job, as amdgpu does; seen by all sources that the kernel has ---
sources=module
set -- workload --scenario hang --jobs $JOBS
for source in bpf tracefs; do
	[ -e /sys/kernel/btf/vmlinux ] || break
	set -- grtrace record --source=$source -q -o "$CASE_TMP/$source" -- "$@"
	sources="$sources $source"
done
trap 'echo 0 >/sys/kernel/debug/grtrace_mock/soft_reset' EXIT
echo 1 >/sys/kernel/debug/grtrace_mock/soft_reset
session_start
"$@" >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
session_stop
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/module"
for source in $sources; do
	check "$CASE_TMP/$source" "TIMEOUT RECOVERED"
done
grtrace report "$CASE_TMP/module"

