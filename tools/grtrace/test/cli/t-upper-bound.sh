#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a time that a driver may have noticed late is shown as an upper bound everywhere
# Tests call these functions through ok(). $names and the like are variables of awk and jq, not of the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

late=$golden/bounds/retire-only.txt
one=$golden/import/i915-coalesced-last.txt
exact=$golden/import/sched-617.txt

shows() { "$grtrace" report "$@" > out 2> err; }
# Each time of a row that names a process has the sign; there are this many.
all_marked()
{
	[ "$(grep "\[934\]\\|\[999\]" out | grep -o "<=[0-9]" | wc -l)" -eq "$1" ] &&
		! grep "\[934\]\\|\[999\]" out | grep -q " [0-9][0-9.]* m\{0,1\}s"
}

shows "$late"
ok "the first screen and the worst jobs: each total"	all_marked 9
ok "the screen says what the sign means"	grep -q "^ <= at most: " out
shows --per-ring "$late"
ok "quantiles, sum and mean of a ring"		[ "$(grep -c 'total  *4  *<=1.604 s .* <=2.0 ms  *<=401.0 ms' out)" -eq 1 ]
ok "which the table says"			grep -q "^ <= at most: " out
shows --jobs "$late"
ok "each job"					[ "$(grep -c '^2[01]:.* <=[0-9.]* m\{0,1\}s' out)" -eq 4 ]
shows --jobs "$one"
ok "END from a later job: the run is a bound"	grep -q '^20:10 .* <=2.0 ms  *<=2.0 ms .* <=2.1 ms' out
ok "that of the later job is none"		sh -c "grep '^20:11 ' out | grep -qv '<='"
shows "$exact"
ok "no bound, no sign"				sh -c "! grep -q '<=' out"

# Of the three requests, 20:11 and 20:12 have events of their own. 20:10 ended with 20:11 at 2.080 ms or before: its run
# and total are upper bounds, 2.000 ms and 2.070 ms. Those of 20:11 are not known and 2.030 ms, of 20:12 1.000 ms and
# 1.070 ms.
cp "$golden/bounds/mixed.txt" mixed.txt || exit 1
sed '/seqno=1[01]/d' mixed.txt > plain.txt

# pick COLUMN...: these columns of CSV, by name; a column that is not there is a question mark.
pick()
{
	awk -F, -v names="$*" '
		/^$/ { exit }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
		{ for (i = 1; i <= n; i++) printf "%s%s", name[i] in at ? $at[name[i]] : "?", i < n ? "," : "\n" }'
}
# csv WANTED COLUMN... -- ARGUMENT...: the first row of what grtrace prints
csv()
{
	wanted=$1 columns=''
	shift
	while [ "$1" != -- ]; do
		columns="$columns $1"
		shift
	done
	shift
	# shellcheck disable=SC2086	# names are words
	"$grtrace" "$@" -f csv 2> err | pick $columns > out
	[ "$(head -n 1 out)" = "$wanted" ]
}
# holds FILTER ARGUMENT...: of the JSON that grtrace prints
holds()
{
	filter=$1
	shift
	"$grtrace" "$@" > json 2> err
	jq -e "$filter" json > out 2>> err
}
sums="jobs t_exec_count t_exec_sum_ns t_hw_count total_count total_sum_ns total_max_ns upper_bounds"
# shellcheck disable=SC2086	# names are words
{
ok "CSV: bounds are in no sum"			csv 3,1,1000000,2,2,3100000,2030000,1 $sums -- report --per-ring mixed.txt
ok "a row of only bounds: nothing is known"	csv 4,0,,0,0,,,4 $sums -- report --per-ring "$late"
ok "no bound: all is known"			csv 1,1,1000000,1,1,1070000,1070000,0 $sums -- report --per-ring plain.txt
ok "also per context, where rows have few jobs"	csv 3,1,1000000,2,2,3100000,2030000,1 $sums -- report --per-ctx mixed.txt
ok "and per process"				csv 3,1,1000000,2,2,3100000,2030000,1 $sums -- report --per-process mixed.txt
}
ok "shares are of the totals that are known"	csv 0.322581,1.000000 t_exec_share total_share -- report --per-ring mixed.txt
ok "the job itself has its times, and flags"	csv '2000000,2070000,inferred_start|upper_bound|inferred_end|inferred_complete' \
	t_exec_ns total_ns flags -- report --jobs mixed.txt
ok "JSON: the same"		holds '.ring_processes[0] | .upper_bounds == 1 and .stages.total.count == 2 and
	.stages.total.sum_ns == 3100000 and .stages.t_exec.max_ns == 1000000' report -f json mixed.txt
ok "of the trace"		holds '.trace.upper_bounds == 1' report -f json mixed.txt
ok "histograms"			holds '[.latencies[] | select(.stage == "total") | .jobs] | add == 2' report -f json --hist lat mixed.txt
shows --hist lat mixed.txt
ok "as text, histograms say it"	grep -q '^ total, at most ' out

