#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the extensions load and unload between sessions in any order, stay while one runs or one of their files is open
# kernels: 6.1
# requires: modules
# vm: own --no-load
EXT="grtrace_aggregator grtrace_sampling"
files() { find "$GRT_DIR" -name 'aggregator_*' -o -name 'sampling_*' | wc -l; }

modprobe grtrace_mock
modprobe grtrace_drm_bridge
expect_eq "files without the modules" "$(files)" 0
for order in "$EXT" "grtrace_sampling grtrace_aggregator"; do
	for how in off on; do
		for module in $order; do modprobe "$module"; done
		expect_eq "their files" "$(files)" 7
		if [ $how = on ]; then
			put aggregator_enable 2
			put sampling_mode threshold
		fi
		session_start
		for module in $order; do
			expect_fail rmmod "$module"
		done
		mock_run_jobs 50
		session_stop
		fates_sum
		expect_stat lost_events 0
		# An open file holds its module.
		exec 7<"$GRT_DIR/aggregator_stats" 8>"$GRT_DIR/sampling_mode"
		for module in $order; do expect_fail rmmod "$module"; done
		exec 7<&- 8>&-
		for module in $order; do rmmod "$module"; done
		expect_eq "files they left" "$(files)" 0
		session_start
		mock_run_jobs 20
		session_stop
		expect_stat aggregated 0
		expect_eq "JOB records" "$(column JOB seen)" 0
	done
done

# One that comes while a session runs takes part in it, and stays until it was stopped.
session_start
mock_run_jobs 20
for module in $EXT; do
	modprobe "$module"
	expect_fail rmmod "$module"
done
put aggregator_enable 2
put sampling_mode static
mock_run_jobs 20
session_stop
fates_sum
expect_eq "SUBMIT written, and aggregated" "$(column SUBMIT written) $(column SUBMIT aggregated)" "20 20"
for module in $EXT; do rmmod "$module"; done

# The parameters are the keys, with the same bounds; those of the command line count.
expect_fail modprobe grtrace_aggregator aggregator_window=1
expect_fail modprobe grtrace_sampling sampling_mode=9
modprobe grtrace_aggregator aggregator_enable=1 aggregator_window=300
modprobe grtrace_sampling sampling_mode=static sampling_rate=0
expect_eq aggregator_enable "$(cat "$GRT_DIR/aggregator_enable")" 1
expect_eq sampling_rate "$(cat /sys/module/grtrace_sampling/parameters/sampling_rate)" 0
session_start
emit submit 1 gfx 900 1
session_stop
expect_stat sampled 1
echo 100 >/sys/module/grtrace_sampling/parameters/sampling_rate
expect_eq sampling_rate "$(cat "$GRT_DIR/sampling_rate")" 100
rmmod grtrace_drm_bridge
for module in $EXT; do rmmod "$module"; done
rmmod grtrace
