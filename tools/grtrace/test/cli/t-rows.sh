#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: export --to ndjson: rows of jobs and of the report's tables, and a ledger with their sums
# Tests call these functions through ok(); jq reads $x, not the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

"$gen" scene pods pods.grt && "$gen" scene blame blame.grt && "$gen" scene lossy lossy.grt || exit 1

rows() { run 0 "$grtrace" export --to ndjson "$@" && mv out rows; }
# select FILTER: of all rows as an array
select() { jq -s -e "$1" rows > out 2> err; }
# A table of the report, without what rows have besides.
same_table()	# trace, name, options of report
{
	from=$1 table=$2
	shift 2
	"$grtrace" report -f json "$@" "$from" 2> err | jq -c ".$table[]" > report
	jq -c "select(.row == \"$table\") | del(.row, .segment, .host, .boot_id, .day, .realtime_ns, .nr)" rows |
		diff report - > err
}
same_jobs()
{
	"$grtrace" report -j -f json "$1" 2> err | jq -c . > report
	jq -c 'select(.row == "job") | del(.row, .segment, .day, .realtime_ns)' rows | diff report - > err
}

for trace in pods blame lossy; do
	ok "$trace: rows"			rows $trace.grt
	ok "$trace: jobs of the report"		same_jobs $trace.grt
	ok "$trace: what rings did"		same_table $trace.grt time --idle
	ok "$trace: who they were idle for"	same_table $trace.grt idle --idle
	ok "$trace: who waited for whom"	same_table $trace.grt blame --blame
	ok "$trace: in the end"			same_table $trace.grt roots --roots
	ok "$trace: which pods"			same_table $trace.grt pod_blame --per-pod --blame
	ok "$trace: in the end, too"		same_table $trace.grt pod_roots --per-pod --roots
	ok "$trace: the ledger is last"		select '(map(select(.row == "ledger")) | length) == 1 and last.row == "ledger"'
	ok "$trace: it counts jobs"		select 'last.jobs == (map(select(.row == "job")) | length)'
	ok "$trace: and other rows"		select 'last.nr == (map(select(.row != "job")) | length - 1)'
	ok "$trace: it sums up"			select '
		def sum(f): map(f | values) | add // 0;
		(map(select(.row == "job"))) as $jobs | last.exec_ns == ($jobs | sum(.t_exec_ns)) and
		last.exec_jobs == ($jobs | map(.t_exec_ns | values) | length) and
		last.total_ns == ($jobs | sum(.total_ns)) and last.total_jobs == ($jobs | map(.total_ns | values) | length) and
		last.waited_ns == (map(select(.row == "blame")) | sum(.waited_ns))'
	ok "$trace: no key comes twice"		select '
		(map(select(.row == "job") | [.host, .boot_id, .ctx, .seqno]) | length == (unique | length)) and
		(map(select(.row != "job") | [.host, .boot_id, .segment, .nr]) | length == (unique | length))'
	ok "$trace: rings are busy, idle or unknown"	select 'map(select(.row == "time") | .wall_ns ==
		(.busy_ns // .occupied_ns) + .starved_ns + .dependency_ns + .scheduler_ns + .hardware_ns +
		.recovery_ns + .unknown_ns) | all'
	cp rows first
	ok "$trace: the same again"		rows $trace.grt
	ok "$trace: row by row"			cmp first rows
done
rows pods.grt
ok "of a machine"			select 'map(.host == "node-1") | all'
ok "without a clock, the day is unknown"	select 'map(.day == null and .realtime_ns == null) | all'
rows lossy.grt
ok "what was lost is counted"		select 'last | .lost + .missing > 0'
ok "only jobs that match"		rows -F 'pid == 7' pods.grt
ok "are rows, and in the ledger"	select 'last.jobs == 1 and (map(select(.row == "job") | .pid) == [7])'

for name in pods.grt trace-001.grt; do
	cp pods.grt "./$name" 2> /dev/null
	ok "no file of --rotate: $name"	complains 3 "'./$name' is not a file of record --rotate" "without --segment any trace" \
		"$grtrace" export --to ndjson --segment "./$name"
done
ok "times do not fit"			complains 2 "takes one file and no times" "trace-0002.grt" "$grtrace" export --to ndjson --segment --since 1s pods.grt
ok "nor events"				complains 2 "takes one file and no times" "trace-0002.grt" "$grtrace" export --to ctf --segment pods.grt
ok "the last of what"			complains 2 "is for --segment" "--segment --last" "$grtrace" export --to ndjson --last pods.grt
cp pods.grt one-0001.grt
ok "a recording that is one file"	rows --segment one-0001.grt
ok "has all jobs"			same_jobs pods.grt
ok "no file is left behind"		[ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'grtrace-export.*' -newer first)" ]

end