ok "several traces: bounds are in no sum"	csv 3,1,1000000,2030000,1 jobs exec_jobs exec_ns max_ns upper_bounds -- report mixed.txt plain.txt
shows mixed.txt plain.txt
ok "as text: they have the sign"		grep -q 'mixed.txt .* 3 .* <=3.0 ms  *<=[0-9.]* ms  *<=[0-9.]* ms  *<=2.1 ms' out
ok "other traces have none"			sh -c "grep 'plain.txt' out | grep -qv '<='"
ok "which the table says"			grep -q "^ <= at most: " out
ok "per second: bounds are in no quantile"	csv '2,2030000,1' jobs total_p99_ns upper_bounds -- report --per-second "$one"
shows --per-second mixed.txt
ok "as text: they have the sign"		grep -q ' 0.000000 s .* <=2.0 ms  *<=2.1 ms' out
ok "which the table says"			grep -q "^ <= at most: " out
ok "the wait in full: the run"			sh -c "'$grtrace' report --why 20:10 --steps mixed.txt | grep -q ' runs  *<=2.0 ms '"
shows --why 20:10 mixed.txt
ok "in short"					grep -q '^ *<=2.0 ms .* it ran$' out
ok "and in the chain"				grep -q '20:10 .* ran <=2.0 ms$' out

"$grtrace" diff --all-rows mixed.txt mixed.txt > out 2> err
ok "a comparison is without them"		grep -q 'rcs0 .* total .* 2  *2  *unsure$' out
ok "and says so"				grep -q '^2 jobs only show when they were over at the latest' out
ok "as data, too"		holds '.a[0].upper_bounds == 1 and ([.rows[] | select(.stage == "total") | .a_jobs] | all(. == 2))' \
	diff -f json mixed.txt mixed.txt
"$grtrace" diff plain.txt plain.txt > out 2> err
ok "a comparison without bounds says nothing"	sh -c "! grep -q 'at the latest' out"

ok "top: rings"			holds '.rings[0] | .exec_p99_ns == 1000000 and .upper_bounds == 1' top --batch -f json mixed.txt
ok "top: a process with a bound: its time is not known"	holds '.processes[0] | .exec_ns == null and .upper_bounds == 1' \
	top --batch -f json mixed.txt
ok "without: it is"		holds '.processes[0] | .exec_ns == 1000000 and .upper_bounds == 0' top --batch -f json plain.txt

ok "monitor: bounds are in no sum"	holds 'select(.statistics) | .rings[0] | .exec_count == 1 and .total_sum_ns == 3100000 and
	.run_to_complete_count == 2 and .upper_bounds == 1' monitor --quiet --json i915 mixed.txt
"$grtrace" monitor --quiet i915 mixed.txt > out 2> err
ok "as text, they have the sign"	grep -q '^ rcs0 .* <=2.0 ms  *<=2.0 ms  *<=2.1 ms$' out
ok "which it explains"		grep -q '^ <= at most: ' out
ok "bars say it"		grep -q '^total of rcs0 (SUBMIT to COMPLETE, at most)$' out
"$grtrace" monitor i915 "$late" > out 2> err
ok "monitor without bounds"	sh -c "'$grtrace' monitor i915 plain.txt > out 2> err && ! grep -q '<=\|at most' out"

metric()	# sample, value
{
	"$grtrace" serve --textfile out mixed.txt 2> err && grep "^$1{" out > samples && [ "$(sed 's/.* //' samples)" = "$2" ]
}
ok "metrics: totals"		metric grtrace_job_seconds_sum 0.0031
ok "metrics: runs"		metric grtrace_exec_seconds_total 0.001
ok "metrics: the run of a bound is not known"	metric grtrace_exec_unknown_jobs_total 2

"$grtrace" export --to ndjson -o rows mixed.txt 2> err
ok "rows: a job has its times, and flags"	sh -c "jq -es '.[] | select(.row == \"job\" and .seqno == 10) |
	.total_ns == 2070000 and (.flags | contains(\"upper_bound\"))' rows > out"
ok "the ledger counts all rows"	sh -c "jq -es '.[] | select(.row == \"ledger\") | .total_jobs == 3 and .total_ns == 5170000' rows > out"
asks()		# question, answer
{
	command -v sqlite3 > sqlite || return 0
	rm -f room.db
	sqlite3 room.db ".read $tools/sql/sqlite/load.sql" < rows > out 2> err &&
		sqlite3 room.db ".read $tools/sql/sqlite/$1.sql" > out 2>> err && grep -qxF -e "$2" out
}
ok "questions to databases: p99"	asks p99-per-day-and-pod '||2|2030000'
ok "how long pods ran"			asks gpu-time-per-pod '||1000000|3|2'
ok "the worst job has its flag"		asks worst-jobs "||card0|rcs0|20:10|Xorg|2070000|2000000|mixed.txt|inferred_start|upper_bound|inferred_end|inferred_complete"
end
