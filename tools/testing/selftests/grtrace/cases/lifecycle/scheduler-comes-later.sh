#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a scheduler that is loaded after the bridge, in the middle of a session, is traced
# requires: modules
# vm: own --no-load
# kernels: 6.1 7.x
modprobe grtrace_drm_bridge
[ ! -d /sys/module/gpu_sched ] || fail "gpu_sched is loaded already, so this run proves nothing"
session_start
modprobe grtrace_mock
mock_run_jobs 100
session_stop
for type in 0,SUBMIT 1,COMPLETE 3,COMMIT 5,END; do
	expect_eq "$type seen,written" \
		"$(sed -n "s/^$type,\([0-9]*,[0-9]*\),.*/\1/p" "$GRT_DIR/events_by_type")" 100,100
done
