#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --live gives top and every other reader all jobs of a workload, from each source; a slow reader holds nobody up and is told what it missed; top counts the same by itself
# requires: mock grtrace
# kernels: 6.1
# timeout: 300
JOBS=600
cd "$CASE_TMP" || exit

# value FILE SCOPE COLUMN: the sum of that column, in the last state that top printed
value()
{
	awk -F, -v scope="$2" -v name="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		# A state begins at another time, or when a ring comes again: the last two may have one time.
		$1 != now || $3 == "ring" && $4 "," $5 in seen { now = $1; delete seen; sum = 0 }
		{ seen[$4 "," $5] }
		$at["scope"] == scope { sum += $at[name] }
		END { printf "%.0f\n", sum }' "$1"
}

for source in module bpf tracefs; do
	mkfifo pipe
	tee raw <pipe | grtrace top --batch --interval 500ms -f csv - >top.csv &
	reader=$!
	grtrace record --source=$source --live -- workload --scenario mixed --jobs $JOBS --processes 3 >pipe 2>words ||
		fail "$source: record: $(cat words)"
	wait $reader || fail "$source: top ended with $?"
	rm pipe
	cat words
	grep -q "dropped" words && fail "$source: events were dropped for a reader that reads"
	grtrace verify raw >verify.txt || fail "$source: verify: $(grep FAILED verify.txt)"
	grtrace report --jobs --all -f csv raw >jobs.csv || fail "$source: report"
	expect_eq "$source: jobs in the stream" "$(($(wc -l <jobs.csv) - 1))" $JOBS
	expect_eq "$source: jobs of rings in top" "$(value top.csv ring jobs)" $JOBS
	expect_eq "$source: jobs of processes in top" "$(value top.csv process jobs)" $JOBS
	[ "$(grep -c ',ring,' top.csv)" -ge 3 ] || fail "$source: top showed no rings: $(cat top.csv)"
	# The same numbers as a report of the same stream, but for idle time, which it knows better.
	grtrace top --batch -f csv raw >whole.csv
	expect_eq "$source: time that jobs ran" "$(value top.csv process exec_ns)" "$(value whole.csv process exec_ns)"
	expect_eq "$source: time that rings were busy" "$(value top.csv ring busy_ns)" "$(value whole.csv ring busy_ns)"

	# A source of its own, which begins before the jobs.
	rm -f own.csv
	grtrace top --source=$source --batch --interval 500ms -f csv >own.csv 2>words &
	reader=$!
	wait_for 20 test -s own.csv
	workload --scenario mixed --jobs $JOBS --processes 3 >/dev/null
	sleep 2
	kill -TERM $reader
	wait $reader || fail "$source: top: $(cat words)"
	expect_eq "$source: jobs that top saw by itself" "$(value own.csv ring jobs)" $JOBS
done
expect_eq control "$(cat "$GRT_DIR/control")" stopped

# A session of somebody else: top takes nothing of it; a second reader learns who reads.
session_start
grtrace top --source=module --batch -n 1 >out 2>&1 && fail "top took the events of a session that ran"
grep -q '^hint: .*record --live' out || fail "no hint: $(cat out)"
cat "$GRT_DIR/trace_pipe" >/dev/null &
reader=$!
opens()
{
	for fd in "/proc/$reader/fd"/*; do
		case $(readlink "$fd") in */trace_pipe) return 0 ;; esac
	done
	return 1
}
wait_for 10 opens
grtrace record --live 2>out | cat >/dev/null
grep -q "is read by cat\[$reader\] already" out || fail "who reads is not told: $(cat out)"
kill $reader
session_stop

# A reader that sleeps: nobody waits for it, and what is missing is counted.
mkfifo pipe
{ until [ -e over ]; do sleep 0.1; done; cat >raw; } <pipe &
reader=$!
# shellcheck disable=SC2016	# for the inner shell
grtrace record --source=module --live --discard -- sh -c 'for n in $(seq 0 19); do
	echo "submit 7 gfx 900 $((n * 15000 + 1)) count=15000" >"$0"/emit
	sleep 0.3
done
: >over' "$GRT_DIR" >pipe 2>words || fail "$(cat words)"
wait $reader
cat words
grep -q dropped words || fail "nothing was dropped, so this run proves nothing"
grtrace verify raw >verify.txt || fail "a slow reader: $(grep FAILED verify.txt)"
grtrace dump --definitions --format csv raw >events
expect_eq "events, and those that are told as lost" "$(($(grep -c '^SUBMIT,' events) + $(told_lost <events)))" 300000

# top that is ended while jobs come leaves no event behind, which would be in the way of the next one.
while :; do workload --scenario batch --jobs 1000 --processes 2 --duration-us 100:100 >/dev/null; done &
busy=$!
for turn in 1 2 3 4; do
	: >shown
	grtrace top --source=module --batch --interval 1s >shown 2>said &
	reader=$!
	wait_for 30 test -s shown
	kill -TERM $reader
	wait $reader || fail "turn $turn: top ended with an error: $(cat said)"
done
kill $busy
