#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: BPF programs whose reader is too slow count what they lose: written and lost events are those that the module saw
# requires: mock grtrace
# kernels: 6.1
cd "$CASE_TMP" || exit
refs() { cat /sys/module/gpu_sched/refcnt; }
has_programs() { [ "$(refs)" -gt "$before" ]; }
# number NAME: a counter in the STATS of the recording
number() { grtrace dump -d x.grt | grep ' STATS ' | sed -n "s/.*[\"n]$1=\([0-9]*\).*/\1/p"; }
# seen TYPE...: how many events of these types the module saw
seen() { for type; do sed -n "s/^[0-9]*,$type,\([0-9]*\),.*/\1/p" "$GRT_DIR/events_by_type"; done | awk '{ n += $1 } END { print n + 0 }'; }

# begin_losing FILE: 2,000 jobs beside a recorder, $pid, that reads nothing
begin_losing()
{
	grtrace record --source=bpf -b 64K -o "$1" 2>words &
	pid=$!
	wait_for 20 has_programs
	sleep 1
	session_start
	kill -STOP $pid
	workload --scenario batch --jobs 2000
}

before=$(refs)
begin_losing x.grt
# So that there is an event behind the losses.
kill -CONT $pid
sleep 0.5
workload --scenario batch --jobs 20
session_stop
kill -INT $pid
wait $pid || fail "record: $(cat words)"
grtrace verify x.grt || fail "verify"
types="SUBMIT DEPENDENCY COMMIT END COMPLETE FENCE_SIGNALED"
# shellcheck disable=SC2086	# a list
expect_eq "seen" "$(number seen)" "$(seen $types)"
expect_eq "written and lost" $(($(number written) + $(number buffer_full))) "$(number seen)"
[ "$(number buffer_full)" -gt 100 ] || fail "only $(number buffer_full) events were lost, so this run proves nothing"
expect_eq "events in the file" "$(grtrace dump --format csv x.grt | grep -cE '^(SUBMIT|DEPENDENCY|COMMIT|END|COMPLETE|FENCE_SIGNALED),')" "$(number written)"
expect_eq "LOSS in the dump" "$(grtrace dump --format csv --type LOSS x.grt |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n += $at["count"] } END { print n + 0 }')" "$(number buffer_full)"

# No event comes behind the losses, and the recorder is killed: what it wrote in the meantime has their number.
begin_losing y.grt
kill -CONT $pid
sleep 3
session_stop
kill -9 $pid
wait $pid || :
grtrace dump --format csv y.grt.grtrace-rec-* >cut.csv
lost=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } /^LOSS,/ { n += $at["count"] } END { print n + 0 }' cut.csv)
# shellcheck disable=SC2086	# a list
expect_eq "in the file and lost" $(($(grep -cE '^(SUBMIT|DEPENDENCY|COMMIT|END|COMPLETE|FENCE_SIGNALED),' cut.csv) + lost)) "$(seen $types)"
[ "$lost" -gt 100 ] || fail "only $lost events were lost, so this run proves nothing"
