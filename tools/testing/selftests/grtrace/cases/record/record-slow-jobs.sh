#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --slower-than keeps one JOB of each slow job with its times, with the module and with bpf
# kernels: 6.1
# requires: mock grtrace
# timeout: 240
# vm: own --icount --timeout 500
#
# The clock of this guest counts instructions, so it stands still while the host does something else.
# Both recordings then give an event nearly the same time, however busy the host is.
need_module grtrace_filter
cd "$CASE_TMP"
for source in module bpf; do
	rm -f ./*.grt
	# shellcheck disable=SC2016	# expanded by the inner shell
	grtrace record --source=bpf -q -o all.grt -- grtrace record --source=$source -q --slower-than 40ms -o f.grt -- sh -c '
		for durations in 200:400 60000:64000 200:400; do
			workload --scenario mixed --jobs 40 --duration-us $durations --processes 1 >/dev/null
		done' || fail "$source: record failed"
	grtrace verify -s 1s f.grt >said || fail "$source: $(cat said)"
	grtrace dump --format csv f.grt >events
	expect_eq "$source: types" "$(awk -F, 'NR > 1 && $1 != "LOSS" && $1 != "POLICY" { print $1 }' events | sort -u)" JOB
	[ "$(told_lost AGGREGATED <events)" -gt 100 ] || fail "$source: what was left out is not told"
	grtrace report --all --jobs --format csv f.grt >jobs.csv
	grtrace report --all --jobs --format csv all.grt >all.csv
	awk -F, '
		FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
		function col(name) { return $at[file, name] }
		function far(name, off) { off = col(name) - truth[key, name]; return off < 0 ? -off > 5e4 : off > 5e4 }
		{ key = col("ctx") ":" col("seqno") }
		file == 1 {
			nr++
			for (i = split("total_ns t_hw_ns t_submit_host_ns", names, " "); i; i--) truth[key, names[i]] = col(names[i])
			who[key] = col("pid") " " col("comm")
			if (col("total_ns") > 40.05e6) slow[key] = 1
			else if (col("total_ns") < 39.95e6) quick[key] = 1
			next
		}
		{
			kept++
			if (key in quick) { print key " took " truth[key, "total_ns"]; bad++ }
			if (who[key] != col("pid") " " col("comm")) { print key ": of " col("pid") " " col("comm") ", was of " who[key]; bad++ }
			if (far("total_ns") || far("t_hw_ns") || far("t_submit_host_ns")) { print "times: " $0 ", was total_ns " truth[key, "total_ns"] ", t_hw_ns " truth[key, "t_hw_ns"] ", t_submit_host_ns " truth[key, "t_submit_host_ns"]; bad++ }
			delete slow[key]
		}
		END { for (key in slow) { print "not there: " key; bad++ }
			print kept " of " nr " jobs"; exit bad || kept < 20 || kept > nr - 40 }' all.csv jobs.csv >compared ||
		fail "$source: $(cat compared)"
	echo "$source: $(cat compared)"
done
expect_status 3 grtrace record --source=tracefs --slower-than 1ms -o x.grt
expect_status 2 grtrace record --slower-than 1ms --summary
expect_eq "the filter afterwards" "$(cat "$GRT_DIR/filter_latency")" 0
