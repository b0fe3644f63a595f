#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rotated recordings of three machines in three servers of ClickHouse: each file is sent twice, and one load is
# killed.  Sums are those of grtrace report to the nanosecond, and the six questions have the same answers in
# SQLite, DuckDB and today's ClickHouse.  When a server is down, a question says what is missing.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../clickhouse.sh"
trap 'ch_stop_all; rm -rf "$work"' EXIT
grtrace=$GRT_ROOT/tools/grtrace/grtrace load=$GRT_ROOT/tools/grtrace/grtrace-load
share=$work/share
mkdir -p "$share"

# --- recordings: three names in one guest --------------------------------------------------
# Prints three names of machines whose rows go to three servers.
names_of_hosts()
{
	ch_ask 1 "SELECT min(name) FROM (SELECT concat('node-', toString(number)) AS name FROM numbers(50))
		GROUP BY cityHash64(name) % 3 ORDER BY cityHash64(name) % 3"
}

record()
{
	cat >"$share/work" <<-'END'
		for pod in 0a1b2c3d-0000-4000-8000-00000000cafe 5e54e000-0000-4000-8000-00000000beef; do
			sh -c "echo \$\$ >/cgroups/kubepods/besteffort/pod$pod/$(printf %064d 7)/cgroup.procs
				exec workload --scenario mixed --jobs 400 --processes 2" &
		done
		workload --scenario mixed --jobs 300 --processes 2
		wait
	END
	cat >"$share/record" <<-END
		set -e
		cd /share
		mkdir /cgroups
		mount -t cgroup2 none /cgroups
		for pod in 0a1b2c3d-0000-4000-8000-00000000cafe 5e54e000-0000-4000-8000-00000000beef; do
			mkdir -p /cgroups/kubepods/besteffort/pod\$pod/$(printf %064d 7)
		done
		for host in ${hosts[*]}; do
			hostname \$host
			mkdir \$host
			grtrace record -o \$host/t.grt --rotate 128K -- sh work
		done
	END
	"$GRT_VM/run" --kernel 6.1 --share "$share" -- 'sh /share/record' || return
	for host in "${hosts[@]}"; do
		[ "$(find "$share/$host" -name 't-*.grt' | wc -l)" -ge 3 ] || { echo "$host: too few files"; return 1; }
	done
}

