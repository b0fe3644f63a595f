#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --flight saves each snapshot once, goes on, keeps what --keep and --last say, and adds what the kernel's log said; snapshot saves one of a session that nobody records
# requires: mock grtrace
# kernels: 6.1
# shellcheck disable=SC2012,SC2094	# names here have no odd characters; grtrace does not write what it reads
cd "$CASE_TMP"
recorder=""
trap '[ -z "$recorder" ] || kill -9 $recorder 2>/dev/null || :' EXIT

files() { ls f-2*.grt 2>/dev/null | wc -l; }
has_files() { [ "$(files)" -eq "$1" ]; }
trigger_of() { grtrace dump -d "$1" | sed -n 's/.* SNAPSHOT .*trigger=\([A-Z]*\) .*/\1/p'; }
whole() { grtrace verify "$1" >verified || fail "$1: $(grep '^FAILED' verified)"; }

# --- hangs, one after the other ---
flight_begin
workload --jobs 300 >/dev/null
workload --scenario hang --jobs 60 >hang || fail "$(cat hang)"
wait_for 20 has_files 1
first=$(ls f-2*.grt)
workload --scenario hang --jobs 30 >hang || fail "$(cat hang)"
wait_for 20 has_files 2
workload --jobs 50 >/dev/null
flight_end
expect_eq "files" "$(files)" 2
for file in f-2*.grt; do
	whole "$file"
	expect_eq "why $file was taken" "$(trigger_of "$file")" ERROR
	grtrace dump -d "$file" | grep -q 'NOTE .*KERNEL_LOG .*hung, reset' || fail "$file lacks the kernel's log"
done
[ "$(grtrace dump --type submit "$first" | grep -c SUBMIT)" -ge 350 ] || fail "the first file lacks what came before the hang"
grtrace dump --type error "$first" | grep -q TIMEOUT || fail "the first file lacks its trigger"
whole f-end.grt
expect_eq "why the last file was taken" "$(trigger_of f-end.grt)" STOP
[ "$(grtrace dump --type complete f-end.grt | grep -c COMPLETE)" -ge 50 ] || fail "the last events are missing"
expect_eq "mode of the next session" "$(cat "$GRT_DIR/mode")" discard
rm -f f-*

# --- an event of the kernel, a part of the time, and no more files than wanted ---
flight_begin --stop-on 'sched:sched_process_exit if comm == "sleep"' --last 50ms --keep 2
for round in 1 2 3; do
	workload --jobs 200 >/dev/null
	sleep 0.01
	wait_for 20 sh -c "[ \$(grep -c '^f-.*somebody asked' words) -ge $round ]"
done
flight_end
expect_eq "files that are kept" "$(files)" 2
for file in f-2*.grt; do
	whole "$file"
	grtrace dump "$file" | awk '$3 == "POLICY" || $3 == "SNAPSHOT" { next } !n++ { first = $1 } { last = $1 } END { exit !(n > 20 && last - first <= 0.05) }' ||
		fail "$file is not the last 50 ms"
done

# --- files whose names say that they are newer, because the clock was ahead ---
rm -f f-*
for second in 1 2 3; do echo ahead >f-20990101-00000$second.grt; done
flight_begin --stop-on 'sched:sched_process_exit if comm == "sleep"' --keep 2
workload --jobs 50 >/dev/null
sleep 0.01
wait_for 20 grep -q '^f-.*somebody asked' words
wait_for 20 has_files 2
saved=$(sed -n 's/^\(f-.*grt\): .*somebody asked.*/\1/p' words)
whole "$saved"
flight_end
rm -f f-*

# --- a full disk: the snapshot stays in the module until there is room ---
mkdir -p small
mount -t tmpfs -o size=16m tmpfs small || fail "cannot mount a small tmpfs"
trap '[ -z "$recorder" ] || kill -9 $recorder 2>/dev/null || :; umount "$CASE_TMP/small"' EXIT
dd if=/dev/zero of=small/fill bs=1M count=16 2>/dev/null
flight_begin -o small/f.grt
workload --jobs 600 >/dev/null
workload --scenario hang --jobs 60 >hang || fail "$(cat hang)"
wait_for 20 grep -q "^grtrace: warning: a snapshot could not be saved: .*space" words
expect_stat snapshot held
workload --jobs 20 >/dev/null
sleep 6
expect_eq "warnings of a full disk" "$(grep -c 'could not be saved' words)" 1
expect_eq "files on a full disk" "$(ls small)" fill
rm small/fill
small_files() { [ "$(ls small/f-2*.grt 2>/dev/null | wc -l)" -eq "$1" ]; }
wait_for 20 small_files 1
whole small/f-2*.grt
grtrace dump --type error small/f-2*.grt | grep -q TIMEOUT || fail "the file lacks its trigger"
wait_for 20 grep -q '^small/f-2.*TIMEOUT' words
flight_end
rm -f small/*

# --- a session that nobody records ---
grtrace start --flight
workload --jobs 100 >/dev/null
grtrace snapshot -o one.grt -q
workload --jobs 70 >/dev/null
grtrace stop
grtrace snapshot -o two.grt -q
for file in one two; do whole $file.grt; done
expect_eq "jobs of the snapshot" "$(grtrace dump --type complete one.grt | grep -c COMPLETE)" 100
expect_eq "jobs after it" "$(grtrace dump --type complete two.grt | grep -c COMPLETE)" 70
expect_fail grtrace snapshot
grep -q 'start --flight' out || fail "no hint: $(cat out)"

# --- a recorder that is killed leaves its last events ---
flight_begin
workload --jobs 40 >/dev/null
kill -9 "$recorder"
wait "$recorder" || :
recorder=""
wait_for 20 sh -c "[ \$(cat $GRT_DIR/control) = stopped ]"
grtrace snapshot -o killed.grt -q
expect_eq "jobs that the dead recorder left" "$(grtrace dump --type complete killed.grt | grep -c COMPLETE)" 40
