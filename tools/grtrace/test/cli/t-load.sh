#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace-load sends rows, the ledger last, and says what a server has against them
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"
for program in curl jq perl; do
	command -v $program > /dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done
loader=$tools/grtrace-load
unset CLICKHOUSE_USER CLICKHOUSE_PASSWORD http_proxy
export HOME="$dir" GRTRACE_LOAD_URL

"$gen" scene pods pods.grt && "$gen" scene lossy lossy.grt || exit 1
for trace in pods lossy; do
	"$grtrace" export --to ndjson -o $trace.rows $trace.grt > out 2> err || exit 1
done

# The real server is in t/soak/clickhouse.t.
mkdir server
perl "$tools/test/cli/clickhouse.pl" server &
server=$!
trap 'kill $server; rm -rf "$dir"' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10; do [ ! -s server/port ] || break; sleep 0.1; done
GRTRACE_LOAD_URL=http://127.0.0.1:$(cat server/port)

# send EXPECTED-CODE ARGUMENTS: log and bodies are of this command only
send() { wanted=$1; shift; rm -f server/log; touch server/log; run "$wanted" "$loader" "$@"; }
says() { grep -q -e "^grtrace-load: .*$1" err && { [ -z "${2-}" ] || grep -q -e "^hint: .*$2" err; }; }
refuses() { wanted=$1 cause=$2 hint=$3; shift 3; send "$wanted" "$@" && says "$cause" "$hint"; }
requests() { [ "$(wc -l < server/log)" -eq "$1" ]; }
number() { find server -name 'body.*' | wc -l; }
tables() { sed 's/.*INSERT INTO \([a-z]*\) .*/\1/' server/log | tr '\n' ' ' | grep -qx "$1 "; }
answers() { printf '%s\n' "$2" "$3" > "server/answer$1"; }
# same NR FILTER: a body has the rows of the file that jq finds, less keys that are null
same()
{
	jq -c "select($2) | with_entries(select(.value != null or (.key | IN(\"host\", \"boot_id\"$3) | not)))" "$rows" > told
	jq -c . "server/body.$1" | cmp told -
}

ok "rows"				send 0 pods.rows
rows=pods.rows
ok "are counted"			grep -qx 'pods.rows: 8 job, 64 sums, 1 ledger' out
ok "each table is sent, the ledger last" tables 'job sums ledger'
ok "into a database"			[ "$(grep -c 'database=grtrace&' server/log)" -eq 3 ]
ok "in blocks"				[ "$(grep -c 'max_insert_block_size=65536' server/log)" -eq 3 ]
ok "without waiting for all servers to have the ledger" [ "$(grep -c 'insert_distributed_sync' server/log)" -eq 2 ]
ok "jobs"				same 1 '.row == "job"' ', "device", "ring"'
ok "other rows"				same 2 '.row != "job" and .row != "ledger"' ''
ok "the ledger"				same 3 '.row == "ledger"' ''
ok "from standard input"		sh -c "'$loader' - < pods.rows > out"
ok "are the same"			cmp server/body.1 server/body.4
ok "a room"				send 0 --room pods.rows
ok "has a database of its own"		grep -q 'database=grtrace_room&' server/log
ok "several files"			send 0 pods.rows lossy.rows
ok "one after the other"		tables 'job sums ledger job sums ledger'
n=$(number)
rows=lossy.rows
ok "keys that are not known are absent"	same $((n - 1)) '.row != "job" and .row != "ledger"' ''
ok "so that file has some"		grep -q '"host":null' lossy.rows
ok "--dry-run"				send 0 -n pods.rows
ok "counts"				grep -qx 'pods.rows: 8 job, 64 sums, 1 ledger; not sent' out
ok "and sends nothing"			requests 0

head -n 20 pods.rows > half
{ cat half; echo '{"row":"job",'; cat pods.rows; } > torn
ok "half a file"			refuses 4 "'half' has no ledger at its end" "export the trace again" half
ok "sends nothing"			requests 0
ok "a torn line"			refuses 4 "'torn', line 21: no row" "export the trace again" torn
ok "sends no ledger"			tables job
ok "a trace"				refuses 4 "'pods.grt' has no rows of grtrace" "grtrace export --to ndjson" pods.grt
ok "no file"				refuses 4 "cannot read 'nothing'" "grtrace export" nothing
ok "the others are sent"		refuses 4 "'half' has no ledger" "export" half pods.rows
ok "all of them"			tables 'job sums ledger'

answers .sums 404 "Code: 60, e.displayText() = DB::Exception: Table grtrace.sums doesn't exist., e.what() = DB::Exception"
ok "no table"				refuses 3 "says: Code: 60, DB::Exception: Table grtrace.sums doesn't exist" "grtrace-load --schema" pods.rows
ok "so there is no ledger"		tables 'job sums'
rm server/answer.sums
answers .INSERT 403 "Code: 516. DB::Exception: default: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED) (version 26.7.2.1)"
ok "nobody who may send"		refuses 3 "Authentication failed" "export CLICKHOUSE_USER and CLICKHOUSE_PASSWORD" pods.rows
answers .INSERT 500 "Code: 279, e.displayText() = DB::NetException: All connection tries failed. Log: "
ok "a server of the room is down"	refuses 3 "All connection tries failed" "start the servers of the room" --room pods.rows
answers .INSERT 400 "<html>Bad Request</html>"
ok "another server"			refuses 3 "says: HTTP 400: <html>" "the HTTP port of ClickHouse" pods.rows
ok "is asked once"			requests 1
rm server/answer.INSERT
ok "no server"				refuses 3 "cannot reach 'http://127.0.0.1:1'" "is ClickHouse running there" --url http://127.0.0.1:1 pods.rows