export_all()
{
	local host file
	for host in "${hosts[@]}"; do
		"$grtrace" merge -o "$work/$host.grt" "$share/$host"/t-*.grt || return
		for file in "$share/$host"/t-*.grt; do
			"$grtrace" export --to ndjson --segment -o "${file%.grt}.ndjson" "$file" || return
		done
	done
	cat "$share"/*/*.ndjson >"$work/all.ndjson"
}

# --- servers ----------------------------------------------------------------------------------
# By each way to say who sends.
create()
{
	local answer
	printf 'machine 127.0.0.1 login loader password "a \\"b\\\\c: d"\n' >"$work/netrc"
	CLICKHOUSE_USER=loader CLICKHOUSE_PASSWORD='a "b\c: d' "$load" --url "$(ch_url 1)" --room --schema &&
		"$load" --url "$(ch_url 2)" --netrc "$work/netrc" --room --schema &&
		GRTRACE_LOAD_URL=$(ch_url 3) "$load" --room --schema &&
		"$load" --url "$(ch_url 3)" --room --schema || return
	answer=$(CLICKHOUSE_USER=loader CLICKHOUSE_PASSWORD=wrong "$load" --url "$(ch_url 1)" --schema 2>&1)
	[ $? -eq 3 ] && grep -q 'hint: export CLICKHOUSE_USER and CLICKHOUSE_PASSWORD' <<<"$answer"
}

# A load whose sender is killed when the jobs are there and the rest is not.
kill_load()
{
	local file=$1 host=$2 n loader
	mkdir -p "$work/home"
	echo 'limit-rate = 60k' >"$work/home/.curlrc"
	CURL_HOME=$work/home setsid "$load" --url "$(ch_url 2)" --room "$file" &
	loader=$!
	for _ in {1..600}; do
		n=$(ch_ask 1 "SELECT count() FROM job WHERE host = '$host'" database=grtrace_room)
		[ "$n" = 0 ] || break
		sleep 0.05
	done
	kill -KILL -- "-$loader"
	wait "$loader" 2>/dev/null
	[ "$n" -gt 0 ] && [ "$(ch_ask 1 "SELECT count() FROM ledger WHERE host = '$host'" database=grtrace_room)" = 0 ]
}

# A server that is killed while it reads.  The sender says so, and what it sends again is all there.
kill_server()	# file
{
	local loader status=0
	CURL_HOME=$work/home "$load" --url "$(ch_url 2)" --room "$1" &
	loader=$!
	sleep 1
	kill -0 "$loader" && ch_stop 2 KILL
	wait "$loader" || status=$?
	[ "$status" -eq 3 ] && ch_start 2 && "$load" --url "$(ch_url 2)" --room "$1"
}

# With the segments that the question must name
not_reconciled()	# lines of HOST|SEGMENT, parameters
{
	ch_question 1 grtrace_room not-reconciled "${2-}" >"$work/rows"
	cut -d '|' -f 1,3 "$work/rows" | diff <(printf '%s' "$1") -
}
# A ledger goes to the server of its host a moment after the load.
soon()		# COMMAND...
{
	for _ in {1..50}; do
		"$@" >"$work/soon" && return
		sleep 0.2
	done
	cat "$work/soon"
	return 1
}
segments_of() { jq -r 'select(.row == "ledger") | "\(.host)|\(.segment)"' "$@" | sort; }

send_twice()
{
	local host file server
	for _ in 1 2; do
		server=0
		for host in "${hosts[@]}"; do
			server=$((server % 3 + 1))
			"$load" --url "$(ch_url $server)" --room "$share/$host"/t-*.ndjson || return
		done
	done
	# Servers other than the one that was asked get ledgers a little later.
	for _ in {1..100}; do
		for server in 1 2 3; do
			[ "$(ch_ask $server 'SELECT count() FROM ledger FINAL' database=grtrace)" = "$(segments_of "$work/all.ndjson" | wc -l)" ] ||
				continue 2
			[ $server -lt 3 ] || return 0
		done
		sleep 0.1
	done
	return 1
}

sent_again()	# DIR: only the files that were not sent yet
{
	"$load" --url "$(ch_url 1)" --room --segments "$1" | grep -qx "$1: sent $2, not finished $3"
}

# A machine that sends what its recorder has finished.  The last file has no name yet.
rotated()
{
	local dir=$share/${hosts[0]} files last
	files=$(find "$dir" -name 't-*.grt' | wc -l)
	last=$(find "$dir" -name 't-*.grt' | sort | tail -n 1)
	mv "$last" "$dir/.last" && sent_again "$dir" $((files - 2)) 1 && sent_again "$dir" 0 1 || return
	mv "$dir/.last" "$last" && sent_again "$dir" 2 0 && sent_again "$dir" 0 0
}

on_servers_of_their_own()
{
	local n
	for n in 1 2 3; do
		[ "$(ch_ask $n 'SELECT uniq(host) FROM job' database=grtrace)" = 1 ] || return
	done
	[ "$(ch_ask 1 'SELECT uniq(host) FROM job' database=grtrace_room)" = 3 ]
}

# --- what the report says -----------------------------------------------------------------------
told() { "$grtrace" report -f json "${@:2}" "$work/$1.grt" 2>/dev/null | jq -r "$told"; }	# host, options

told_of_all()	# options; $told makes lines
{
	local host
	for host in "${hosts[@]}"; do told "$host" "$@" | sed "s/^/$host|/"; done | sort
}

# Pods have no name in this guest, so they are called by their UID.
pods()
{
	local told='.pods[] | select(.owner == "pod") | "pod \(.pod)|\(.stages.t_exec.sum_ns)|\(.jobs)"'
	ch_question 1 grtrace_room gpu-time-per-pod >"$work/rows"
	told_of_all --per-pod >"$work/told"
	[ "$(wc -l <"$work/told")" -eq 6 ] && diff "$work/told" <(grep '|pod ' "$work/rows" | cut -d '|' -f 1-4 | sort)
}

# All numbers of a ring.
idle()
{
	local told='.time[] | select(.scope == "ring") | [.device, .ring, .wall_ns, .busy_ns, .occupied_ns, .starved_ns,
		.dependency_ns, .scheduler_ns, .hardware_ns, .recovery_ns, .unknown_ns] | map(. // "" | tostring) | join("|")'
	told_of_all --idle >"$work/told"
	[ "$(wc -l <"$work/told")" -eq 9 ] && ch_question 1 grtrace_room idle-by-cause | sort | diff "$work/told" -
}

blame()
{
	local told='.pod_blame[] | [.name, .by_name, .through, .waited_ns] | map(. // "" | tostring) | join("|")'
	told_of_all --per-pod --blame >"$work/told"
	[ "$(wc -l <"$work/told")" -ge 9 ] && ch_question 1 grtrace_room who-waited-for-whom | sort | diff "$work/told" -
}

# The report has a histogram. Days are those of all hosts together, so p99 is asked per host, too.
p99()
{
	local told='.pods[] | select(.owner == "pod") | "pod \(.pod)|\(.stages.total.p99_ns)"'
	told_of_all --per-pod >"$work/told"
	ch_ask 1 "SELECT host, owner, arraySort(groupArray(total_ns))[intDiv(count() * 99 + 99, 100)]
		FROM job FINAL WHERE owner LIKE 'pod %' GROUP BY host, owner ORDER BY host, owner" database=grtrace_room |
		tr '\t' '|' >"$work/rows"
	paste -d '|' "$work/told" "$work/rows" | awk -F '|' '
		{ print; if ($1 != $4 || $2 != $5 || !$6 || ($3 - $6) ^ 2 > (0.005 * $6) ^ 2) bad = 1 }
		END { exit bad || NR != 6 }'
}

# --- other engines --------------------------------------------------------------------------------
same_in_sqlite()	# question
{
	ch_question 1 grtrace_room "$1" >"$work/rows.$1"
	sqlite_question "$work/room.db" "$1" | diff "$work/rows.$1" -
}

modules=$GRTRACE_CACHE/npm
engine() { node "$GRT_SELFTESTS/t/soak/engines.mjs" "$modules" "$@"; }
fetch_engines()
{
	[ -e "$modules/node_modules/@duckdb/node-api" ] ||
		npm install --prefix "$modules" --ignore-scripts --no-audit --no-fund chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
}

sql=$GRT_ROOT/tools/grtrace/sql
# Twice, as into the servers.
fill_chdb()
{
	local table
	engine chdb "$work/chdb" 'CREATE DATABASE grtrace' 'USE grtrace' "$sql/clickhouse/schema.sql" || return
	grep -h '^{"row":"job"' "$work/all.ndjson" >"$work/job.ndjson"
	grep -h '^{"row":"ledger"' "$work/all.ndjson" >"$work/ledger.ndjson"
	grep -hv '^{"row":"\(job\|ledger\)"' "$work/all.ndjson" >"$work/sums.ndjson"
	for table in job job sums sums ledger ledger; do
		engine chdb "$work/chdb" 'USE grtrace' 'SET input_format_skip_unknown_fields = 1' \
			"INSERT INTO $table SELECT * FROM file('$work/$table.ndjson', JSONEachRow)" || return
	done
}

same_in_chdb() { engine chdb "$work/chdb" "USE grtrace" "$sql/clickhouse/$1.sql" | diff "$work/rows.$1" -; }
same_in_duckdb()
{
	cp "$work/all.ndjson" "$work/again.ndjson"
	engine duckdb :memory: "SET VARIABLE rows = ['$work/all.ndjson', '$work/again.ndjson']" "$sql/duckdb/views.sql" \
		"$sql/sqlite/$1.sql" | diff "$work/rows.$1" -
}

# --- a server is down ---------------------------------------------------------------------------------
lost_host() { ch_ask 3 'SELECT DISTINCT host FROM job' database=grtrace; }
is_refused()	# host
{
	local answer
	answer=$("$load" --url "$(ch_url 1)" --room "$share/$1/t-0001.ndjson" 2>&1)
	[ $? -eq 3 ] && grep -q 'hint: start the servers of the room that are down, and send again' <<<"$answer"
}

check "a server of ClickHouse" ch_start 1
mapfile -t hosts < <(names_of_hosts)
check "three recordings with rotated files" record
check "rows of each file" export_all
check "a second server" ch_start 2
check "a third" ch_start 3
check "tables" create
first=${hosts[0]}
check "a load is killed" kill_load "$share/$first/t-0001.ndjson" "$first"
check "its file is not reconciled" not_reconciled "$(segments_of "$share/$first/t-0001.ndjson")"$'\n'
check "its jobs have no ledger" grep -q '||-[1-9]' "$work/rows"
check "a server is killed" kill_server "$share/$first/t-0001.ndjson"
check "what is sent again is reconciled" soon not_reconciled ''
check "each file, twice" send_twice
check "all files are reconciled" not_reconciled ''
check "files of record --rotate" rotated
check "each machine is on a server of its own" on_servers_of_their_own
check "still reconciled" not_reconciled ''
check "pods: as in the report" pods
check "rings: as in the report" idle
check "waits: as in the report" blame
check "p99: nearly as in the report" p99
check "SQLite" sqlite3 "$work/room.db" ".read $sql/sqlite/load.sql" <"$work/all.ndjson"
for question in $ch_questions; do check "SQLite: $question" same_in_sqlite "$question"; done
if command -v npm >/dev/null; then
	check "today's engines" fetch_engines
	check "ClickHouse of today" fill_chdb
	for question in $ch_questions; do check "ClickHouse of today: $question" same_in_chdb "$question"; done
	for question in $ch_questions; do check "DuckDB: $question" same_in_duckdb "$question"; done
else
	number=$((number + 1))
	echo "ok $number - today's engines # SKIP no npm"
fi
lost=$(lost_host)
ch_stop 3
check "without a server: a question fails" grep -q '^Code: 279' <(ch_question 1 grtrace_room gpu-time-per-pod)
check "and a load is refused" is_refused "$lost"
check "what is missing is known" not_reconciled "$(segments_of "$share/$lost"/*.ndjson)"$'\n' skip_unavailable_shards=1
check "it starts again" ch_start 3
check "and has all rows" not_reconciled ''
end
