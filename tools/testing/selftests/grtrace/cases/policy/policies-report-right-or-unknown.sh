#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: under every policy each number of a report is what the mock's own log says or unknown, and sums hold
# kernels: 6.1
# requires: mock grtrace
# timeout: 1100
# debug: no, 50 us are more precise than a kernel that is several times slower
# vm: own --icount --timeout 1200
#
# The clock counts instructions there: a host that is busy elsewhere cannot come
# between the mock's stamp and the one of grtrace.
JOBS=60
MOCK=/sys/kernel/debug/grtrace_mock

# What must be known at least, then the keys; 'put FILE VALUE' is a control file.
#	all	everything
#	busy	all but what depends on dependencies: START, busy, starved, handed over
#	busy:RING,...	the same of these rings, and of their jobs; others may be absent
#	-	nothing
cat >"$CASE_TMP/policies" <<-'END'
	all level=verbose
	all level=normal
	- level=minimal
	- level=off
	all filter_type_mask=0xffffff
	all filter_type_mask=0xf3f
	busy filter_type_mask=0x33f
	busy filter_type_mask=0xb3f
	busy filter_type_mask=0x33f level=normal
	- filter_type_mask=0x33f level=minimal
	- filter_type_mask=0x31f
	- filter_type_mask=0x3
	busy:copy filter_engine_mask=4
	busy:gfx,compute filter_engine_mask=3
	busy:gfx filter_ring_id=gfx
	busy:copy filter_ring_id=copy
	- watchlist=gfx
	- watchlist=!copy
	- sample=50
	- rate_limit=400
	- rate_limit=200 rate_limit_mode=bucket rate_limit_burst=20
	- backpressure_threshold=5 buffer_size=64K
	- backpressure_threshold=5 buffer_size=64K adaptive_sampling=1
	all track_jobs=1
	all global_seq=0
	all global_seq=1
	busy filter_type_mask=0x33f backpressure_threshold=75 adaptive_sampling=1 rate_limit=100000
END

# The same for the extension modules.
cat >"$CASE_TMP/extensions" <<-'END'
	- grtrace_sampling sampling_rate=50 sampling_mode=static
	- grtrace_sampling sampling_mode=adaptive
	- grtrace_sampling sampling_threshold=4ms sampling_mode=threshold
	- grtrace_filter filter_latency=4000 filter_enabled=1
	- grtrace_filter filter_uid=0 filter_enabled=1
	- grtrace_filter filter_uid=1 filter_enabled=1
	all grtrace_aggregator aggregator_enable=1
	- grtrace_aggregator aggregator_enable=2
	all grtrace_perf_mon perf_mon_enable=1
END

# The program that compares, in parts.  First what the log and the events say.
# shellcheck disable=SC2016	# the dollars are awk's
truth='
	function bad(what) { if (bads++ < 10) print "  " what }
	# Else some awks compare them as text, which is wrong when only one is over 10 s.
	function max(a, b) { return a + 0 > b + 0 ? a : b }
	function min(a, b) { return a + 0 < b + 0 ? a : b }
	# Two clock readings of the same moment are this far apart at most.
	function near(what, got, want, ns) {
		known++
		if (got - want > ns || want - got > ns)
			bad(what " is " got " ns, the mock says " want " ns")
	}
	function stage(name, want) {
		if (col(name "_ns") != "")
			near("job " key ": " name, col(name "_ns"), want, want / 100 + 50000)
	}
	function col(name) {
		if (!((file, name) in at)) bad(file " has no column " name)
		return $at[file, name]
	}
	# The log is in the order in which jobs came, and those of a context are too.
	function take_log(    ctx) {
		key = col("ctx") ":" col("seqno"); ctx = col("ctx")
		ring[key] = col("ring")
		queue[key] = col("queue_ns"); run[key] = col("run_ns")
		start[key] = col("start_ns"); end[key] = col("end_ns"); over[key] = col("signaled_ns")
		keys[++key_cnt] = key
	}
	function take_event() {
		if (col("type") !~ /^(SUBMIT|COMMIT|START|END|COMPLETE|DEPENDENCY|FENCE_SIGNALED|IRQ|ERROR|MARK|JOB|WINDOW|CPU_[A-Z]*|SYNC_[A-Z_]*)$/)
			return
		if (!event_cnt++)
			first_ns = col("ts")
		last_ns = col("ts")
		told_cnt += col("type") == "JOB"
	}
	# When the jobs in front of it in its context, and those it depends on, let it go.
	function find_moments(    i, n, d, part, ctx, dep) {
		for (i = 1; i <= key_cnt; i++) {
			split(keys[i], part, ":"); ctx = part[1]
			in_front[keys[i]] = max(latest[ctx] + 0, queue[keys[i]])
			latest[ctx] = max(latest[ctx] + 0, run[keys[i]])
			ready[keys[i]] = in_front[keys[i]]
			n = split(deps[keys[i]], d, " ")
			while (n) {
				dep = d[n--]
				if (dep in run)
					ready[keys[i]] = max(ready[keys[i]], ring[dep] == ring[keys[i]] ? run[dep] : over[dep])
			}
			ready[keys[i]] = min(ready[keys[i]], run[keys[i]])
		}
	}'

