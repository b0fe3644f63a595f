#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# bench/top runs this in the guest. For each turn it prints "guest|PROGRAM|PERCENT OF A CPU|JOBS PER SECOND".
# At the end it records the live stream of the workload to the file stream, and writes to stream-is how
# many bytes and jobs came while it watched.
set -eu
rounds=$1 seconds=$2
export TERM=vt100 TERMINFO=/share/terminfo

fail() { echo "top: $*" >&2; [ ! -s said ] || cat said >&2; exit 1; }

mkdir /tmp/top
cd /tmp/top
echo 0 >count
(while :; do
	workload --scenario batch --jobs 4000 --processes 4 --duration-us 100:100 >/dev/null
	echo $(($(cat count) + 4000)) >new && mv new count
done) &

jobs() { cat count; }
run_ns() { cut -d ' ' -f 1 "/proc/$1/schedstat"; }

# turn NAME COMMAND...
turn()
{
	name=$1
	shift
	rm -f pid
	# shellcheck disable=SC2016	# of the inner shell
	script -q -c 'stty rows 24 cols 80; echo $$ >pid; exec '"$*" said </dev/null >/dev/null 2>&1 &
	sleep 3
	pid=$(cat pid)
	before=$(run_ns "$pid") || fail "'$name' ended"
	jobs_before=$(jobs)
	sleep "$seconds"
	after=$(run_ns "$pid") || fail "'$name' ended"
	jobs_after=$(jobs)
	kill -TERM "$pid"
	wait $! || :
	awk -v name="$name" -v ns=$((after - before)) -v s="$seconds" -v jobs=$((jobs_after - jobs_before)) \
		'BEGIN { printf "guest|%s|%.3f|%d\n", name, ns / s / 1e7, jobs / s }'
}

for round in $(seq "$rounds"); do
	echo "round $round of $rounds" >&2
	for source in module bpf tracefs; do
		turn "grtrace top --source=$source" grtrace top --source=$source
	done
	! command -v htop >/dev/null || turn htop htop -d 10
done

# Longer than a turn, so that a turn on the other machine does not reach its end.
grtrace record --live -q >/share/stream &
sleep 1
jobs_before=$(jobs) bytes_before=$(stat -c %s /share/stream)
sleep $((seconds + 4))
echo "$(($(stat -c %s /share/stream) - bytes_before)) $(($(jobs) - jobs_before))" >/share/stream-is
kill -INT $!
wait $! || :