ok "tables"				send 0 --schema
ok "of a new server"			[ "$(grep -c 'CREATE TABLE IF NOT EXISTS' server/log)" -eq 3 ]
answers .system 200 1
ok "of an old one"			send 0 --schema
ok "which must be asked for more"	[ "$(grep -c 'allow_experimental_low_cardinality_type=1.*CREATE TABLE' server/log)" -eq 3 ]
ok "of a room"				send 0 --room --schema pods.rows
ok "are those of a server, and others"	[ "$(grep -c 'CREATE TABLE' server/log)-$(grep -c 'ENGINE = Distributed' server/log)" = 6-3 ]
answers .CREATE 500 "Code: 170, e.displayText() = DB::Exception: Requested cluster 'grtrace' not found, e.what() = DB::Exception"
ok "without servers"			refuses 3 "Requested cluster 'grtrace' not found" "remote_servers" --room --schema
rm server/answer.*

user() { cat "server/user.$(number)"; }
# shellcheck disable=SC2030,SC2031
as() { (export CLICKHOUSE_USER="$1" CLICKHOUSE_PASSWORD="$2"; send 0 pods.rows); }
ok "with a password"			as loader 'a "b\c: d'
ok "which the server gets, and nobody sees" [ "$(user)" = 'loader:a "b\c: d' ]
echo 'machine 127.0.0.1 login room password secret-of-netrc' > netrc
ok "from a file"			send 0 --netrc netrc pods.rows
ok "likewise"				[ "$(user)" = 'room:secret-of-netrc' ]
ok "in a URL"				refuses 2 "seen by all users" "CLICKHOUSE_PASSWORD" --url http://a:b@127.0.0.1/ pods.rows

mkdir rotated && cp pods.grt rotated/t-0001.grt && cp lossy.grt rotated/t-0002.grt
ok "files of record --rotate"		send 0 --segments rotated
ok "are exported and sent"		grep -qx 'rotated: sent 2, not finished 0' out
ok "each with a ledger"			tables 'job sums ledger job sums ledger'
ok "again"				send 0 --segments rotated
ok "they are not"			requests 0
sleep 0.01; cp pods.grt rotated/t-0001.grt; rm rotated/t-0002.grt
ok "a new one of the same name"		send 0 --segments rotated
ok "is"					tables 'job sums ledger'
ok "the mark of one that is gone is gone, too" [ "$(ls rotated/.sent)" = t-0001.grt ]
echo damage > rotated/t-0003.grt
ok "one that is no trace"		send 4 --segments rotated
ok "has the cause of grtrace export"	grep -q "^grtrace: .*t-0003.grt" err
rm rotated/t-0003.grt rotated/.sent/t-0001.grt
answers '' 500 "Code: 243, e.displayText() = DB::Exception: Cannot reserve 1.00 MiB, not enough space: , e.what() = DB::Exception"
ok "a full disk"			refuses 3 "not enough space" "give the server room" --segments rotated
rm server/answer
ok "what was not sent, is sent later"	send 0 --segments rotated
ok "all of it"				tables 'job sums ledger'

ok "nothing to send"			refuses 2 "nothing to send" "grtrace-load -h"
ok "no such option"			refuses 2 "no option '--what'" "grtrace-load -h" --what
ok "a value that is missing"		refuses 2 "'--url' needs a value" "grtrace-load -h" --url
ok "no URL"				refuses 2 "is no URL that begins with" "grtrace-load -h" --url ftp://x pods.rows
ok "no database"			refuses 2 "is no name of a database" "grtrace-load -h" --database 'a;b' pods.rows
ok "no folder"				refuses 3 "'nothing' is no folder" "grtrace record --rotate" --segments nothing
ok "both"				refuses 2 "takes no files" "grtrace-load -h" --segments rotated pods.rows
ok "help"				run 0 "$loader" -h
ok "no file is left behind"		[ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'tmp.*' -newer netrc -user "$(id -un)" ! -path "$dir" -exec test -e '{}/config' \; -print)" ]

# The server leaves out members that it has no column for, so that would be lost without a word.
has_columns()	# table, filter
{
	sed "s,--.*,," "$tools/sql/clickhouse/schema.sql" |
		awk -v RS=';' -v table="EXISTS $1 " 'index($0, table)' | tr -cs 'a-z_' '\n' > columns
	jq -r "select($2) | keys_unsorted[]" pods.rows lossy.rows | sort -u | grep -vxF -f columns > out
	[ -s columns ] && [ "$(cat out)" = "$3" ]
}
ok "each member of a job has a column"	has_columns job '.row == "job"' row
ok "of a ledger"			has_columns ledger '.row == "ledger"' row
ok "of other rows"			has_columns sums '.row != "job" and .row != "ledger"' ''
ok "and in DuckDB" [ -z "$(jq -r 'keys_unsorted[]' pods.rows lossy.rows | sort -u | while read -r name; do
	grep -q "[\" ,	]$name\"*: '" "$tools/sql/duckdb/views.sql" || echo "$name"; done)" ]

# The manual names the same options.
options() { "$loader" -h | sed -n 's/^  \(-n, \|-h, \)*\(--[a-z-]*\).*/\2/p' | sort; }
# Tags of its list of options.
page() { awk "tag; { tag = /^\\.TP/ }" "$tools/man/grtrace-load.1" | tr -d "\\\\" | grep -o -e "--[a-z-]*" | sort -u; }
ok "the manual has all options"		[ "$(options)" = "$(page)" ]
end
