#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: on the real scheduler scripts have the stages that were worked out by hand
# kernels: 6.1
# requires: mock grtrace
# timeout: 600
# vm: own --icount
#
# A unit is so long that nothing the kernel does in between counts: the clock counts
# instructions there, and a wait costs none.
UNIT_MS=200
scenarios=$0/../scenarios

# Prints the differences between the expected table, the program's keys and the report.
differences()
{
	awk -F, -v unit_ns=${UNIT_MS}000000 '
	BEGIN { stage_cnt = split("t_order t_dep t_ring t_sched t_queue t_exec", stages, " ") }
	function bad(what) { print "  job " name ": " what }
	# A time in whole units; one in the middle between two is none.
	function units(ns,    whole) {
		if (ns == "")
			return "-"
		whole = int(ns / unit_ns + 0.5)
		if (ns - whole * unit_ns > unit_ns / 4 || whole * unit_ns - ns > unit_ns / 4)
			return ns " ns, too slow to tell,"
		return whole
	}
	function check(what, got, want) { if (got != want) bad(what " is " got ", expected " want) }
	FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
	file == 1 { wanted[$1] = $0; want_cnt++; next }
	file == 2 {
		name_of[$at[2, "ctx"] ":" $at[2, "seqno"]] = $at[2, "job"]
		told[$at[2, "job"]] = $at[2, "status"]
		next
	}
	{
		name = $at[3, "ctx"] ":" $at[3, "seqno"]
		if (!(name in name_of)) { bad("is in the report and nobody submitted it"); next }
		name = name_of[name]
		split(wanted[name], want, ",")
		for (i = 1; i <= stage_cnt; i++)
			check(stages[i], units($at[3, stages[i] "_ns"]), want[at[1, stages[i]]])
		check("status", $at[3, "status"], want[at[1, "status"]])
		if (told[name] != "")
			check("status, as the program saw it,", told[name], want[at[1, "status"]])
		job_cnt++
	}
	END {
		name = "count"
		check("of the report", job_cnt, want_cnt)
		check("of the program", length(told), want_cnt)
	}' "$@"
}

# run_scenario NAME: prints what is wrong; true if it could run
run_scenario()
{
	session_start
	status=0
	workload --script "$scenarios/$1.txt" --unit-ms $UNIT_MS --csv "$CASE_TMP/keys.csv" \
		>"$CASE_TMP/workload" 2>&1 || status=$?
	session_stop
	if [ $status -eq 4 ] && grep -q '^# needs: credits' "$scenarios/$1.txt"; then
		return 1
	fi
	[ $status -eq 0 ] || fail "$1: workload ended with $status: $(cat "$CASE_TMP/workload")"
	expect_stat lost_events 0
	cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/trace"
	grtrace report --all --jobs --format csv "$CASE_TMP/trace" >"$CASE_TMP/jobs.csv" || fail "report failed"
	differences "$scenarios/$1.out" "$CASE_TMP/keys.csv" "$CASE_TMP/jobs.csv" >"$CASE_TMP/differences"
	[ ! -s "$CASE_TMP/differences" ] || {
		echo "$1:"
		cat "$CASE_TMP/differences"
		bad_cnt=$((bad_cnt + 1))
	}
}

run_cnt=0 bad_cnt=0
for script in "$scenarios"/*.txt; do
	name=${script##*/}
	run_scenario "${name%.txt}" && run_cnt=$((run_cnt + 1))
done
echo "$run_cnt scenarios, $bad_cnt of them with other stages"
[ "$bad_cnt" -eq 0 ] || fail "stages differ"
[ "$run_cnt" -ge 20 ] || fail "only $run_cnt scenarios, so this proves nothing"
