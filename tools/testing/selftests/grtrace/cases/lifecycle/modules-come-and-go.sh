#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the modules load and unload in any order, again and again; grtrace brings the adapters and the extensions, but not those that every switch of threads or interrupt pays for
# requires: modules
# vm: own --no-load
# kernels: 6.1
extensions="grtrace_aggregator grtrace_filter grtrace_perf_mon grtrace_sampling"
adapters="grtrace_amdgpu grtrace_display grtrace_i915 grtrace_nouveau grtrace_radeon grtrace_virtio_gpu grtrace_xe"

words() { tr ' ' '\n' | sort | paste -s -d ' '; }
loaded() { sed -n 's/^\(grtrace[a-z0-9_]*\) .*/\1/p' /proc/modules | words; }

for round in 1 2 3; do
	modprobe grtrace_mock
	# in full: the modprobe inside busybox does not know what comes along
	/usr/sbin/modprobe grtrace
	expect_eq "round $round" "$(loaded)" "$(echo "grtrace grtrace_drm_bridge grtrace_mock $adapters $extensions" | words)"
	rmmod grtrace_mock
	rmmod grtrace_drm_bridge
	# shellcheck disable=SC2086	# words
	rmmod $adapters $extensions
	rmmod grtrace
	modprobe grtrace_drm_bridge
	modprobe grtrace_mock
	modprobe grtrace_cpu
	mock_run_jobs 20
	rmmod grtrace_drm_bridge grtrace_cpu grtrace grtrace_mock
	expect_eq "after round $round" "$(loaded)" ""
	[ ! -e "$GRT_DIR" ] || fail "$GRT_DIR is still there"
done

# An extension cannot be unloaded while a session runs, on or not; its files go with it.
modprobe grtrace
files() { find "$GRT_DIR" ! -name "events[0-9]*" | sort; }
before=$(files)
for module in $extensions; do
	modprobe "$module"
	ctl start
	expect_fail rmmod "$module"
	ctl stop
	[ "$(files)" != "$before" ] || fail "$module has no files"
	rmmod "$module"
	expect_eq "files without $module" "$(files)" "$before"
done

# An extension loaded while a session runs takes part in it, as its parameters say.
ctl start
emit submit 7 GRAPHICS 900 1
modprobe grtrace_filter filter_events=complete filter_enabled=1
modprobe grtrace_perf_mon perf_mon_enable=1
emit submit 7 GRAPHICS 900 2
emit complete 7 GRAPHICS 900 2
expect_stat written 2
expect_stat filtered_ext 1
grep -q '^900,' /proc/grtrace_stats || fail "perf_mon does not know ring 900"
expect_fail rmmod grtrace_filter
expect_fail rmmod grtrace_perf_mon
echo 0 >/sys/module/grtrace_filter/parameters/filter_enabled
emit submit 7 GRAPHICS 900 3
expect_stat written 3
ctl stop
rmmod grtrace_filter grtrace_perf_mon
[ ! -e /proc/grtrace_stats ] || fail "/proc/grtrace_stats is still there"
expect_fail modprobe grtrace_filter filter_pid=nobody
expect_eq "at the end" "$(loaded)" "grtrace"
rmmod grtrace
