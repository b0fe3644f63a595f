#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: rows of a trace of several machines: all jobs of each, in databases, too, with a ledger for each
# Tests call these functions through ok(). $x is a variable of jq, not of the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"
command -v sqlite3 > /dev/null || { echo "1..0 # SKIP no sqlite3"; exit 0; }
sql=$tools/sql/sqlite

# Three machines that a definition in their stream names, with 8 jobs each.
for n in 1 2 3; do
	"$gen" scene pods | LC_ALL=C sed "s/host=node-1/host=node-$n/; s/boot_id=1111/boot_id=${n}000/" > pods$n || exit 1
done
"$grtrace" merge -o defined.grt pods1 pods2 pods3 > out || exit 1
# Two that only the head of their file names, with 1,200 jobs each; another boot of the first one.
"$gen" boot heron 1700000000 100 heron.grt && "$gen" boot heron 1700001000 10 later.grt &&
	"$gen" boot ibis 1699999000 1100.002 ibis.grt || exit 1
"$grtrace" merge -o heads.grt heron.grt ibis.grt > out && "$grtrace" merge -o namesakes.grt heron.grt later.grt > out &&
	"$grtrace" merge -o all.grt defined.grt heads.grt > out || exit 1

rows() { run 0 "$grtrace" export --to ndjson "$@" && mv out rows; }
holds() { jq -s -e "$1" rows > out 2> err; }
# What each ledger says is what rows with its names add up to, and each row has a ledger.
ledgers_sum_up()
{
	holds '
		def sum(f): map(f | values) | add // 0;
		map(select(.row == "ledger")) as $ledgers | map(select(.row == "job")) as $jobs |
		map(select(.row | IN("ledger", "job") | not)) as $sums |
		($ledgers | map([.host, .boot_id]) | length == (unique | length)) and
		($ledgers | sum(.jobs)) == ($jobs | length) and ($ledgers | sum(.nr)) == ($sums | length) and
		($ledgers | map(. as $l | ($jobs | map(select(.host == $l.host and .boot_id == $l.boot_id))) as $own |
			($sums | map(select(.host == $l.host and .boot_id == $l.boot_id))) as $tables |
			.jobs == ($own | length) and .nr == ($tables | length) and
			.exec_ns == ($own | sum(.t_exec_ns)) and .exec_jobs == ($own | map(.t_exec_ns | values) | length) and
			.total_ns == ($own | sum(.total_ns)) and .total_jobs == ($own | map(.total_ns | values) | length) and
			.waited_ns == ($tables | map(select(.row == "blame")) | sum(.waited_ns))) | all)'
}
# The ledgers sum to what the report says: events, and how many are missing.
all_events_count()	# trace
{
	told=$("$grtrace" report -f json "$1" 2> err | jq -c '.trace | [.events, (.lost | add)]')
	[ "$(jq -s -c 'map(select(.row == "ledger")) | [(map(.events) | add), (map(.lost + .left_out + .missing) | add)]' rows)" = "$told" ]
}
load() { run 0 sqlite3 "$1" ".read $sql/load.sql" < rows; }
jobs_in() { [ "$(sqlite3 "$1" 'select count(*) from job' 2> err)" = "$2" ]; }
is_reconciled() { [ -z "$(sqlite3 "$1" ".read $sql/not-reconciled.sql" 2>&1)" ]; }
same_by_export()	# trace, its jobs
{
	rm -f made.db loaded.db
	run 0 "$grtrace" export --to sqlite -o made.db "$1" && jobs_in made.db "$2" && is_reconciled made.db &&
		load loaded.db && sqlite3 made.db .dump > a && sqlite3 loaded.db .dump > b && cmp a b
}

# All but the name of the file.
same_rows()
{
	jq -c "del(.trace)" whole > a
	jq -c "del(.trace)" rows | diff a - > err
}
ledgers()
{
	[ "$(jq -r 'select(.row == "ledger") | "\(.host // "-") \(.jobs)"' rows | LC_ALL=C sort | tr '\n' ' ')" = "$1 " ]
}

while read -r trace jobs ledgers; do
	ok "$trace: rows"			rows "$trace.grt"
	ok "$trace: each machine has a ledger"	ledgers "$ledgers"
	ok "$trace: they sum up"		ledgers_sum_up
	ok "$trace: all events count"		all_events_count "$trace.grt"
	ok "$trace: the ledger of the tables is last"	holds 'last.row == "ledger" and last.nr > 0'
	ok "$trace: load"			load room.db
	ok "$trace: all jobs are there"		[ "$(cat out)" = "loaded $jobs jobs of 1 traces" ]
	ok "$trace: and all other rows"		is_reconciled room.db
	sqlite3 room.db .dump > once
	ok "$trace: load it again"		load room.db
	ok "$trace: nothing changes"		sh -c 'sqlite3 room.db .dump | cmp - once'
	ok "$trace: --to sqlite makes the same database"	same_by_export "$trace.grt" "$jobs"
	cp "$trace.grt" "$trace-0001.grt"
	cp rows whole
	ok "$trace: as the only file of a recording"	rows --segment "$trace-0001.grt"
	ok "$trace: has the same rows"		same_rows
done <<END
defined 24 - 0 node-1 8 node-2 8 node-3 8
heron 1200 heron 1200
heads 2400 - 0 heron 1200 ibis 1200
namesakes 2400 heron 2400
all 2424 - 0 heron 1200 ibis 1200 node-1 8 node-2 8 node-3 8
END
rows defined.grt
ok "tables of several machines name none"	holds 'map(select(.row != "job" and .row != "ledger") | .host == null and .boot_id == null) | all'
rows namesakes.grt
ok "but what all have in common"	holds 'map(.host == "heron" and .boot_id == null) | all'
ok "so does the report"			[ "$("$grtrace" report -f json defined.grt 2> err | jq -c '.trace | [.host, .boot_id]')" = '[null,null]' ]
ok "jobs have the host of the head"	[ "$("$grtrace" report -j -f csv heads.grt 2> err | grep -c -e ,heron, -e ,ibis,)" = 2400 ]
end
