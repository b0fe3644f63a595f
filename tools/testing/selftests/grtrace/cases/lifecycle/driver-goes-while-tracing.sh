#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: driver and scheduler are unloaded and loaded again during a session; the bridge cannot be
# kernels: 6.1 7.x
# requires: modules
# vm: own
# The session runs on; jobs before and after are recorded, the fates add up.
session_start
mock_run_jobs 50
rmmod grtrace_mock
rmmod gpu_sched
expect_fail rmmod grtrace_drm_bridge
[ -d /sys/module/grtrace_drm_bridge ] || fail "the bridge went away during a session"
emit submit 1 gfx 900 1
modprobe grtrace_mock
mock_run_jobs 50
session_stop
expect_eq "SUBMIT seen,written" \
	"$(sed -n 's/^0,SUBMIT,\([0-9]*,[0-9]*\),.*/\1/p' "$GRT_DIR/events_by_type")" 101,101
for type in 1,COMPLETE 3,COMMIT 5,END; do
	expect_eq "$type seen,written" \
		"$(sed -n "s/^$type,\([0-9]*,[0-9]*\),.*/\1/p" "$GRT_DIR/events_by_type")" 100,100
done
expect_stat disabled 0
rmmod grtrace_drm_bridge
