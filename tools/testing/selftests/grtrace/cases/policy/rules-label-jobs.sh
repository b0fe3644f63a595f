#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: rules flag exactly the jobs that the trace shows to match; a bad rule is refused with a hint at the right form
# kernels: 6.1
# requires: mock grtrace
JOBS=300

# hits LABEL
hits() { awk -F, -v label="$1" '$2 == label { print $3 }' "$GRT_DIR/rules"; }

rule() { echo "$1" >"$GRT_DIR/rules" || fail "rule '$1' was refused: $(cat "$GRT_DIR/error")"; }

# flagged NUMBER: keys of the jobs whose COMPLETE has the flag
flagged()
{
	awk -F, -v flag="RULE$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "COMPLETE" && ("|" $at["flags"] "|") ~ ("[|]" flag "[|]") {
			print $at["ctx"] ":" $at["seqno"] }' "$CASE_TMP/events.csv" | sort
}

# jobs CONDITION: keys of those that the report of the same trace finds; columns by name
jobs()
{
	awk -F, "
		function col(name) { return \$at[name] }
		NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i; next }
		$1 { print col(\"ctx\") \":\" col(\"seqno\") }" "$CASE_TMP/jobs.csv" | sort
}

# same NUMBER LABEL CONDITION
same()
{
	flagged "$1" >"$CASE_TMP/flagged"
	jobs "$3" >"$CASE_TMP/jobs"
	diff "$CASE_TMP/flagged" "$CASE_TMP/jobs" || fail "rule $2: flagged (-) and what the report says (+) differ"
	jobs "index(\"|\" col(\"flags\") \"|\", \"|rule$1|\")" >"$CASE_TMP/told"
	cmp "$CASE_TMP/flagged" "$CASE_TMP/told" || fail "rule $2: the report's flags are not those of COMPLETE"
	expect_eq "hits of $2" "$(hits "$2")" "$(wc -l <"$CASE_TMP/jobs")"
	echo "$2: $(hits "$2") of $JOBS jobs"
}

trap 'echo clear >"$GRT_DIR/rules"' EXIT
rule 'total > 50ms label=slow'
rule 't_submit_host > 5ms ring=gfx label=late'
rule 't_hw > 4ms label=long'
rule 'status != 0 label=failed'
rule 'total < 1us label=never'
rule 't_complete >= 0ns label=all'
rule 't_hw <= 4ms label=short'
rule 'status == 0 label=good'

session_start buffer_size=4M
workload --scenario mixed --jobs $JOBS >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
emit submit 700001 gfx 900 1
emit complete 700001 gfx 900 1 status=-5
session_stop
expect_stat jobs_in_flight 0
expect_stat jobs_overflow 0
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
grtrace dump --format csv "$CASE_TMP/pipe" >"$CASE_TMP/events.csv"
grtrace report --synthetic --jobs --format csv "$CASE_TMP/pipe" >"$CASE_TMP/jobs.csv" 2>"$CASE_TMP/said" ||
	fail "$(cat "$CASE_TMP/said")"

same 1 slow 'col("total_ns") != "" && col("total_ns") > 50000000'
same 2 late 'col("ring") == "gfx" && col("t_submit_host_ns") != "" && col("t_submit_host_ns") > 5000000'
same 3 long 'col("t_hw_ns") != "" && col("t_hw_ns") > 4000000'
same 4 failed 'col("status") != 0'
same 5 never 'col("total_ns") != "" && col("total_ns") < 1000'
same 6 all 'col("t_complete_ns") != ""'
same 7 short 'col("t_hw_ns") != "" && col("t_hw_ns") <= 4000000'
same 8 good 'col("status") == 0'
for label in slow long short failed; do
	n=$(hits $label)
	{ [ "$n" -gt 0 ] && [ "$n" -lt $JOBS ]; } || fail "$label hit $n of $JOBS jobs, so this run proves nothing"
done

rule 'total > 1s label=slow'
expect_eq "a rule with the label of another" "$(sed -n 2p "$GRT_DIR/rules")" '1,slow,0,total > 1s label=slow'
for label in late short good; do rule "off $label"; done
grep -q ',late,' "$GRT_DIR/rules" && fail "a rule that was switched off is there"
rule 'total > 1s label=seven'
rule 'total > 1s label=eight'
rule 'total > 1s label=nine'
refused()
{
	expect_refused rules "$1"
	grep -qF -- "$2" "$GRT_DIR/error" || fail "after '$1' the error file says: $(cat "$GRT_DIR/error")"
}
refused 'total > 1s label=ten'	    'places are taken'
refused 'off ten'		    'no rule has this label'
for stage in t_order t_dep t_ring t_sched t_queue t_exec t_gpu_wait t_wake t_ioctl t_sched_cpu; do
	refused "$stage > 1ms label=x" 'known to reports only'
done
refused 'total > 5 label=x'	    'a time is'
refused 'status != ok label=x'	    'a status is'
refused 'total > 5ms'		    'label=NAME'
refused 'nonsense'		    'a rule begins with one of'
refused ''			    'a rule begins with one of'
rule clear
expect_eq "rules after clear" "$(cat "$GRT_DIR/rules")" 'number,label,hits,rule'
