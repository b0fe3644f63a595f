#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: what other programs read in exports of a trace with every record and hostile names is what the trace has
# Tests call these functions through ok(); names and numbers of the trace are read by perl, without grtrace.
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"
for program in perl jq sqlite3 babeltrace2 protoc curl; do
	command -v $program > /dev/null || { echo "1..0 # SKIP $program is not installed"; exit 0; }
done
here=$tools/test/cli
manuals=$tools/../../Documentation

"$build/test/make/list-format" > format && "$gen" hostile whole.grt stream.0 stream.1 && "$gen" scene pods pods.grt || exit 1

export_to() { rm -rf "$2"; run 0 "$grtrace" export --to "$1" --all --synthetic -o "$2" whole.grt; }
jobs_are() { perl "$here/pairs-jobs.pl" "$1" format "$2" stream.0 stream.1 > out 2> err; }
in_lines() { sed 's/^\[//; s/[],]*$//'; }	# an array of JSON, as sqlite3 prints it

# --- jobs, column by column ---
ok "csv"			export_to csv jobs.csv
sqlite3 :memory: '.mode json' '.import --csv jobs.csv j' 'select * from j' 2> err | in_lines > rows.csv
ok "csv: sqlite3 reads the jobs" jobs_are csv rows.csv
ok "json"			export_to json all.json
jq -c '.jobs[]' all.json > rows.json
ok "json: jq reads the jobs"	jobs_are json rows.json
ok "ndjson"			export_to ndjson rows.ndjson
ok "ndjson: perl reads the jobs" jobs_are json rows.ndjson
ok "sqlite"			export_to sqlite room.db
sqlite3 room.db '.mode json' 'select * from job' 2> err | in_lines > rows.db
ok "sqlite: sqlite3 reads the jobs" jobs_are json rows.db
sqlite3 loaded.db ".read $tools/sql/sqlite/load.sql" < rows.ndjson > out 2> err
sqlite3 loaded.db '.mode json' 'select * from job' 2> err | in_lines > rows.loaded
ok "load.sql: sqlite3 reads the jobs" jobs_are json rows.loaded
sed 's/"comm":"100/"comm":"101/' rows.ndjson > other
ok "a column that differs is found" sh -c "! perl '$here/pairs-jobs.pl' json format other stream.0 stream.1 > out && grep -q '^comm: ' out"
head -n 71 rows.ndjson > other
ok "a job that is missing is found" sh -c "! perl '$here/pairs-jobs.pl' json format other stream.0 stream.1 > out && grep -q '^job: 1 are missing' out"

# --- the other rows: databases keep each member of each row ---

