#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: export --to ndjson: rows of jobs and of the report's tables, and a ledger with their sums
# Tests call these functions through ok(). $x is a variable of jq, not of the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

"$gen" scene pods pods.grt && "$gen" scene blame blame.grt && "$gen" scene lossy lossy.grt || exit 1

rows() { run 0 "$grtrace" export --to ndjson "$@" && mv out rows; }
# holds FILTER: of all rows as an array
holds() { jq -s -e "$1" rows > out 2> err; }
# A table of the report, without what rows have besides.
same_table()	# trace, name, options of report
{
	from=$1 table=$2
	shift 2
	"$grtrace" report -f json "$@" "$from" 2> /dev/null | jq -c ".${table}[]" > told
	jq -c "select(.row == \"$table\") | del(.row, .segment, .host, .boot_id, .day, .realtime_ns, .nr)" rows |
		diff told - > err
}
same_jobs()
{
	"$grtrace" report -j -f json "$1" 2> /dev/null | jq -c . > told
	jq -c 'select(.row == "job") | del(.row, .segment, .day, .realtime_ns, .owner)' rows | diff told - > err
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
	ok "$trace: the ledger is last"		holds '(map(select(.row == "ledger")) | length) == 1 and last.row == "ledger"'
	ok "$trace: it counts jobs"		holds 'last.jobs == (map(select(.row == "job")) | length)'
	ok "$trace: and other rows"		holds 'last.nr == (map(select(.row != "job")) | length - 1)'
	ok "$trace: it sums up"			holds '
		def sum(f): map(f | values) | add // 0;
		(map(select(.row == "job"))) as $jobs | last.exec_ns == ($jobs | sum(.t_exec_ns)) and
		last.exec_jobs == ($jobs | map(.t_exec_ns | values) | length) and
		last.total_ns == ($jobs | sum(.total_ns)) and last.total_jobs == ($jobs | map(.total_ns | values) | length) and
		last.waited_ns == (map(select(.row == "blame")) | sum(.waited_ns))'
	ok "$trace: no key comes twice"		holds '
		(map(select(.row == "job") | [.host, .boot_id, .ctx, .seqno]) | length == (unique | length)) and
		(map(select(.row != "job") | [.host, .boot_id, .segment, .nr]) | length == (unique | length))'
	ok "$trace: rings are busy, idle or unknown"	holds 'map(select(.row == "time") | .wall_ns ==
		(.busy_ns // .occupied_ns) + .starved_ns + .dependency_ns + .scheduler_ns + .hardware_ns +
		.recovery_ns + .unknown_ns) | all'
	cp rows first
	ok "$trace: the same again"		rows $trace.grt
	ok "$trace: row by row"			cmp first rows
done
rows pods.grt
ok "of a machine"			holds 'map(.host == "node-1") | all'
ok "without a clock, the day is unknown"	holds 'map(.day == null and .realtime_ns == null) | all'
rows lossy.grt
ok "what was lost is counted"		holds 'last | .lost + .missing > 0'
ok "only jobs that match"		rows -F 'pid == 7' pods.grt
ok "are rows, and in the ledger"	holds 'last.jobs == 1 and (map(select(.row == "job") | .pid) == [7])'

# The same in SQLite.
sql=$tools/sql/sqlite
load() { run 0 sqlite3 room.db ".read $sql/load.sql" < rows; }
ask() { sqlite3 room.db "$1" > out 2> err; }
answers()	# name of a question, expected lines
{
	ask ".read $sql/$1.sql" && printf '%s\n' "$2" | tr ';' '\n' | sed 's/^[ \t]*//; /^$/d' | diff - out > err
}
ok "SQLite: rows of pods"		rows pods.grt
ok "SQLite: load"			load
ok "SQLite: is told"			grep -q '^loaded 8 jobs of 1 traces$' out
ok "SQLite: other rows"			rows blame.grt
ok "SQLite: load them, too"		load
ok "SQLite: twice"			load
ok "SQLite: each job is there once"	answers gpu-time-per-pod "$(
	for trace in pods blame; do
		"$grtrace" export --to ndjson $trace.grt 2> err | jq -s -r 'map(select(.row == "job")) | group_by(.owner)[] |
			[.[0].host, .[0].owner, (map(.t_exec_ns | values) | add // 0), length, (map(select(.t_exec_ns == null)) | length)] | join("|")'
	done | sort -t '|' -k 3,3nr -k 1,1 -k 2,2)"
ok "SQLite: rings as in the report"	answers idle-by-cause "$(
	for trace in blame pods; do
		"$grtrace" report --idle -f json $trace.grt 2> err | jq -r --arg host "$([ $trace = pods ] && echo node-1)" '
			.time | map(select(.scope == "ring")) | sort_by(.ring)[] | [$host, .device, .ring, .wall_ns, .busy_ns,
			.occupied_ns, .starved_ns, .dependency_ns, .scheduler_ns, .hardware_ns, .recovery_ns, .unknown_ns] | join("|")'
	done)"
ok "SQLite: all waits"			ask 'select sum(waited_ns) = (select sum(waited_ns) from blame) from pod_blame'
ok "SQLite: are in both tables"		[ "$(cat out)" = 1 ]
ok "SQLite: p99"			answers p99-per-day-and-pod "||6|8000000; |ml/train-0|2|3960000;
	|docker dddddddddddd|1|2980000; |pod 5e54e000-0000-4000-8000-00000000beef|1|2000000; |app-desktop.scope|1|120000;
	|slurm job 42|1|120000"
sqlite3 room.db .dump > dump
sql_of() { "$grtrace" export --to sqlite -o "$2" "$1" > out 2> err; }
ok "--to sqlite: a trace"		sql_of pods.grt made.db
ok "--to sqlite: is told"		grep -q '^made.db: 8 jobs, ' err
ok "--to sqlite: another one"		sql_of blame.grt made.db
ok "--to sqlite: twice"			sql_of blame.grt made.db
ok "--to sqlite: the same as by load.sql"	sh -c 'sqlite3 made.db .dump | diff - dump > err'
ok "--to sqlite: only its owner reads it"	[ "$(stat -c %a made.db)" = 600 ]
ok "--to sqlite: what is no trace"	complains 4 "'rows' is no trace" "grtrace reads .grt files" "$grtrace" export --to sqlite -o made.db rows
ok "--to sqlite: changes nothing"	sh -c 'sqlite3 made.db .dump | diff - dump > err'
ok "--to sqlite: nor makes a database"	sh -c '! "$1" export --to sqlite -o new.db rows 2> err && [ ! -e new.db ]' sh "$grtrace"
cp rows other
# All that rows of jobs have is a column, in an old database, too.
columns() { sqlite3 "$1" 'select * from pragma_table_info("job")' | cut -d '|' -f 2 | sort; }
"$grtrace" export --to ndjson -o - pods.grt 2> err | jq -r 'select(.row == "job") | keys_unsorted[] | select(. != "row")' | sort -u > members
ok "--to sqlite: each member of a job is a column"	sh -c 'sqlite3 made.db "select name from pragma_table_info(\"job\")" | sort | diff members -'
ok "--to sqlite: blame names clients"	sh -c 'sqlite3 made.db "select client_id, by_client_id from blame limit 1" > out'
old=$(columns made.db | grep -vx -e host -e boot_id -e ctx -e seqno -e t_gpu_wait_ns -e t_sched_cpu_ns -e t_wake_ns -e t_ioctl_ns -e pidns -e cgroup_id |
	sed 's/$/,/')
sqlite3 old.db "create table job (host text not null, boot_id text not null, ctx integer not null, seqno integer not null,
	$old primary key (host, boot_id, ctx, seqno)) without rowid"
