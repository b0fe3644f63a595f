#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the metrics of serve are those of reports; its server withstands bad clients
# Tests call these functions through ok(). $2 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094,SC2002,SC2059
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

http=$build/test/make/fixture-http
for scene in pods odd-pods same-names chain reset kill firmware full suspend two-devices; do
	"$gen" scene "$scene" > "$scene" || exit 1
done
"$gen" scene pods pods.grt && "$gen" busy jobs=3000 hang=2 > busy && "$gen" busy jobs=20000 > long &&
	"$gen" load jobs=4000 rings=2 lose=50 > lossy && "$build/test/make/gen-scale" pods 10000 many || exit 1

says() { grep -qF -- "$1" out; }
text()		# trace: its metrics, in the file out
{
	"$grtrace" serve --textfile out "$@" 2> err
}
# Rows of a family: the values of these labels, then the value; seconds as ns.
rows()		# name of the samples, labels
{
	awk -v name="$1" -v labels="$2" '
		function ns(s,	p) { split(s, p, "."); return p[1] * 1000000000 + substr(p[2] "000000000", 1, 9) }
		index($0, name "{") == 1 {
			value = $NF
			line = substr($0, length(name) + 2, length($0) - length(value) - length(name) - 3)
			n = split(labels, want, " ")
			row = ""
			for (i = 1; i <= n; i++) {
				text = ""
				if (match("," line, "," want[i] "=\"[^\"]*\"")) {
					text = substr(line, RSTART, RLENGTH - 1)
					text = substr(text, length(want[i]) + 3, length(text) - length(want[i]) - 3)
				}
				row = row text "|"
			}
			sum[row] += name ~ /seconds/ && name !~ /(bucket|count)$/ ? ns(value) : value
		}
		END { for (row in sum) printf "%s%.0f\n", row, sum[row] }' "${3:-out}" | sort
}
# Columns of CSV; names of columns are words
cells()		# columns, file
{
	awk -F, -v names="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, want, " "); next }
		{ for (i = 1; i <= n; i++) printf "%s%s", at[want[i]] ? $at[want[i]] : "", i < n ? "|" : "\n" }' "$2"
}
same() { diff a b > err && [ -s a ]; }

# --- the numbers of reports, to the nanosecond ---
owner_times()
{
	text pods && "$grtrace" report --per-pod -f csv pods > csv || return 1
	rows grtrace_exec_seconds_total "owner namespace pod" > a
	cells "owner namespace pod container slurm_job unit t_exec_sum_ns" csv | awk -F'|' '{
		pod = $1 == "pod" ? $3 : $1 == "container" ? "docker " substr($4, 1, 12) : $1 == "slurm_job" ? "slurm job " $5 : $6
		printf "%s|%s|%s|%s\n", $1 ? $1 : "unknown", $2, pod, $7 }' | sort > b
	same
}
ok "GPU time of each pod"		owner_times
owner_jobs()
{
	rows grtrace_jobs_total "owner" | awk -F'|' '{ n[$1] += $2 } END { for (o in n) print o "|" n[o] }' | sort > a
	cells "owner jobs" csv | awk -F'|' '{ n[$1 ? $1 : "unknown"] += $2 } END { for (o in n) print o "|" n[o] }' | sort > b
	same
}
ok "jobs of each owner"			owner_jobs
owner_waits()
{
	"$grtrace" report --per-pod --blame -f csv pods | awk -v RS= 'NR == 3' > csv
	rows grtrace_blocked_seconds_total "owner namespace pod by_owner by_namespace by_pod reason" | awk -F'|' '
		function name(owner, namespace, pod) {
			return owner == "pod" ? namespace == "" ? "pod " pod : namespace "/" pod : pod
		}
		{ print ($1 == "unknown" ? "" : $1) "|" name($1, $2, $3) "|" $4 "|" name($4, $5, $6) "|" $7 "|" $8 }' | sort > a
	cells "owner name by_owner by_name through waited_ns" csv | sort > b
	same
}
ok "which pod waited for which"		owner_waits
ring_times()	# trace
{
	text "$1" && "$grtrace" report --idle --all-time -f csv "$1" > csv 2> err || return 1
	states="busy starved dependency scheduler hardware recovery"
	rows grtrace_ring_state_seconds_total "device ring state" > a
	for state in $states; do
		cells "scope device ring ${state}_ns occupied_ns" csv | awk -F'|' -v state="$state" '
			$1 == "ring" { print $2 "|" $3 "|" state "|" (state == "busy" && $4 == "" ? $5 : $4) }'
	done > b
	# Unknown is when the ring may have been busy; the rest of the report's unknown time has no known cause.
	cells "scope device ring wall_ns known_ns unknown_ns" csv | awk -F'|' '$1 == "ring" {
		printf "%s|%s|unknown|%.0f\n%s|%s|unexplained|%.0f\n", $2, $3, $4 - $5, $2, $3, $6 - ($4 - $5)
	}' >> b
	sort -o b b
	same
}
for trace in pods chain reset kill firmware full suspend two-devices busy lossy; do
	ok "$trace: time of rings"	ring_times $trace
