#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: A waits for B of another ring, B is behind C, D behind A: matrix and --why name who held up whom, and for how long
# kernels: 6.1
# requires: mock grtrace
# timeout: 300
# vm: own --icount
UNIT_MS=200
script=$0/../scenarios/culprit-on-another-ring.txt

# begin_trace, end_trace: lossless, in ./trace
begin_trace() { session_start buffer_size=1M; }
end_trace() { session_stop; expect_stat lost_events 0; cat "$GRT_DIR/trace_pipe" >trace; }

# cells FILE COLUMN...: these columns, times in units, one line per row of a wait
cells()
{
	file=$1
	shift
	awk -F, -v columns="$*" -v unit_ns=${UNIT_MS}000000 '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(columns, name, " "); next }
	("step" in at) && $at["step"] != "wait" { next }
	{
		line = ""
		for (i = 1; i <= n; i++) {
			if (!(name[i] in at)) { print "no column " name[i]; exit }
			value = $at[name[i]]
			if (name[i] ~ /_ns$|^ns$/ && value != "")
				value = int(value / unit_ns + 0.5)
			line = line (i > 1 ? " " : "") (value == "" ? "-" : value)
		}
		print line
	}' "$file"
}

expect_lines() { [ "$2" = "$3" ] || fail "$1 says
$2
expected
$3"; }

# why JOB: the waits of a tenth of a unit or more, with names in place of keys
why()
{
	key=$(awk -F, -v job="$1" '$1 == job { print $2 ":" $3 }' keys.csv)
	grtrace report --all --why "$key" --format csv trace >why.csv || fail "report --why $key failed"
	cells why.csv depth ctx seqno stage through ns by_ctx by_seqno | awk '
		NR == FNR { split($0, row, ","); name[row[2] " " row[3]] = row[1]; next }
		$6 { print $1, name[$2 " " $3], $4, $5, $6, name[$7 " " $8] }' keys.csv -
	# The same in the text output.
	grtrace report --all --why "$key" --steps trace >why || fail "report --why $key failed"
	for culprit in $2; do
		grep -qF " $(awk -F, -v job="$culprit" '$1 == job { print $2 ":" $3 }' keys.csv) (" why ||
			fail "--why of $1 does not name $culprit: $(cat why)"
	done
}

cd "$CASE_TMP"
begin_trace
workload --script "$script" --unit-ms $UNIT_MS --csv keys.csv >out 2>&1 || fail "$(cat out)"
end_trace
grtrace report --all --blame --format csv trace >blame.csv || fail "report --blame failed"
expect_lines "the matrix (victim's ring, through, time, jobs, culprit's ring)" \
	"$(cells blame.csv ring through waited_ns jobs by_ring | grep -v ' 0 ')" \
"gfx fence 10 2 compute
compute ring 3 1 compute
gfx ring 1 1 gfx"
expect_lines "--why of A (depth, job, stage, through, time, culprit)" "$(why A 'B C')" \
"0 A t_dep fence 5 B
1 B t_queue ring 3 C"
expect_lines "--why of D" "$(why D 'B C A')" \
"0 D t_order fence 5 B
1 B t_queue ring 3 C
0 D t_queue ring 1 A"
expect_lines "--why of C, which nobody held up" "$(why C '')" ""

# Two processes; each job needs a job of the other process, which is to blame.
begin_trace
workload --scenario chain --jobs 60 --processes 2 >out 2>&1 || fail "$(cat out)"
end_trace
grtrace report --blame --format csv trace >blame.csv || fail "report --blame failed"
cells blame.csv through pid by_pid | grep '^fence ' >fences || fail "nobody waited for a fence"
cat fences
[ "$(cut -d ' ' -f 2 fences | sort -u | wc -l)" -eq 2 ] || fail "not both processes waited"
! awk '$2 == $3' fences | grep . || fail "a process is to blame for what it waited for"
