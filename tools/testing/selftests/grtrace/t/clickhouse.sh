# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Servers of Debian's ClickHouse on loopback, for tests and benches.  Sourced after vm/lib.sh; $work is a folder.

# shellcheck disable=SC2034	# for those who source this
readonly ch_questions="gpu-time-per-pod idle-by-cause who-waited-for-whom p99-per-day-and-pod worst-jobs not-reconciled"
declare -A ch_pid=()

ch_url() { echo "http://127.0.0.1:1812$1"; }

ch_shards()	# a <shard> with a replica for each server, or one with all of them
{
	local n
	for n in 1 2 3; do
		[ "$1" = each ] && echo "<shard><internal_replication>true</internal_replication>"
		[ "$1" = each ] || [ "$n" -gt 1 ] || echo "<shard><internal_replication>false</internal_replication>"
		echo "<replica><host>127.0.0.1</host><port>1900$n</port></replica>"
		[ "$1" = all ] && [ "$n" -lt 3 ] || echo "</shard>"
	done
}

# shellcheck disable=SC2154	# the folder of the caller
ch_configure()	# number of the server
{
	local home=$work/clickhouse$1
	mkdir -p "$home"
	cat >"$home/config.xml" <<-END
		<yandex>
		<logger><level>warning</level><log>$home/log</log><errorlog>$home/errors</errorlog><size>10M</size><count>1</count></logger>
		<http_port>1812$1</http_port><tcp_port>1900$1</tcp_port>
		<interserver_http_port>1901$1</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
		<listen_host>127.0.0.1</listen_host>
		<max_connections>64</max_connections><mark_cache_size>67108864</mark_cache_size>
		<path>$home/data/</path><tmp_path>$home/tmp/</tmp_path>
		<user_files_path>$home/files/</user_files_path><format_schema_path>$home/formats/</format_schema_path>
		<users_config>$home/users.xml</users_config><default_profile>default</default_profile>
		<default_database>default</default_database><timezone>UTC</timezone>
		<remote_servers>
		<grtrace>$(ch_shards each)</grtrace>
		<grtrace_everywhere>$(ch_shards all)</grtrace_everywhere>
		</remote_servers>
		</yandex>
	END
	cat >"$home/users.xml" <<-END
		<yandex>
		<profiles><default><max_memory_usage>4000000000</max_memory_usage><max_threads>2</max_threads></default></profiles>
		<users>
		<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
		<loader><password>a "b\\c: d</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></loader>
		</users>
		<quotas><default></default></quotas>
		</yandex>
	END
}

ch_answers() { [ "$(curl -sf "$(ch_url "$1")/ping")" = Ok. ]; }

ch_start()	# number of the server
{
	local home=$work/clickhouse$1
	! ch_answers "$1" || { echo "port 1812$1 is taken"; return 1; }
	[ -e "$home" ] || ch_configure "$1"
	PATH=$PATH:/usr/sbin nice clickhouse-server --config-file="$home/config.xml" >"$home/out" 2>&1 </dev/null &
	ch_pid[$1]=$!
	for _ in {1..300}; do
		! ch_answers "$1" || return 0
		kill -0 "${ch_pid[$1]}" 2>/dev/null || break
		sleep 0.1
	done
	tail -n 5 "$home/errors" "$home/out"
	return 1
}

ch_stop()	# number of the server, signal
{
	[ -n "${ch_pid[$1]-}" ] || return 0
	kill "-${2:-TERM}" "${ch_pid[$1]}"
	wait "${ch_pid[$1]}" 2>/dev/null || :
	unset "ch_pid[$1]"
}

ch_stop_all()
{
	local n
	for n in "${!ch_pid[@]}"; do ch_stop "$n" KILL; done
}

# ch_ask SERVER SQL [PARAMETERS]: also prints what is wrong
ch_ask() { curl -sS "$(ch_url "$1")/?${3-}" --data-binary "$2"; }

# ch_question SERVER DATABASE NAME [PARAMETERS]: columns are separated as SQLite does it
ch_question()
{
	ch_ask "$1" "@$GRT_ROOT/tools/grtrace/sql/clickhouse/$3.sql" "database=$2${4:+&$4}" | sed 's/\\N//g' | tr '\t' '|'
}

sqlite_question() { sqlite3 "$1" ".read $GRT_ROOT/tools/grtrace/sql/sqlite/$2.sql"; }	# database, name