# Every stage that the report knows of a job, against the log.
# shellcheck disable=SC2016
of_jobs='
	function take_job(    sum) {
		key = col("ctx") ":" col("seqno")
		if (!(key in run)) { bad("job " key " never was"); return }
		job_cnt++
		if (col("ring") != "" && col("ring") != ring[key])
			bad("job " key " ran on " ring[key] ", not on " col("ring"))
		stage("t_order", in_front[key] - queue[key])
		stage("t_dep", ready[key] - in_front[key])
		stage("t_submit_host", run[key] - queue[key])
		stage("t_queue", start[key] - run[key])
		stage("t_exec", end[key] - start[key])
		stage("t_hw", end[key] - run[key])
		stage("total", over[key] - queue[key])
		if (col("t_ring_ns") != "" && col("t_sched_ns") != "")
			near("job " key ": t_ring and t_sched", col("t_ring_ns") + col("t_sched_ns"),
			     run[key] - ready[key], (run[key] - ready[key]) / 100 + 100000)
		if (col("t_order_ns") != "" && col("t_dep_ns") != "" && col("t_ring_ns") != "" && col("t_sched_ns") != "") {
			sum = col("t_order_ns") + col("t_dep_ns") + col("t_ring_ns") + col("t_sched_ns")
			if (sum != col("t_submit_host_ns"))
				bad("job " key ": parts of t_submit_host sum to " sum)
			whole_cnt++
		}
		if (col("t_queue_ns") != "" && col("t_exec_ns") != "" && col("total_ns") != "" &&
		    col("t_submit_host_ns") + col("t_queue_ns") + col("t_exec_ns") + col("t_complete_ns") != col("total_ns"))
			bad("job " key ": stages do not sum to the total")
		started_cnt += col("t_exec_ns") != ""
		# It is charged for its wait, or for the part up to COMMIT where START is unknown.
		# Jobs that the ends of the trace cut are in no sum.
		if (col("submit_ns") != "" && col("commit_ns") != "" && col("flags") !~ /cut/)
			waited_ns += (col("start_ns") != "" ? col("start_ns") : col("commit_ns")) - col("submit_ns")
	}'

# The time of a ring.
# shellcheck disable=SC2016
of_rings='
	# How long the ring was busy, and how long it had any job.  The log is in the order of COMMIT.
	function ring_truth(name,    i, key, from, until) {
		busy_ns = with_job_ns = until = ring_jobs = 0
		first_on = last_ns
		for (i = 1; i <= key_cnt; i++) {
			key = keys[i]
			if (ring[key] != name)
				continue
			ring_jobs++
			first_on = min(first_on, max(queue[key], first_ns))
			busy_ns += max(0, min(end[key], last_ns) - max(start[key], first_ns))
			from = max(max(queue[key], first_ns), until)
			with_job_ns += max(0, min(end[key], last_ns) - from)
			until = max(until, end[key])
		}
	}
	# Whether the time of this ring must be known.
	function is_wanted(name) {
		return must != "-" && (must !~ /:/ || index("," substr(must, 6) ",", "," name ","))
	}
	function at_most(what, got, want) { if (got > want) bad(what " is " got " ns, the mock says " want " ns") }
	function take_ring(    name, late, off, starved_ns, all) {
		if (col("scope") != "ring")
			return
		name = "ring " col("ring")
		ring_truth(col("ring"))
		off = 50000 * (ring_jobs + 1)
		starved_ns = last_ns - first_ns - with_job_ns
		all = col("busy_ns") + col("starved_ns") + col("dependency_ns") + col("scheduler_ns") + col("hardware_ns") + col("recovery_ns") + col("unknown_ns")
		if (all != col("wall_ns") || col("wall_ns") != last_ns - first_ns)
			bad(name ": busy and idle sum to " all ", wall is " col("wall_ns") ", " last_ns - first_ns)
		known_ns += col("busy_ns") + col("starved_ns")
		at_most(name ": busy", col("busy_ns"), busy_ns + off)
		at_most(name ": starved", col("starved_ns"), starved_ns + off)
		at_most(name ": idle with a job there", col("dependency_ns") + col("scheduler_ns") + col("hardware_ns"),
			with_job_ns - busy_ns + off)
		at_most(name ": recovery", col("recovery_ns"), 0)
		ring_cnt++
		if (!is_wanted(col("ring")))
			return
		# Before the first event of a ring nothing is known of it.
		late = first_on - first_ns
		near(name ": busy", col("busy_ns"), busy_ns, off)
		at_most(name ": not known as starved", starved_ns - late, col("starved_ns") + off)
		if (must == "all")
			at_most(name ": unknown", col("unknown_ns"), late + off)
		else if (col("dependency_ns") + col("scheduler_ns"))
			bad(name " is idle for dependencies, which nobody saw")
	}'