ok "--to sqlite: a database of an older version"	sql_of pods.grt old.db
ok "--to sqlite: has them, too"		sh -c 'sqlite3 old.db "select name from pragma_table_info(\"job\")" | sort | diff members -'

# A new database has its name only when it is whole, and no journal is ever beside it.
"$gen" bulk 0 5000 > big.raw
left() { ! find . -name 'full.db*' | grep .; }
ok "--to sqlite: a full disk"		sh -c "ulimit -f 100; trap '' XFSZ; ! '$grtrace' export --to sqlite -o full.db big.raw 2> err"
ok "--to sqlite: leaves nothing"		left
for signal in KILL TERM INT; do
	for pause in 0 0.02 0.05 0.1; do
		"$grtrace" export --to sqlite -o full.db big.raw 2> err &
		sleep $pause
		kill -$signal $! 2> err
		wait $! 2> err
		[ ! -e full.db ] || [ "$(sqlite3 full.db 'select count(*) from ledger')" = 1 ] || echo "$signal after $pause s" >> torn
		rm -f full.db
	done
done
ok "--to sqlite: the whole database or none, whenever it is killed"	[ ! -e torn ]
ok "--to sqlite: the next one"		sql_of big.raw full.db
rm -f full.db
ok "--to sqlite: sweeps what they left"	left
sqlite3 full.db "pragma journal_mode = persist; create table t (a); insert into t values (1)" > out
rm full.db
ok "--to sqlite: beside the journal of one that is gone"	sh -c 'ls full.db-journal && "$1" export --to sqlite -o full.db pods.grt' sh "$grtrace"
ok "--to sqlite: has its jobs"		[ "$(sqlite3 full.db 'select count(*) from job')" = 8 ]
ok "--to sqlite: not a database"	complains 3 "cannot write 'other': file is not a database" \
	"name a database of SQLite, or a file that does not exist" "$grtrace" export --to sqlite -o other pods.grt
ok "--to sqlite: it is as it was"	cmp rows other
ok "--to sqlite: no standard output"	complains 2 "a database cannot be written to standard output" \
	"grtrace export --to sqlite -o room.db" "$grtrace" export --to sqlite -o - pods.grt
head -n 5 rows > part && mv part rows
ok "SQLite: half of the rows"		load
ok "SQLite: are left out"		grep -q '^no ledger, left out: 5 rows$' out
ok "SQLite: all traces are whole"	sh -c "[ -z \"\$(sqlite3 room.db '.read $sql/not-reconciled.sql')\" ]"
ask 'delete from job where seqno = 1 and ctx = 1; delete from sums where nr = 3'
ok "SQLite: no longer"			sh -c "sqlite3 room.db '.read $sql/not-reconciled.sql' | cut -d '|' -f 5,8 | grep -q '^1|1$'"
ok "SQLite: the worst jobs"		sh -c "sqlite3 room.db '.read $sql/worst-jobs.sql' | grep -q '|3960000|1000000|'"

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
