#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: only waits for jobs are recorded, not waits for other fences, even if these are over and no job was seen yet
# kernels: 6.1
# requires: mock grtrace fences
# Since 7.1 a fence that is over may have lost its ops.  The module is fresh: no job has
# taught it what those of a job look like.
need_module grtrace_cpu
session_start
fences wait 50 || fail "cannot wait for fences"
for type in SYNC_WAIT_ENTER SYNC_WAIT_EXIT; do
	expect_eq "$type before the first job" "$(column $type seen)" 0
done
mock_run_jobs 20
[ "$(column SYNC_WAIT_EXIT seen)" -gt 0 ] || fail "no wait was recorded at all, so this run proves nothing"
session_stop
