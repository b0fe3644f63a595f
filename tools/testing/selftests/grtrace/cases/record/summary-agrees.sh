#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --summary counts in the kernel what a report of the module's events says, and no event comes out
# kernels: 6.1
# requires: mock grtrace
# timeout: 400
# vm: own --icount --timeout 500
#
# The clock counts instructions there: a host that is busy elsewhere cannot come between the stamps
# of the module and of the programs.
cd "$CASE_TMP"

session_start
grtrace record --summary -f csv -s 300ms -- workload --scenario mixed --jobs 400 --processes 3 --csv work.csv >out 2>err ||
	fail "record failed: $(cat err)"
session_stop
cat "$GRT_DIR/trace_pipe" >trace
[ ! -e trace.grt ] || fail "there is a file"
# The last table is the one at the end.
awk '/^ring,device,pid/ { table = "" } { table = table $0 "\n" } END { printf "%s", table }' out >last
awk '/^$/ { exit } { print }' last >sums.csv
awk 'is_hist { print } /^$/ { is_hist = 1 }' last >hist.csv
cat sums.csv
[ "$(grep -c '^ring,device,pid' out)" -gt 1 ] || fail "no table at an interval"
grtrace report --all --jobs --format csv trace >jobs.csv
awk -F, '
	function near(what, a, b, off) {
		if (a - b > off || b - a > off) { print what ": " a ", the report says " b; bad++ } }
	FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
	function col(name) { return $at[file, name] }
	{ key = col("ring") " " col("pid") }
	file == 1 { jobs[key]++; busy[key] += col("t_exec_ns"); host[key] += col("t_submit_host_ns"); hw[key] += col("t_hw_ns")
		failed[key] += col("status") != "0" && col("status") != ""; next }
	{
		rows++; all += col("jobs")
		near(key " jobs", col("jobs"), jobs[key], 0)
		near(key " busy", col("busy_ns"), busy[key], busy[key] / 50 + 1e6)
		near(key " t_submit_host", col("t_submit_host_ns"), host[key], host[key] / 50 + 1e6)
		near(key " t_hw", col("t_hw_ns"), hw[key], hw[key] / 50 + 1e6)
		if (col("t_hw_jobs") != jobs[key] || col("t_submit_host_jobs") != jobs[key]) { print key ": stages of " col("t_hw_jobs"); bad++ }
		if (col("t_hw_p99_below_ns") < hw[key] / jobs[key] / 2) { print key ": p99"; bad++ }
		delete jobs[key]
	}
	END { for (key in jobs) { print "not summed up: " key; bad++ }
		print rows " rows, " all " jobs"; exit bad || all != 400 }' jobs.csv sums.csv >compared || fail "$(cat compared)"
cat compared
expect_eq "jobs in the histograms" "$(awk -F, 'NR > 1 { a += $4; b += $5 } END { print a, b }' hist.csv)" "400 400"
grtrace record --summary -- workload --scenario mixed --jobs 50 >text 2>err || fail "text: $(cat err)"
grep -q 't_submit_host' text || fail "no table as text: $(cat text)"
cat text
grtrace record --summary -f json -q -- sh -c 'workload --scenario mixed --jobs 50 >/dev/null' >out.json
grep -q '"histograms"' out.json || fail "no JSON: $(cat out.json)"
# Chosen ones only
grtrace record --summary -q -f csv --ring gfx -- sh -c 'workload --scenario mixed --jobs 50 >/dev/null' >ring
expect_eq "rings" "$(awk -F, '/^$/ { exit } NR > 1 { print $1 }' ring | sort -u)" gfx
expect_status 3 grtrace record --summary --source=module
expect_status 2 grtrace record --summary -o x.grt