done
# Pods, containers or rings of one name are one label set: a collector refuses a page that has one twice.
twins() { grep -v '^#' "$1" | sed 's/ [^ ]*$//' | sort | uniq -d; }
one_of_each() { text same-names && twins out > err && [ ! -s err ]; }
ok "each label set is there once"	one_of_each
ok "two pods of one name"		says 'grtrace_job_seconds_count{device="0000:0b:00.0",owner="pod",namespace="ml",pod="train-0"} 3'
ok "two names that look the same"	[ "$(rows grtrace_jobs_total "pod result" | grep 'lxc ?|ok')" = 'lxc ?|ok|2' ]
sum_of_twins()
{
	rows grtrace_exec_seconds_total "owner namespace pod" | grep -v lxc > a
	"$grtrace" report --per-pod -f csv same-names > csv && cells "owner namespace pod t_exec_sum_ns" csv |
		awk -F'|' '$1 == "pod" { n[$1 "|" $2 "|" $3] += $4 } END { for (o in n) printf "%s|%.0f\n", o, n[o] }' | sort > b
	same
}
ok "have the time of both"		sum_of_twins
rings_of_one_name()
{
	rows grtrace_ring_state_seconds_total "device ring state" | grep '|busy|' > a
	"$grtrace" report --idle --all-time -f csv same-names > csv && cells "scope device ring busy_ns" csv | awk -F'|' '
		$1 == "ring" { n[$2 "|" $3 "|busy"] += $4 } END { for (r in n) printf "%s|%.0f\n", r, n[r] }' | sort > b
	same
}
ok "and two rings"			rings_of_one_name
histograms()	# trace: buckets only grow, the last one is the count, and parts make up the sum
{
	text "$1" || return 1
	awk '/^grtrace_(job|stage)_seconds_bucket/ {
			set = $1; sub(/,?le="[^"]*"/, "", set); sub(/_bucket/, "", set)
			if ($2 + 0 < last[set] + 0) { print "falls: " $0; bad = 1 }
			last[set] = $2; n++
		}
		/^grtrace_(job|stage)_seconds_count/ { set = $1; sub(/_count/, "", set); if ($2 != last[set]) { print "count: " $0; bad = 1 } }
		END { exit bad || n < 42 }' out > err || return 1
	rows grtrace_stage_seconds_sum stage > a
	rows grtrace_exec_seconds_total nothing | sed 's/^/exec/' > b
	grep '^exec|' a > c && mv c a && same
}
ok "histograms"				histograms busy
total()
{
	"$grtrace" report --per-ring -f csv busy > csv && cells "scope total_sum_ns" csv |
		awk -F'|' '$1 == "ring" { n += $2 } END { printf "|%.0f\n", n }' > b
	rows grtrace_job_seconds_sum nothing > a
	same
}
ok "total of all jobs"			total
ok "hangs"				says 'grtrace_hangs_total{device="0000:0b:00.0",ring="gfx",owner="unknown"} 2'
ok "lost events"			text lossy
ok "are counted"			says 'grtrace_lost_events_total{reason="buffer_full"} 50'
ok "a job that was killed"		text kill
ok "has its result"			grep -qE '^grtrace_jobs_total.*result="killed".* [1-9]' out
ok "odd names"				text odd-pods
well_formed()
{
	! grep -vE '^(# (HELP|TYPE) [a-z_]+ [[:print:]]+|[a-z_]+(\{([a-z_]+="([^"\\]|\\["\\])*",?)+\})? [0-9.]+)$' out > err
}
ok "are quoted"				well_formed
if command -v promtool > /dev/null; then
	ok "promtool takes it"		sh -c 'promtool check metrics < out > err 2>&1'
	ok "promtool tests the rules"	run 0 promtool test rules "$tools/prometheus/tests.yml"
	text odd-pods
