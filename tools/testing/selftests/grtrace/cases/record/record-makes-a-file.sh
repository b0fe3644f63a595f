#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record runs a command in a session of its own; its file is private and holds every job
# requires: mock grtrace
# kernels: 6.1 7.x
JOBS=600
cd "$CASE_TMP" || exit
size=$(sed -n 's/^buffer_size=//p' "$GRT_DIR/config")
[ "$size" != 1048576 ] || fail "the buffer has that size already, so this run proves nothing"
expect_status 0 grtrace record -o t.grt -b 1M -- workload --scenario mixed --jobs $JOBS
expect_eq control "$(cat "$GRT_DIR/control")" stopped
expect_stat buffer_bytes 1048576
expect_eq "buffer_size afterwards" "$(sed -n 's/^buffer_size=//p' "$GRT_DIR/config")" "$size"
expect_eq "mode of the file" "$(command stat -c %a t.grt)" 600
expect_stat lost_events 0
written=$(stat written)
expect_eq "events in the file" "$(grtrace dump --format csv t.grt | grep -cE '^(SUBMIT|DEPENDENCY|FENCE_SIGNALED|COMMIT|START|END|COMPLETE),')" "$written"
grtrace report --jobs --format csv --all t.grt >jobs.csv
expect_eq "jobs" "$(($(wc -l <jobs.csv) - 1))" $JOBS

# The law of time: where all stamps are, the stages sum to the total.
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		whole = 1
		for (i = at["submit_ns"]; i <= at["complete_ns"]; i++)
			if ($i == "")
				whole = 0
		if (!whole)
			next
		count++
		sum = $at["t_submit_host_ns"] + $at["t_queue_ns"] + $at["t_exec_ns"] + $at["t_complete_ns"]
		if (sum != $at["total_ns"]) {
			print "job " $at["ctx"] ":" $at["seqno"] ": total " $at["total_ns"] ", sum " sum
			bad++
		}
	}
	END { print count " jobs with all stamps"; exit bad > 0 || count != jobs }
' jobs=$JOBS jobs.csv || fail "stages do not sum to the total, or stamps are missing"
grtrace report t.grt >report.txt
grep -q '0 events lost' report.txt || fail "the report does not speak of losses: $(cat report.txt)"
for ring in gfx compute copy; do
	grep -q "^ $ring " report.txt || fail "the report has no ring $ring: $(cat report.txt)"
done

# The command's end is told; a command that cannot be run is a set-up error.
# Its status is that of record, as is the signal that ended it.
expect_status 7 grtrace record -o t2.grt -- sh -c 'exit 7'
grep -q 'status 7' out || fail "the exit status of the command is not told: $(cat out)"
expect_status 143 grtrace record -o t2.grt -- sh -c 'kill -TERM $$'
grtrace report t.grt >before.txt
expect_status 3 grtrace record -o t.grt -- /no/such/command
grep -q '^hint:' out || fail "no hint: $(cat out)"
grtrace report t.grt >after.txt
cmp before.txt after.txt || fail "a command that cannot be run cost the file that was there"
[ -z "$(find . -name '*grtrace-*')" ] || fail "something is left: $(ls)"
expect_eq control "$(cat "$GRT_DIR/control")" stopped
