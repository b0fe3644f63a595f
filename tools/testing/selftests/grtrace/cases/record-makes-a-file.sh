#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record runs a command in a session of its own; its file is private and holds every job
# requires: mock grtrace
JOBS=600
cd "$CASE_TMP" || exit
expect_status 0 grtrace record -o t.grt -b 1M -- workload --scenario mixed --jobs $JOBS
expect_eq control "$(cat "$GRT_DIR/control")" stopped
expect_stat buffer_bytes 1048576
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
expect_status 0 grtrace record -o t2.grt -- sh -c 'exit 3'
grep -q 'status 3' out || fail "the exit status of the command is not told: $(cat out)"
expect_status 3 grtrace record -o t3.grt -- /no/such/command
grep -q '^hint:' out || fail "no hint: $(cat out)"
expect_eq control "$(cat "$GRT_DIR/control")" stopped
