#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the modules load and unload in any order, again and again; grtrace brings the bridge, nothing brings the CPU events
# requires: modules
# vm: own --no-load
loaded() { sed -n 's/^\(grtrace[a-z_]*\) .*/\1/p' /proc/modules | sort | paste -s -d ' '; }

for round in 1 2 3; do
	modprobe grtrace_mock
	# in full: the modprobe inside busybox does not know what comes along
	/usr/sbin/modprobe grtrace
	expect_eq "round $round" "$(loaded)" "grtrace grtrace_drm_bridge grtrace_mock"
	rmmod grtrace_mock
	rmmod grtrace_drm_bridge
	rmmod grtrace
	modprobe grtrace_drm_bridge
	modprobe grtrace_mock
	modprobe grtrace_cpu
	mock_run_jobs 20
	rmmod grtrace_drm_bridge grtrace_cpu grtrace grtrace_mock
	expect_eq "after round $round" "$(loaded)" ""
	[ ! -e "$GRT_DIR" ] || fail "$GRT_DIR is still there"
done
