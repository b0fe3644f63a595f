#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The part of bench/top that runs in the guest. Prints "guest|PROGRAM|SHARE|JOBS_PER_S" for each turn,
# where SHARE is a percentage of one CPU. Leaves the live stream of such a workload in the file stream,
# and its bytes and jobs in stream-is.
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
	echo "guest|$name|$(awk -v ns=$((after - before)) -v s="$seconds" 'BEGIN { printf "%.3f", ns / s / 1e7 }')|$(((jobs_after - jobs_before) / seconds))"
}

for round in $(seq "$rounds"); do
	echo "round $round of $rounds" >&2
	for source in module bpf tracefs; do
		turn "grtrace top --source=$source" grtrace top --source=$source
	done
	! command -v htop >/dev/null || turn htop htop -d 10
done
# A stream that lasts longer than a turn, and begins as it would for top.
grtrace record --live -q >/share/stream &
sleep 1
jobs_before=$(jobs) bytes_before=$(stat -c %s /share/stream)
sleep $((seconds + 4))
echo "$(($(stat -c %s /share/stream) - bytes_before)) $(($(jobs) - jobs_before))" >/share/stream-is
kill -INT $!
wait $! || :