else
	ok "promtool takes it, and tests the rules # SKIP no promtool" true
fi
# What begins within the time that is shown has no increase(): tests.yml tests the expressions that know.
jq -r '.. | .expr? // empty | select(contains("$__range"))' "$tools/prometheus/dashboard.json" |
	sed 's/\$instance/.*/g; s/\$__range/20m/g' | sort > counting
sed -n 's/^  - expr: //p' "$tools/prometheus/tests.yml" | sort > tested
ok "panels that count are there"	[ "$(wc -l < counting)" -eq 3 ]
ok "and tested"				sh -c 'comm -23 counting tested > untested; [ ! -s untested ]'
ok "of which quotes and backslashes"	says 'pod="/a,\"b\""'

described()	# each family is in the manual, and no other
{
	text pods.grt
	sed -n 's/^# TYPE \([a-z_]*\) .*/\1/p' out | sed 's/_total$//; s/_info$//' | grep -v '_timestamp_' | sort > a
	sed -n '/^   \* - name/,/^Samples/p' "$tools/../../Documentation/metrics.rst" |
		sed -n '/^   \* - ``/s/``/\n/gp' | grep -E '^(grtrace|process)_' | grep -v '_timestamp_' | sort > b
	same
}
ok "all are described"			described

# --- the same from a pipe, and as a file ---
numbers() { grep -vE '^#|^process_|^grtrace_(build|last)' "$1" | sort; }
piped()
{
	cat busy | "$grtrace" serve --textfile piped - 2> err || return 1
	text busy
	numbers out > a
	numbers piped > b
	same
}
ok "a stream from a pipe"		piped
no_rest()
{
	ls -A > a
	text pods
	ls -A > b
	same && [ "$(stat -c %a out)" = 644 ]
}
ok "the file is replaced, for all to read" no_rest
ok "a folder that is not there"		complains 3 "cannot write 'nowhere/x'" "folder" "$grtrace" serve --textfile nowhere/x pods

# --- many pods ---
ok "10,000 pods"			text many
ok "have a limited size"		[ "$(grep -vc '^#' out)" -lt 20000 ]
folds()
{
	says 'grtrace_series_folded_total{family="grtrace_job_seconds"} 9800' &&
		says 'grtrace_job_seconds_count{owner="other"} 9800' && rows grtrace_exec_seconds_total nothing > a
	"$grtrace" report --per-ring -f csv many > csv && cells "scope t_exec_sum_ns" csv |
		awk -F'|' '$1 == "ring" { n += $2 } END { printf "|%.0f\n", n }' > b
	same
}
ok "the rest is other, and nothing is missing" folds
ok "a limit of one"			text --cap 1 many
ok "is kept"				[ "$(rows grtrace_exec_seconds_total "owner pod" | wc -l)" -eq 2 ]
few_rings()
{
	text --cap 1 two-devices && rows grtrace_ring_state_seconds_total "device ring owner" | cut -d '|' -f 1-3 > a
	[ "$(wc -l < a)" -eq 2 ] && grep -qxF '0000:0b:00.0|gfx|' a && grep -qxF '||other' a
}
ok "also of rings"			few_rings
ok "of which the rest is told"		says 'grtrace_series_folded_total{family="grtrace_ring_state_seconds"} 2'

