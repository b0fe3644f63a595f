#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --flight --export writes each job once, whole, in files that add up to the recording, also when it is killed; a hang is kept as a snapshot
# kernels: 6.1
# requires: mock grtrace
# timeout: 300
# shellcheck disable=SC2012,SC2094	# names here have no odd characters; grtrace does not write what it reads
MOCK=/sys/kernel/debug/grtrace_mock
cd "$CASE_TMP"
recorder=""
trap '[ -z "$recorder" ] || kill -9 $recorder 2>/dev/null || :' EXIT

begin_recorder() { flight_begin --source=module --export rows --every 1s "$@"; }

# pause_recorder: stops it; $paused_at is the address of its next instruction
is_stopped() { grep -q '^State:.T' "/proc/$recorder/status"; }
pause_recorder()
{
	kill -STOP "$recorder"
	wait_for 10 is_stopped
	paused_at=$(sed 's/.* //' "/proc/$recorder/syscall")
}

# find_wait: $waits_at is the address while it waits for events.  It has nothing to do now and waits most of the time,
# but it may be elsewhere when it is paused: so it must be there three times in a row.
is_waiting() { grep -q poll "/proc/$recorder/wchan"; }
find_wait()
{
	waits_at="" times=0
	while [ $times -lt 3 ]; do
		wait_for 10 is_waiting
		pause_recorder
		[ "$paused_at" = "$waits_at" ] || times=0
		waits_at=$paused_at times=$((times + 1))
		kill -CONT "$recorder"
	done
}

# kill_recorder ADDRESS: kill -9 while it waits for events, with ADDRESS as its next instruction.  A recorder that is
# killed between reading events and writing them loses these, and they count as missing.
kill_recorder()
{
	pause_recorder
	for _ in $(seq 500); do
		[ "$paused_at" != "$1" ] || break
		kill -CONT "$recorder"
		sleep 0.01
		pause_recorder
	done
	expect_eq "instruction of the recorder that waits" "$paused_at" "$1"
	kill -9 "$recorder"
	wait "$recorder" || :
	recorder=""
}

rows_of() { cat rows/jobs-*.ndjson; }
# Without what says in which file a job is.
jobs_of() { grep '^{"row":"job"' "$1" | sed 's/"segment":[0-9]*,//; s/"realtime_ns":[0-9a-z]*,//' | sort; }
keys_of_rows() { sed -n 's/^{"row":"job".*"ctx":\([0-9]*\),"seqno":\([0-9]*\),.*/\1:\2/p' | sort; }
ledger_sum() { sed -n "s/^{\"row\":\"ledger\".*\"$1\":\([0-9]*\)[,}].*/\1/p" "$2" | awk '{ sum += $1 } END { printf "%.0f\n", sum }'; }

# expect_complete: each file has as many jobs as its ledger says, and nothing waits
expect_complete()
{
	for file in rows/jobs-*.ndjson; do
		tail -n 1 "$file" | grep -q '^{"row":"ledger"' || fail "$file has no ledger at its end"
		expect_eq "jobs of $file" "$(grep -c '^{"row":"job"' "$file")" "$(ledger_sum jobs "$file")"
		expect_eq "mode of $file" "$(command stat -c %a "$file")" 600
	done
	expect_eq "segments that are left" "$(ls rows/.segments)" ""
}

# --- all is well: the last snapshot has the same events, in one file ---
echo 1 >"$MOCK/log_reset"
begin_recorder -b 16M
workload --scenario mixed --jobs 1200 --processes 4 --seed 11 --duration-us 2000:20000 >workload 2>&1 || fail "$(cat workload)"
flight_end
expect_eq log_dropped "$(cat "$MOCK/log_dropped")" 0
expect_complete
rows_of >all
grtrace export --to ndjson f-end.grt >whole || fail "export of the snapshot"
jobs_of all >all.jobs
jobs_of whole >whole.jobs
diff whole.jobs all.jobs >differ || fail "rows are not those of the whole recording: $(grep -e '^[-+]{' differ | sort -k 1.2 | head -n 2)"
for name in events jobs exec_jobs exec_ns total_jobs total_ns waited_ns lost missing; do
	expect_eq "$name of all ledgers" "$(ledger_sum $name all)" "$(ledger_sum $name whole)"
done
keys_of "$MOCK/log" >logged
keys_of_rows <all >exported
expect_same_jobs "jobs of the mock" exported logged
grtrace report --all --jobs --format csv f-end.grt >report.csv || fail "report"
expect_eq "total_ns of the report" "$(ledger_sum total_ns all)" "$(awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "total_ns") at = i; next }
	{ sum += $at }
	END { printf "%.0f\n", sum }' report.csv)"
# Files begin at the times in "segment"; which jobs run at one of them?
crossing=$(awk '
	function value(name) { return match($0, "\"" name "\":[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "" }
	/^[{]"row":"ledger"/ { begins[value("segment")] = 1; next }
	/^[{]"row":"job"/ { to[++n] = value("complete_ns"); from[n] = value("submit_ns") }
	END {
		for (i = 1; i <= n; i++)
			for (at in begins)
				if (from[i] + 0 < at + 0 && at + 0 <= to[i] + 0) { jobs++; break }
		print jobs + 0
	}' all)
echo "$(wc -l <all.jobs) jobs in $(ls rows/jobs-*.ndjson | wc -l) files, $crossing cross a rotation"
[ "$crossing" -ge 33 ] || fail "only $crossing jobs cross a rotation, so this run proves nothing"
rm -rf rows f-*

# --- a hang is kept; then the recorder is killed, and another one goes on ---
begin_recorder
find_wait
workload --jobs 300 >/dev/null
workload --scenario hang --jobs 60 >hang || fail "$(cat hang)"
wait_for 20 sh -c "ls f-2*.grt"
grtrace dump --type error f-2*.grt | grep -q TIMEOUT || fail "the snapshot lacks its trigger"
echo 1 >"$MOCK/log_reset"
workload --jobs 400 >/dev/null
cp "$MOCK/log" before.csv
workload --scenario mixed --jobs 1200 --processes 4 --seed 12 --duration-us 2000:20000 >/dev/null &
work=$!
sleep 2
kill_recorder "$waits_at"
wait_for 10 sh -c "[ \$(cat $GRT_DIR/control) = stopped ]"
echo "$(stat unread_bytes) bytes were unread, and $(ls rows/.segments | wc -l) segments left"
written=$(stat written)
run=$(ls rows/.segments | sed -n '1s/^\(jobs-[0-9]*-[0-9]*\)-.*/\1/p')
begin_recorder
wait "$work"
echo 1 >"$MOCK/log_reset"
workload --jobs 200 >/dev/null
flight_end
expect_complete
rows_of >all
expect_eq "events that are missing" "$(ledger_sum missing all)" 0
cat "rows/$run"-*.ndjson >killed
expect_eq "events of the recorder that was killed" "$(ledger_sum events killed)" "$written"
keys_of before.csv >sure
keys_of "$MOCK/log" >>sure
sort -o sure sure
grep -v '"flags":"[^"]*cut' all | keys_of_rows >exported
[ -z "$(uniq -d exported)" ] || fail "jobs that are there twice: $(uniq -d exported | head -n 5)"
grep -v -x -F -f exported sure >absent || :
[ ! -s absent ] || fail "$(wc -l <absent) of $(wc -l <sure) jobs are not there: $(head -n 5 absent)"
echo "$(wc -l <exported) whole jobs, $(grep -c '"flags":"[^"]*cut' all) with an end at the kill"
