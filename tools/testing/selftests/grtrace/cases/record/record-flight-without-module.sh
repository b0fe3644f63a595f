#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: without the module record --flight catches hangs, one after the other, by BPF programs and by tracefs; each event is in one file, and no more memory is kept than was asked for
# requires: mock grtrace
# kernels: 6.1 7.x
# shellcheck disable=SC2012,SC2094	# names here have no odd characters; grtrace does not write what it reads
cd "$CASE_TMP"
recorder=""
trap '[ -z "$recorder" ] || kill -9 $recorder 2>/dev/null || :' EXIT
has_files() { [ "$(ls f-2*.grt 2>/dev/null | wc -l)" -eq "$1" ]; }
submits() { grtrace dump --type submit "$1" | awk '$3 == "SUBMIT" { print $4, $5 }'; }

for source in bpf tracefs; do
	rm -f f-*
	flight_begin --source=$source
	workload --jobs 300 >/dev/null
	workload --scenario hang --jobs 60 >hang || fail "$(cat hang)"
	wait_for 30 has_files 1
	first=$(ls f-2*.grt)
	workload --scenario hang --jobs 30 >hang || fail "$(cat hang)"
	wait_for 30 has_files 2
	workload --jobs 50 >/dev/null
	flight_end
	for file in f-2*.grt f-end.grt; do
		grtrace verify "$file" >verified || fail "$source: $file: $(grep '^FAILED' verified)"
	done
	for file in f-2*.grt; do
		grtrace dump -d "$file" | grep -q 'SNAPSHOT .*trigger=ERROR .*detail=1' || fail "$source: $file does not say why: $(grtrace dump -d "$file" | grep SNAPSHOT)"
		grtrace dump -d "$file" | grep -q 'NOTE .*hung, reset' || fail "$source: $file lacks the kernel's log"
		grtrace dump --type error "$file" | grep -q TIMEOUT || fail "$source: $file lacks its trigger"
	done
	[ "$(submits "$first" | wc -l)" -ge 350 ] || fail "$source: the first file has $(submits "$first" | wc -l) jobs"
	for file in f-2*.grt f-end.grt; do submits "$file"; done | sort >all
	expect_eq "$source: jobs in all files" "$(wc -l <all)" 440
	expect_eq "$source: jobs in two files" "$(uniq -d all | wc -l)" 0
done

# --- a small buffer holds the last events only, and the file is whole all the same ---
rm -f f-*
flight_begin --source=bpf -b 64K
workload --jobs 5000 >/dev/null
flight_end
grtrace verify f-end.grt >verified || fail "a small buffer: $(grep '^FAILED' verified)"
kept=$(submits f-end.grt | wc -l)
echo "$kept of 5000 jobs are kept"
{ [ "$kept" -ge 100 ] && [ "$kept" -le 2500 ]; } || fail "$kept jobs of 5000 are kept"
submits f-end.grt | tail -n 1 >last
grtrace report f-end.grt >report || fail "no report: $(cat report)"