# --- HTTP ---
server=
from=/dev/null		# what serve - reads
serve()		# options and trace; sets $server and $port
{
	: > log		# nothing of the one before
	"$grtrace" serve --listen 127.0.0.1:0 "$@" 2> log < "$from" &
	server=$!
	for _ in $(seq 100); do
		port=$(sed -n 's|.*at http://127.0.0.1:\([0-9]*\)/metrics|\1|p' log)
		[ -n "$port" ] && return
		sleep 0.1
	done
	return 1
}
stop() { kill "$server" && wait "$server"; }
get() { "$http" get "$port" "$@" > out 2> err; }
raw() { printf "$1" | "$http" raw "$port" > out 2> err; }
ok "a server"				serve pods.grt
ok "text"				get /metrics
ok "has its type"			grep -q '^Content-Type: text/plain; version=0.0.4' err
same_as_file()
{
	numbers out > a
	"$grtrace" serve --textfile file pods.grt && numbers file > b && same
}
ok "is that of --textfile"		same_as_file
ok "OpenMetrics"			get /metrics 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5'
ok "has its type, too"			grep -q '^Content-Type: application/openmetrics-text; version=1.0.0' err
ok "ends"				[ "$(tail -n 1 out)" = "# EOF" ]
ok "has units"				says "# UNIT grtrace_exec_seconds seconds"
ok "counters have a suffix"		says "# TYPE grtrace_exec_seconds counter"
ok "jobs as examples"			grep -qE '^grtrace_job_seconds_bucket\{.*le="0.00128"\} 1 # \{fence="1:1"\} 0.00102' out
ok "a page"				get /
ok "that says what it is"		says "of GPU jobs"
ok "no other page"			get /else
ok "404"				grep -q '^HTTP/1.1 404' err
ok "no other method"			raw 'DELETE /metrics HTTP/1.1\r\nHost: x\r\n\r\n'
ok "405"				says "HTTP/1.1 405"
ok "which says what is allowed"		says "Allow: GET, HEAD"
ok "HEAD"				raw 'HEAD /metrics HTTP/1.0\r\n\r\n'
ok "200, without a body"		[ "$(grep -c 'HTTP/1.1 200' out)" -eq 1 -a "$(wc -c < out)" -lt 400 ]
garbage()
{
	head -c 100000 /dev/urandom | "$http" raw "$port" > out 2> err
	raw 'GET / HTTP/1.1\r\nHost: x\r\nA: %09000d\r\n\r\n'
	raw 'POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\nx'
	raw 'GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n'
	says "HTTP/1.1 404" && raw '\0\0\0\0' && get /metrics && says "grtrace_jobs_total"
}
ok "garbage"				garbage
fast()		# kind of clients, how many
{
	"$http" "$1" "$port" "$2" > out 2> err && [ "$(cat out)" -lt 10000 ]
}
ok "1,000 connections that say nothing"	fast idle 1000
ok "200 clients that do not read"	fast slow 200
ok "and then"				get /metrics
ok "it ends at SIGTERM"			stop
ok "without a word"			[ "$(wc -l < log)" -eq 1 ]
live()		# a stream that goes on
{
	mkfifo fifo
	{ cat long; exec sleep 100; } > fifo &
	feeder=$!
	from=fifo
	serve - || return 1
	from=/dev/null
	for _ in $(seq 100); do
		get /metrics && ! says 'grtrace_events_total 0' && break
		sleep 0.1
	done
	get /metrics && says 'place="on_ring"' && stop && kill "$feeder"
}
ok "while a stream goes on"		live

# --- the socket of systemd ---
activated()
{
	: > log
	"$http" listen "$grtrace" serve pods.grt 2> log &
	server=$!
	for _ in $(seq 100); do
		grep -q metrics log && break
		sleep 0.1
	done
	port=$(head -n 1 log)
	grep -q "at http://127.0.0.1:$port/metrics" log && get /metrics && says "grtrace_jobs_total" && stop
}
ok "a socket of systemd"		activated
not_activated() { sh -c 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" serve pods.grt 3< /dev/null' "$grtrace"; }
ok "no socket"				complains 3 "gave several sockets, or one that does not listen" "ListenStream" not_activated

# --- wrong usage ---
ok "two files"				complains 2 "one file" "serve -h" "$grtrace" serve a b
ok "a file and a source"		complains 2 "not both" "serve -h" "$grtrace" serve --source bpf a
ok "no label sets"			complains 2 "cap" "serve -h" "$grtrace" serve --cap 0 a
ok "a short interval"			complains 2 "interval" "serve -h" "$grtrace" serve --interval 1ms a
ok "no such file"			complains 3 "cannot open 'nothing'" "." "$grtrace" serve --textfile x nothing
for address in "" 80 :80 1.2.3.4 127.0.0.1: 127.0.0.1:http ::1:80 "[::1]" 127.0.0.1:99999; do
	ok "no address: '$address'"	complains 3 "cannot listen on '" "127.0.0.1:10763" timeout 10 "$grtrace" serve --listen "$address" pods
done
ok "a name is no address"		complains 3 "cannot listen on 'localhost:80'" "ip address" timeout 10 "$grtrace" serve --listen localhost:80 pods
serve pods.grt
ok "a port that is in use"		complains 3 "Address already in use" "ss -ltnp" "$grtrace" serve --listen "127.0.0.1:$port" pods
stop
end
