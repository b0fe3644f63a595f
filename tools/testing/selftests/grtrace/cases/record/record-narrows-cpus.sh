#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record -M keeps the events of some CPUs, counts the others, and says so, with bpf and tracefs
# kernels: 6.1
# requires: mock grtrace
# timeout: 120
cd "$CASE_TMP"
[ "$(nproc)" -gt 1 ] || skip "one CPU"

# on_cpu TEST: how many events of jobs a dump, on stdin, has on such CPUs
on_cpu()
{
	awk -F, -v other="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] ~ /^(SUBMIT|COMMIT|END|COMPLETE|DEPENDENCY)$/ && ($at["cpu"] != 0) == other { nr++ }
		END { print nr + 0 }'
}
for source in bpf tracefs; do
	rm -f ./*.grt
	grtrace record --source=bpf -q -o all.grt -- grtrace record --source=$source -q -M 0 -o f.grt -- \
		workload --scenario mixed --jobs 200 --processes 4 >out || fail "$source: $(cat out)"
	grtrace verify -s 1s f.grt >said || fail "$source: $(cat said)"
	grtrace dump --format csv all.grt >all
	grtrace dump --format csv f.grt >events
	echo "$source: $(on_cpu 0 <events) events on CPU 0, $(on_cpu 1 <all) on others, $(told_lost FILTERED_EXT <events) left out"
	[ "$(on_cpu 1 <all)" -gt 0 ] || fail "no event was on CPU 1, so this run proves nothing"
	expect_eq "$source: events of other CPUs" "$(on_cpu 1 <events)" 0
	[ "$(on_cpu 0 <events)" -gt 0 ] || fail "$source: nothing was recorded"
	[ "$(told_lost FILTERED_EXT <events)" -ge "$(on_cpu 1 <all)" ] || fail "$source: events are left out without a word"
	grtrace report --all f.grt | grep '^policy: record_cpus=0' || fail "$source: the report does not say so"
	# Not all events of a job were on CPU 0: its total is unknown, or right.
	grtrace report --all --jobs --format csv f.grt >jobs.csv
	grtrace report --all --jobs --format csv all.grt >truth.csv
	awk -F, 'FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
		function col(name) { return $at[file, name] }
		{ key = col("ctx") ":" col("seqno") }
		file == 1 { total[key] = col("total_ns"); next }
		col("total_ns") != "" && (col("total_ns") - total[key] > 50e6 || total[key] - col("total_ns") > 50e6) {
			print key ": " col("total_ns") ", was " total[key]; bad++ }
		END { exit bad > 0 }' truth.csv jobs.csv >off || fail "$source: $(head -3 off)"
done
expect_status 3 grtrace record --source=module -M 0 -o x.grt
