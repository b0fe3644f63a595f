#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: monitor drm, from each source, shows the jobs and waits of each ring that ftrace saw in the same boot, and COMMIT to COMPLETE takes as long; its intervals sum to all
# requires: mock grtrace
# kernels: 6.1
# timeout: 300
#
# Stamps of two tracers of one event differ by some microseconds; the processor may be taken away between
# them, so a few jobs may differ more.
JOBS=600
NEAR_US=60

trap sched_ftrace_undo EXIT
cd "$CASE_TMP" || exit

# Lines "EVENT ring job us" of ftrace.  The first reading learns the rings and contexts of jobs; a
# wait_dep event names its job by ring and id only.
ftrace_rows()
{
	awk '
	function value(name,    at) {
		at = match($0, " " name "=[^ ,]*")
		if (!at)
			return ""
		at = substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2)
		gsub(/"/, "", at)
		return at
	}
	function key() { return is_stable ? value("fence") : value("ctx") ":" value("seqno") }
	function us(    i) {
		for (i = 1; i <= NF; i++)
			if ($i ~ /^[0-9]+\.[0-9]+:$/)
				return sprintf("%.0f", $i * 1000000)
	}
	function learn(    part) {
		ring_of[key()] = value(is_stable ? "ring" : "name")
		job_of[value("name") " " value("id")] = key()
		split(key(), part, ":")
		is_ours[part[1]] = 1
	}
	/ drm_sched_job_queue: /	{ is_stable = 1 }
	/ (submit|drm_sched_job_queue): / && NR == FNR { learn() }
	NR == FNR { next }
	/ (submit|drm_sched_job_queue): /	{ print "QUEUE", ring_of[key()], key(), us() }
	/ (commit|drm_sched_job_run): /		{ print "RUN", ring_of[key()], key(), us() }
	/ drm_sched_job_unschedulable: /	{ print "WAIT_DEP", ring_of[key()], key(), us() }
	/ dep: / {
		job = job_of[value("name") " " value("id")]
		print "WAIT_DEP", ring_of[job], job, us()
	}
	/ dma_fence_signaled: / && value("context") in is_ours {
		done = value("context") ":" value("seqno")
		print "COMPLETE", ring_of[done], done, us()
	}' trace trace >"$1"
}

# The same of the rows of monitor.
our_rows()
{
	awk '
	function value(name,    at) {
		if (!match($0, "\"" name "\":(\"[^\"]*\"|[0-9]+)"))
			return "-"
		at = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
		gsub(/"/, "", at)
		return at
	}
	index($0, "{\"statistics\"") == 1 { next }
	value("event") ~ /^(QUEUE|RUN|WAIT_DEP|COMPLETE)$/ {
		print value("event"), value("ring"), value("ctx") ":" value("seqno"), sprintf("%.0f", value("time_ns") / 1000)
	}' rows.json >"$1"
}

# rings SCOPE: lines "ring jobs waits run-to-completion-ns" of the statistics, summed up
rings()
{
	grep '^{"statistics"' rows.json | grep "\"scope\":\"$1\"" |
		sed 's/.*"rings":\[\([^]]*\)\].*/\1/; s/},{/}\n{/g' |
		awk '
		function value(name) {
			return match($0, "\"" name "\":[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : 0
		}
		match($0, /"ring":"[^"]*"/) {
			ring = substr($0, RSTART + 8, RLENGTH - 9)
			jobs[ring] += value("jobs")
			deps[ring] += value("deps")
			waits[ring] += value("waits")
			ns[ring] += value("run_to_complete_sum_ns")
		}
		END { for (ring in jobs) printf "%s %d %d %d %.0f\n", ring, jobs[ring], deps[ring], waits[ring], ns[ring] }' | sort
}

# per_ring EVENT FILE: "ring count"
per_ring() { awk -v event="$1" '$1 == event { n[$2]++ } END { for (ring in n) print ring, n[ring] }' "$2" | sort; }

# latencies FILE: "ring job us", COMMIT to COMPLETE
latencies()
{
	awk '$1 == "RUN" { at[$3] = $4 } $1 == "COMPLETE" && $3 in at { print $2, $3, $4 - at[$3] }' "$1" | sort -k 2
}

# check SOURCE
check()
{
	cut -d ' ' -f 1-3 theirs | sort >theirs.set
	cut -d ' ' -f 1-3 ours | sort >ours.set
	if ! diff theirs.set ours.set >differences; then
		head -n 20 differences
		fail "$1: ftrace (<) and monitor (>) differ"
	fi
	for event in RUN WAIT_DEP COMPLETE; do
		count=$(grep -c "^$event " ours)
		[ "$count" -ge 100 ] || fail "$1: only $count $event, so this run proves nothing"
		echo "$1: $count $event"
	done
	rings all >whole
	expect_eq "$1: jobs per ring" "$(cut -d ' ' -f 1,2 whole)" "$(per_ring COMPLETE theirs)"
	# Kernels before 6.17 tell of each fence that the scheduler looks at, later ones of each wait.
	if [ -d "$TRACEFS/events/gpu_scheduler/drm_sched_job_queue" ]; then
		column=4
	else
		column=3
	fi
	expect_eq "$1: waits per ring" "$(cut -d ' ' -f 1,$column whole | grep -v ' 0$')" "$(per_ring WAIT_DEP theirs)"
	expect_eq "$1: intervals sum to all" "$(rings interval)" "$(cat whole)"

	latencies theirs >theirs.us
	latencies ours >ours.us
	expect_eq "$1: jobs with both ends" "$(wc -l <ours.us)" $JOBS
	paste -d ' ' theirs.us ours.us | awk -v near="$NEAR_US" '
		$2 != $5 { print "another job: " $0; bad = 1 }
		{ apart = $3 > $6 ? $3 - $6 : $6 - $3; n++; sum += apart; far += apart > near }
		END { printf "%d jobs, %d us apart on average, %d of them more than %d us\n", n, sum / n, far, near
		      exit bad || far > n / 20 }' >apart || fail "$1: COMMIT to COMPLETE: $(cat apart)"
	echo "$1: $(cat apart)"
	# The sums of its statistics are those of its rows, but for rounding to microseconds.
	awk '{ sum[$1] += $3 } END { for (ring in sum) printf "%s %d\n", ring, sum[ring] }' ours.us | sort >sums
	cut -d ' ' -f 1,5 whole | paste -d ' ' sums - | awk -v jobs="$JOBS" '
		$1 != $3 || $2 - $4 / 1000 > jobs || $4 / 1000 - $2 > jobs { print; bad = 1 }
		END { exit bad }' >differences || fail "$1: sums: $(cat differences)"
}

for source in module bpf tracefs; do
	rm -f rows.json
	sched_ftrace_begin 16384
	grtrace monitor --source=$source --json --interval 300ms drm >rows.json 2>words &
	monitor=$!
	wait_for 20 test -s rows.json
	workload --scenario mixed --jobs $JOBS --processes 3 --seed 7 >workload.txt 2>&1 || fail "workload: $(cat workload.txt)"
	sleep 1
	kill -INT $monitor
	wait $monitor || fail "$source: monitor: $(cat words)"
	ftrace_stop
	sched_ftrace_undo
	grep '^{"statistics"' rows.json | tail -n 1 | grep -q '"lost":0,"left_out":0,"uncounted_losses":0,' ||
		fail "$source: events were lost"
	ftrace_rows theirs
	our_rows ours
	check $source
done
expect_eq control "$(cat "$GRT_DIR/control")" stopped