# shellcheck disable=SC2016
of_all='
	FNR == 1 || is_gap { file = FILENAME; is_gap = 0; for (i = 1; i <= NF; i++) at[file, $i] = i; table = $1; next }
	/^$/ { is_gap = 1; next }
	FILENAME == "work.csv" { deps[col("ctx") ":" col("seqno")] = col("deps"); next }
	FILENAME == "log.csv" { take_log(); next }
	FILENAME == "events.csv" { take_event(); next }
	FILENAME == "jobs.csv" {
		if (!has_moments++)
			find_moments()
		take_job()
		next
	}
	FILENAME == "idle.csv" && table == "scope" { take_ring(); next }
	FILENAME == "blame.csv" && table == "pid" { charged_ns += col("waited_ns") }
	END {
		# A job in a single JOB record does not show what it waited for.
		if (charged_ns > waited_ns || (!told_cnt && charged_ns < waited_ns))
			bad("jobs waited for " waited_ns " ns, " charged_ns " ns are charged")
		if (key_cnt != jobs)
			bad(key_cnt " jobs in the log")
		for (i = 1; i <= key_cnt; i++)
			wanted_cnt += is_wanted(ring[keys[i]])
		if (must != "-" && (job_cnt < wanted_cnt || started_cnt < wanted_cnt || !wanted_cnt))
			bad(job_cnt " jobs, START of " started_cnt ", wanted are " wanted_cnt)
		if (must == "all" && whole_cnt != key_cnt)
			bad("all stages of " whole_cnt " jobs")
		if (must ~ /^busy/ && whole_cnt)
			bad("all stages of " whole_cnt " jobs, though no dependency was recorded")
		printf "%d jobs, %d numbers known, %.0f ms of rings\n", job_cnt, known, known_ns / 1e6 >"known"
	}'

# differences MUST: prints what is wrong
differences()
{
	awk -F, -v must="$1" -v jobs=$JOBS "$truth$of_jobs$of_rings$of_all" \
		work.csv log.csv events.csv jobs.csv idle.csv blame.csv
}

# try MUST WORDS...: the workload under this policy
try()
{
	must=$1
	shift
	wait_for 10 sh -c "echo 1 >$MOCK/log_reset"
	session_start
	workload --scenario mixed --jobs $JOBS --processes 3 --seed 7 --duration-us 500:6000 --csv work.csv \
		>said || fail "$*: $(cat said)"
	session_stop
	fates_sum
	expect_stat buffer_full 0
	cat "$MOCK/log" >log.csv
	cat "$GRT_DIR/trace_pipe" >trace
	for what in jobs idle blame; do
		grtrace report --all --$what --format csv trace >$what.csv 2>err || fail "$*: report --$what: $(cat err)"
	done
	grtrace dump --format csv trace >events.csv || fail "$*: dump failed"
	differences "$must" >bad || fail "$*: awk failed"
	echo "$*: $(cat known)"
	[ ! -s bad ] || { cat bad; bads=$((bads + 1)); }
}

cd "$CASE_TMP"
bads=0
while read -r must keys; do
	# shellcheck disable=SC2086	# a list of keys
	config profile=default $keys
	# shellcheck disable=SC2086
	try "$must" $keys
done <policies
config profile=default
while read -r must module files; do
	need_module "$module"
	for pair in $files; do
		put "${pair%=*}" "${pair#*=}"
	done
	try "$must" "$module" "$files"
	rmmod "$module"
done <extensions
[ "$bads" -eq 0 ] || fail "reports under $bads policies are wrong"