# Compares lines of JSON with those of rows.ndjson, member by member, with all digits; less those that are named.
same_rows()	# file, table, members of the key that may be absent
{
	perl -MJSON::PP -e '
		my ($file, $table, @keys) = @ARGV;
		my ($json, %keys) = (JSON::PP->new->utf8->canonical->allow_nonref, map { $_ => 1 } @keys);
		sub rows { open my $in, "<", $_[0] or die; map { $json->decode($_) } <$in> }
		my @was = grep { ($_->{row} eq "job" || $_->{row} eq "ledger" ? $_->{row} : "sums") eq $table } rows("rows.ndjson");
		my @is = rows($file);
		print scalar(@was), " became ", scalar(@is), "\n" and exit 1 if !@was || @was != @is;
		for my $i (0 .. $#was) {
			for (sort keys %{ { %{ $was[$i] }, %{ $is[$i] } } }) {
				my ($x, $y) = map { $json->encode($_->{$_[0] // $_}) } $was[$i], $is[$i];
				next if $x eq "null" && $keys{$_} && !exists $is[$i]{$_};
				print "$_ of row $i: $x became $y\n" and exit 1 if $x ne $y;
			}
		}' "$@" > out 2> err
}
sqlite3 room.db 'select json from sums where row != "ledger" order by nr' > sums.db 2> err
ok "sqlite: all sums"		same_rows sums.db sums
sqlite3 room.db 'select json from sums where row = "ledger"' > ledger.db 2> err
ok "sqlite: the ledger"		same_rows ledger.db ledger

# Integers of SQLite have a sign.
clients() { sqlite3 room.db 'select client_id from blame order by nr' 2> err || sqlite3 room.db 'select client_id from blame'; }
sed -n 's/^{"row":"blame".*"client_id":\([0-9]*\),"device".*/\1u/p' rows.ndjson | sort > told
clients 2> err | sort | diff told - > out
ok "sqlite: clients above 2^63 have all digits" sh -c '[ ! -s out ] && [ -s told ]'
for n in 1 2; do
	for what in queue run; do
		echo " app-7 [000] ..... 40.0000$n$((${#what} * 2 % 10)): drm_sched_job_$what: dev=0000:03:00.0, fence=1390709585811083264$n:18446744073709551614, ring=gfx, job count:0, hw job count:0, client_id:5"
	done
done | sort > great.txt
"$grtrace" export --to sqlite -o great.db great.txt > out 2> err
sqlite3 great.db "select ctx || ':' || seqno from job order by ctx" > out 2>> err
printf '1390709585811083264%su:18446744073709551614u\n' 1 2 > told
ok "sqlite: contexts above 2^63 are told apart"	cmp told out

# --- rows for other databases: each value fits the type of its column ---
fits()		# schema, kind
{
	perl -MJSON::PP -e '
		my ($path, $kind) = @ARGV;
		my (%type, $json) = ();
		my $text = do { local (@ARGV, $/) = ($path); <> };
		my %names = map { $_ => 1 } map { keys %$_ } my @rows = map { JSON::PP->new->utf8->decode($_) } do { open my $in, "<", "rows.ndjson"; <$in> };
		if ($kind eq "duckdb") {
			my ($columns) = $text =~ /columns = \{(.*?)\}/s;
			$type{all}{$1} = $2 while $columns =~ /"?(\w+)"?: \x27(\w+)\x27/g;
		} else {
			while ($text =~ /CREATE TABLE IF NOT EXISTS (\w+) \((.*?)\) ENGINE/gs) {
				my ($table, $columns) = ($1, $2);
				$type{$table}{$1} = lc $2 while $columns =~ /`?(\w+)`? (?:LowCardinality\()?(?:Nullable\()?(\w+)/g;
			}
		}
		my %most = (ubigint => 18446744073709551615, uint64 => 18446744073709551615, uint32 => 4294967295);
		my $n = 0;
		for my $r (@rows) {
			my $table = $kind eq "duckdb" ? "all" : $r->{row} =~ /^(job|ledger)$/ ? $1 : "sums";
			for (sort keys %$r) {
				my ($t, $v) = ($type{$table}{$_}, $r->{$_});
				next if $_ eq "row" && $table ne "sums" || !defined $v;
				my $fits = !defined $t ? 0 : $most{$t} ? $v =~ /^\d+$/ && $v <= $most{$t} :
					$t =~ /^(integer|int32)$/ ? $v =~ /^-?\d+$/ && abs $v < 2**31 :
					$t =~ /^(double|float64)$/ ? $v =~ /^-?[\d.]+$/ : $t eq "date" ? $v =~ /^\d{4}-\d\d-\d\d$/ : 1;
				print "$r->{row}.$_: \x27$v\x27 as ", $t // "nothing", "\n" and exit 1 unless $fits;
				$n++;
			}
		}
		print "$n values\n";
		exit !$n;' "$1" "$2" > out 2> err
}
ok "duckdb: all values fit"	fits "$tools/sql/duckdb/views.sql" duckdb
ok "clickhouse: all values fit"	fits "$tools/sql/clickhouse/schema.sql" clickhouse

mkdir server
perl "$here/clickhouse.pl" server &
server=$!
trap 'kill $server; rm -rf "$dir"' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10; do [ ! -s server/port ] || break; sleep 0.1; done
unset CLICKHOUSE_USER CLICKHOUSE_PASSWORD http_proxy
HOME=$dir "$tools/grtrace-load" --url "http://127.0.0.1:$(cat server/port)" rows.ndjson > out 2> err
ok "clickhouse: it is sent"	[ "$(wc -l < server/log)" = 3 ]
ok "clickhouse: jobs"		same_rows server/body.1 job host boot_id device ring
ok "clickhouse: sums"		same_rows server/body.2 sums host boot_id
ok "clickhouse: the ledger"	same_rows server/body.3 ledger host boot_id

# --- CTF: every record ---
read_ctf() { babeltrace2 --clock-cycles --no-delta whole.ctf > ctf.txt 2> lost.txt; }
ctf_is() { perl "$here/pairs-ctf.pl" format "$1" stream.0 stream.1 > out 2> err; }
export_ctf() { run 0 "$grtrace" export --to ctf -o whole.ctf whole.grt; }
ok "ctf"			export_ctf
ok "ctf: babeltrace2 reads it"	read_ctf
ok "ctf: every member of every record" ctf_is ctf.txt
sed 's/pid = 3001,/pid = 3002,/; s/tid = 3001,/tid = 3002,/' ctf.txt > other
ok "ctf: a member that differs is found" sh -c "! perl '$here/pairs-ctf.pl' format other stream.0 stream.1 > out && grep -q '[.]tid: ' out"
grep -v 'grtrace:MEMORY: .*bytes = 9223372036854775873' ctf.txt > other
ok "ctf: a record that is missing is found" sh -c "! perl '$here/pairs-ctf.pl' format other stream.0 stream.1 > out && grep -q '^MEMORY: ' out"

# --- Perfetto: what its manual does not except ---
pf_is() { perl "$here/pairs-perfetto.pl" format "$1" pf.txt "$excepted" stream.0 stream.1 > out 2> err; }
excepted=$(awk '/^CGROUP, / { on = 1 } on { print } /are not written/ { exit }' "$manuals/export-perfetto.rst" |
	grep -oE '[A-Z_]{2,}' | paste -s -d ,)
ok "perfetto"			export_to perfetto whole.pftrace
protoc --decode=grtpf.Trace -I"$tools/lib/export" perfetto.proto < whole.pftrace > pf.txt 2> err
awk -f "$here/perfetto.awk" pf.txt > facts
ok "perfetto: all that it has of records" pf_is facts
ok "perfetto: nothing is wrong"	sh -c '! grep ^wrong: facts > out'
sed 's/TIMEOUT/RESET/' facts > other
ok "perfetto: what differs is found" sh -c "! perl '$here/pairs-perfetto.pl' format other pf.txt '$excepted' stream.0 stream.1 > out && grep -q '^ERROR: ' out"

# --- merge of two machines ---
merges()	# first, second, how far the times of the second move, its host
{
	run 0 "$grtrace" merge -o merged.grt "$1" "$2" || return 1
	for file in "$1" "$2" merged.grt; do
		"$grtrace" dump -d -f csv "$file" > "$file.csv" 2>> err || return 1
	done
	perl "$here/pairs-merge.pl" "$1.csv" "$2.csv" merged.grt.csv "$3" "$4" > out 2>> err
}
ok "merge: the first one is hostile" merges whole.grt pods.grt -1000000000 ""
ok "merge: the second one is"	merges pods.grt whole.grt 1000000000 'host=""a,b"" <i>\x1b[1m'
"$grtrace" merge -o again.grt pods.grt whole.grt > out 2> err
ok "merge: a name without room is told"	grep -q "^grtrace: warning: 'whole.grt': the name of a device is cut: '2:no room for a NUL in any field o'" err
ok "merge: once"		[ "$(grep -c 'is cut' err)" = 1 ]
end
