#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: in traces without loss no time is unknown, stages sum to a job's time, busy and idle to the wall, charges to the wait
# kernels: 6.1
# requires: mock grtrace
# timeout: 400
#
# Exactly, for each job, ring and victim.  The expected sums are worked out from the
# events and the jobs.
JOBS=${GRTRACE_JOBS:-240}

# Both scripts below: a header follows the beginning of a file or an empty line.
# shellcheck disable=SC2016	# the dollars are awk's
common='
	function bad(what) { if (bad_cnt++ < 20) print "  " what }
	function same(what, got, want) { if (got == "" || got + 0 != want + 0) bad(what " is " got ", expected " want) }
	function col(name) { if (!((table, name) in at)) bad(FILENAME " has no column " name); return $at[table, name] }
	FNR == 1 || is_gap { table = FILENAME " " $1; is_gap = 0; for (i = 1; i <= NF; i++) at[table, $i] = i; next }
	/^$/ { is_gap = 1; next }'

# Laws of jobs.  Writes what they sum to, "WHAT OF NUMBER", into ./sums.
job_laws()
{
	awk -F, "$common"'
	BEGIN { stage_cnt = split("t_order t_dep t_ring t_sched t_submit_host t_complete total", stages, " ") }
	FILENAME == "rings.csv" { ring_name[col("ring")] = col("name"); next }
	FILENAME == "events.csv" {
		if (col("type") !~ /^(SUBMIT|DEPENDENCY|FENCE_SIGNALED|COMMIT|END|COMPLETE|ERROR)$/)
			next
		if (!event_cnt++)
			first_ns = col("ts")
		sum["wall -"] = col("ts") - first_ns
		sum["reset -"] += col("type") == "ERROR"
		name = "unknown ring:" ring_name[col("ring")]
		if (col("type") == "SUBMIT" && !(name in sum))
			sum[name] = col("ts") - first_ns
		next
	}
	{
		key = "job " col("ctx") ":" col("seqno")
		sum["jobs -"]++
		if (col("flags") ~ /cut|lossy|partial|out_of_order|repeated|killed/)
			bad(key " is " col("flags"))
		for (i = 1; i <= stage_cnt; i++)
			if (col(stages[i] "_ns") == "")
				bad(key " has an unknown " stages[i])
		same(key ": t_submit_host", col("t_submit_host_ns"), col("t_order_ns") + col("t_dep_ns") + col("t_ring_ns") + col("t_sched_ns"))
		wait = col("t_submit_host_ns") + col("t_queue_ns")
		if (col("flags") !~ /no_hw/)
			same(key ": total", col("total_ns"), wait + col("t_exec_ns") + col("t_complete_ns"))
		sum["waited " col("pid") ":" col("ring")] += wait
		sum["busy ring:" col("ring")] += col("t_exec_ns")
		sum["jobs ring:" col("ring")]++
	}
	END { for (what in sum) printf "%s %.0f\n", what, sum[what] >"sums" }' rings.csv events.csv jobs.csv
}

# Laws of rings and victims, in tables that begin with the column scope, device or pid.
report_laws()
{
	awk -F, "$common"'
	BEGIN {
		FS = " "
		while ((getline <"sums") > 0)
			sum[$1, $2] = $3
		FS = ","
	}
	table == "idle.csv scope" {
		name = col("scope") ":" col("ring")
		same(name " wall", col("wall_ns"), sum["wall", "-"])
		idle = col("starved_ns") + col("dependency_ns") + col("scheduler_ns") + col("hardware_ns") + col("recovery_ns")
		same(name " busy and idle", col("busy_ns") + idle + col("unknown_ns"), col("wall_ns"))
		if (col("scope") != "ring")
			next
		same(name " busy", col("busy_ns"), sum["busy", name])
		same(name " jobs", col("jobs"), sum["jobs", name])
		same(name " unknown", col("unknown_ns"), sum["unknown", name])
		ring_cnt++
	}
	table == "blame.csv pid" {
		charged[col("pid") ":" col("ring")] += col("waited_ns")
		through[col("through")] += col("waited_ns")
	}
	END {
		for (what in sum)
			if (split(what, part, SUBSEP) && part[1] == "waited")
				same("what " part[2] " is charged", charged[part[2]] + 0, sum[what])
		# A ring that is being reset executes no job: only then nobody is to blame.
		if (!sum["reset", "-"])
			same("charged to nobody", through["unknown"] + 0, 0)
		if (!ring_cnt || sum["jobs", "-"] != '"$JOBS"')
			bad(sum["jobs", "-"] " jobs on " ring_cnt " rings")
	}' idle.csv blame.csv
}

# check WORDS...: the laws on the trace of this workload
check()
{
	session_start buffer_size=4M
	workload --jobs "$JOBS" --seed 3 "$@" >"$CASE_TMP/workload" 2>&1 || fail "workload $*: $(cat "$CASE_TMP/workload")"
	session_stop
	expect_stat lost_events 0
	cp "$GRT_DIR/rings" rings.csv
	cat "$GRT_DIR/trace_pipe" >trace
	grtrace dump --format csv trace >events.csv || fail "dump failed"
	grtrace report --all --jobs --format csv trace >jobs.csv || fail "report --jobs failed"
	grtrace report --all --idle --format csv trace >idle.csv || fail "report --idle failed"
	grtrace report --all --blame --format csv trace >blame.csv || fail "report --blame failed"
	{ job_laws; report_laws; } >"$CASE_TMP/bad"
	[ ! -s "$CASE_TMP/bad" ] || fail "$*: $(cat "$CASE_TMP/bad")"
}

cd "$CASE_TMP"
check --scenario mixed
check --scenario mixed --faults 7
check --scenario frame
check --scenario frame --faults 7
check --scenario chain
check --scenario chain --faults 7
check --scenario batch
check --scenario foreign
check --scenario hang --faults 6
