#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: kill -9 of recorders on a busy machine: while they wait nothing is lost of what they had read, elsewhere the ledger counts each event that is
# kernels: soak
# requires: mock grtrace
# arm64: no, it knows poll() by its number on x86
# timeout: 3500
# GRTRACE_ROUNDS: kills of each kind and source; 2 by default.  GRTRACE_SOURCES: all by default.
rounds=${GRTRACE_ROUNDS:-2}
sources=${GRTRACE_SOURCES:-module bpf tracefs}
MOCK=/sys/kernel/debug/grtrace_mock
cd "$CASE_TMP" || exit
recorder="" beside=""
# shellcheck disable=SC2086	# several numbers
trap 'kill -9 $beside $recorder 2>/dev/null || :' EXIT

random() { echo $(($(od -An -v -t u4 -N 4 /dev/urandom) % $1)); }
is_stopped() { grep -q '^State:.T' "/proc/$recorder/status"; }
is_over() { [ "$(cat "$GRT_DIR/control")" = stopped ]; }
is_running() { [ "$(cat "$GRT_DIR/control")" = running ]; }
segment_has_begun() { [ -n "$(find rows/.segments -name '*.grtrace-rec-*' -size +0 2>/dev/null)" ]; }
switches() { sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' "/proc/$recorder/status"; }
has_looked() { [ "$(switches)" -ge "$looked_at" ]; }
ledger_sum() { cat rows/"$1"-*.ndjson | sed -n "s/^{\"row\":\"ledger\".*\"$2\":\([0-9]*\)[,}].*/\1/p" | awk '{ sum += $1 } END { printf "%.0f\n", sum }'; }

# stop_recorder wait|anywhere: it is stopped in the call in which it waits for events, or not in that call.  poll() has
# the number 7; interrupted once, it goes on as 219.
stop_recorder()
{
	for _ in $(seq 1000); do
		kill -STOP "$recorder"
		wait_for 10 is_stopped
		case $1.$(cut -d ' ' -f 1 "/proc/$recorder/syscall") in
		wait.7 | wait.219) return ;;
		wait.* | anywhere.7 | anywhere.219) ;;
		*) return ;;
		esac
		kill -CONT "$recorder"
		sleep "0.00$(random 10)$(random 10)"
	done
	fail "the recorder is never where it shall be killed ($1)"
}

kill_recorder()
{
	kill -9 "$recorder"
	wait "$recorder" || :
	recorder=""
}

# --- the module: each event is in the rows, or the ledger counts it ---

# Kills it right after another file was begun in a third of the rounds.
kill_module()
{
	grtrace record --source=module --export rows --every 1s >words 2>&1 &
	recorder=$!
	wait_for 30 is_running
	wait_for 30 segment_has_begun
	run=$(find rows/.segments -name '*.grtrace-rec-*' | sed 's/.*\(jobs-[0-9]*-[0-9]*\)-.*/\1/')
	sleep "0.$(random 10)$(random 10)"
	sleep "$(random 2)"
	if [ "$(random 3)" -eq 0 ]; then
		before=$(find rows/.segments -name '*.grtrace-rec-*')
		is_next() { [ "$(find rows/.segments -name '*.grtrace-rec-*')" != "$before" ]; }
		wait_for 10 is_next
	fi
	stop_recorder "$1"
	kill_recorder
	wait_for 10 is_over
	echo "$1 $run $(stat written)" >>runs
}

check_run()
{
	events=$(ledger_sum "$2" events) missing=$(ledger_sum "$2" missing)
	expect_eq "$2, killed $1: events in rows and those that are missing" $((events + missing)) "$3"
	[ "$1" = anywhere ] || expect_eq "$2: events that are missing" "$missing" 0
	echo "$1 $missing" >>lost
}

check_runs()
{
	grtrace record --source=module --export rows -d 100ms >words 2>&1 || fail "$(cat words)"
	while read -r how run written; do check_run "$how" "$run" "$written"; done <runs
	awk '{ kills[$1]++; lossy[$1] += $2 > 0; events[$1] += $2 }
		END { for (how in kills) print "module: " kills[how] " killed " how ", " lossy[how] " of them lost " events[how] " events, all counted" }' lost
	rm -rf rows
}

hog() { while :; do :; done; }
hog &
beside=$!
while :; do workload --scenario mixed --jobs 300 --processes 4 --duration-us 500:5000 >/dev/null 2>&1; done &
beside="$beside $!"
work=$!
case $sources in
*module*)
	for _ in $(seq "$rounds"); do
		kill_module wait
		kill_module anywhere
	done ;;
esac
kill $work
wait_for 60 sh -c '! pidof workload'
[ ! -e runs ] || check_runs

# --- the others: what they had time to look at is in the file ---

file() { find . -name "k.grt.grtrace-rec-*"; }

# Jobs are over, and it has looked and waited a few times since.
kill_waiting()
{
	echo 1 >"$MOCK/log_reset"
	workload --jobs 100 >/dev/null
	looked_at=$(($(switches) + 8))
	wait_for 60 has_looked
	stop_recorder wait
	kill_recorder
	keys_of "$MOCK/log" >logged
	grtrace report --all --jobs --format csv "$(file)" >jobs.csv 2>words || fail "$1: $(cat words)"
	keys_of jobs.csv >recorded
	expect_same_jobs "$1, killed while it waits" recorded logged
}

kill_anywhere()
{
	workload --jobs 100 >/dev/null &
	work=$!
	sleep "0.$(random 10)$(random 10)"
	stop_recorder anywhere
	kill_recorder
	wait $work
	expect_readable "$(file)" "$1"
	expect_eq "$1: missing in the file" "$(grtrace dump --format csv "$(file)" 2>/dev/null | told_lost WRITTEN)" 0
}

for source in ${sources#module}; do
	for _ in $(seq "$rounds"); do
		for how in kill_waiting kill_anywhere; do
			grtrace record --source="$source" -q -o k.grt 2>words &
			recorder=$!
			wait_for 30 recording_has_begun k.grt
			$how "$source"
			rm -f k.grt*
		done
	done
	echo "$source: $rounds killed wait with all of their jobs, $rounds anywhere"
done
