#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --type, --engine and --ring filter in the kernel and leave the module as it was, also when a signal ends them
# kernels: 6.1
# requires: mock grtrace
cd "$CASE_TMP"
keys() { grep '^filter_' "$GRT_DIR/config"; }
types() { grtrace dump --format csv "$1" | cut -d, -f1 | grep -vE '^(type|LOSS|POLICY)$' | sort -u | paste -s -d ' '; }
running() { [ "$(cat "$GRT_DIR/control")" = running ]; }

config filter_engine_mask=63
before=$(keys)
expect_status 0 grtrace record -o t.grt --type SUBMIT,COMPLETE -- workload --scenario mixed --jobs 200
expect_eq types "$(types t.grt)" "COMPLETE SUBMIT"
expect_eq "the keys afterwards" "$(keys)" "$before"
[ "$(stat filtered_type)" -gt 0 ] || fail "nothing was filtered"
expect_status 0 grtrace verify -s 1s t.grt

# BPF programs learn from its SUBMIT which ring a job has, even if SUBMIT is not recorded.
expect_status 0 grtrace record --source=bpf -o b.grt --type COMPLETE -- workload --scenario mixed --jobs 200
expect_eq "types with bpf" "$(types b.grt)" "COMPLETE"
expect_eq "COMPLETE without a ring" "$(grtrace dump b.grt | grep -c 'ring=0')" 0
expect_eq "COMPLETE with bpf" "$(grtrace dump b.grt | grep -c "\] COMPLETE")" 200

expect_status 0 grtrace record -o e.grt --engine sdma -- workload --scenario mixed --jobs 200
expect_eq "the keys afterwards" "$(keys)" "$before"
[ "$(stat filtered_engine)" -gt 0 ] || fail "nothing was filtered"
[ "$(stat written)" -gt 0 ] || fail "nothing was left"

for signal in INT TERM HUP; do
	grtrace record -q -o s.grt --ring 1 &
	pid=$!
	wait_for 10 running
	kill -$signal $pid
	wait $pid || fail "record ended with $? after SIG$signal"
	expect_eq "the keys after SIG$signal" "$(keys)" "$before"
done

# kill -9: the session ends with record.
grtrace record -q -o k.grt &
pid=$!
wait_for 10 running
kill -9 $pid
wait $pid || :
wait_for 10 sh -c "grep -q stopped $GRT_DIR/control"

# The filters end, too.
as_before() { [ "$(keys)" = "$before" ]; }
grtrace record -q -o k.grt --ring 1 --discard &
pid=$!
wait_for 10 running
[ "$(keys)" != "$before" ] || fail "no key was changed, so this run proves nothing"
kill -9 $pid
wait $pid || :
wait_for 10 as_before

# Clocks and counters are in the file.
grtrace record -q -o c.grt --discard -- true
grtrace dump -d --format csv c.grt >definitions
[ "$(grep -c '^CLOCK,' definitions)" -ge 2 ] || fail "no CLOCK at start and stop"
expect_eq "STATS in the file" "$(grep -c '^STATS,' definitions)" 1
