#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record samples clocks and power beside the events of every source, in one order of time
# requires: mock grtrace
# kernels: 6.1
JOBS=200
cd "$CASE_TMP" || exit
sys=$CASE_TMP/sys
mkdir -p "$sys/class/drm/card0/device/power" "$sys/class/drm/card0/device/hwmon/hwmon0"
echo active >"$sys/class/drm/card0/device/power/runtime_status"
power=$sys/class/drm/card0/device/hwmon/hwmon0/power1_average

# seen FILE TYPE: how many events of the type
seen() { grtrace dump --type "$2" "$1" 2>/dev/null | wc -l; }

for source in module bpf tracefs; do
	echo 300 >"$sys/class/drm/card0/gt_act_freq_mhz"
	echo 1000000 >"$power"
	GRTRACE_SYSFS=$sys grtrace record --source=$source --gauges=50 -o $source.grt -- sh -c "
		workload --scenario batch --jobs $JOBS >workload.txt && sleep 0.3 && echo 900 >$sys/class/drm/card0/gt_act_freq_mhz &&
		for i in 2 3 4; do echo \${i}000000 >$power; workload --scenario batch --jobs $JOBS >workload.txt; sleep 0.3; done" >words 2>&1 ||
		fail "$source: $(cat words)"
	grtrace verify $source.grt >verify.txt || fail "$source: $(grep FAILED verify.txt)"
	expect_eq "$source: jobs" "$(seen $source.grt SUBMIT)" $((4 * JOBS))
	grtrace dump --type FREQUENCY $source.grt >gauges.txt || fail "$source: no samples"
	values=$(sed -n 's/.* gauge=POWER power_uw=\([0-9]*\) .*/\1/p' gauges.txt | uniq | tr '\n' ' ')
	expect_eq "$source: power" "$values" "1000000 2000000 3000000 4000000 "
	values=$(sed -n 's/.* freq_hz=\([0-9]*\) .* gauge=CORE .*/\1/p' gauges.txt | uniq | tr '\n' ' ')
	expect_eq "$source: clock" "$values" "300000000 900000000 "

	# Jobs were between the changes, and so they are in the trace.
	grtrace dump --format csv $source.grt | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["ts"] + 0 < last + 0 { print "time runs back: " $0; exit }
		{ last = $at["ts"] }
		$at["power_uw"] + 0 { power = $at["power_uw"] / 1000000 }
		$at["type"] == "SUBMIT" { jobs[power]++ }
		END { for (i = 2; i <= 4; i++) if (!jobs[i]) print "no job at " i " W" }' >order.txt
	[ ! -s order.txt ] || fail "$source: $(cat order.txt)"
done
