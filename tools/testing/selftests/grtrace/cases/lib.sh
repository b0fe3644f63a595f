# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# What a test case has to hand; cases/run sources it before each case, with
# `set -eu`: a command that fails where the case did not expect it ends the case.

GRT_DIR=/sys/kernel/debug/grtrace
TRACEFS=${TRACEFS:-/sys/kernel/tracing}

# fail MESSAGE: the behaviour under test is not there
fail() { echo "failed: $*"; exit 1; }

# skip REASON: this machine cannot show it; counts as skipped, never as passed
skip() { echo "$*" >"$CASE_TMP/skip"; exit 4; }

# ctl COMMAND...: one write to the control file, e.g. `ctl start hold`
ctl() { echo "$*" >"$GRT_DIR/control"; }

# config KEY=VALUE...: each must be accepted
config()
{
	for grt_pair in "$@"; do
		echo "$grt_pair" >"$GRT_DIR/config" ||
			fail "config '$grt_pair' was refused: $(cat "$GRT_DIR/error" 2>/dev/null)"
	done
}

# emit WORDS...: one synthetic event, e.g. `emit submit 7 GRAPHICS 0 42`
emit() { echo "$*" >"$GRT_DIR/emit"; }

# stat NAME: its value in the stats file; a name that is not there fails
stat()
{
	sed -n "s/^$1=//p" "$GRT_DIR/stats" >"$CASE_TMP/stat"
	[ -s "$CASE_TMP/stat" ] || fail "stats has no '$1'"
	cat "$CASE_TMP/stat"
}

# session_start [KEY=VALUE...]: a fresh session with this configuration
session_start()
{
	config "$@"
	ctl start || fail "cannot start a session: $(cat "$GRT_DIR/error" 2>/dev/null)"
}

session_stop() { ctl stop; }
session_reset() { ctl reset; }

# expect_eq WHAT ACTUAL EXPECTED
expect_eq() { [ "$2" = "$3" ] || fail "$1 is '$2', expected '$3'"; }

# expect_stat NAME VALUE
expect_stat() { expect_eq "$1" "$(stat "$1")" "$2"; }

# expect_fail COMMAND...: it must not succeed; what it wrote is in $CASE_TMP/out
expect_fail()
{
	if "$@" >"$CASE_TMP/out" 2>&1; then
		fail "'$*' succeeded, but it must not"
	fi
}

# expect_status STATUS COMMAND...: exactly this exit status
expect_status()
{
	grt_want=$1 grt_got=0
	shift
	"$@" >"$CASE_TMP/out" 2>&1 || grt_got=$?
	[ "$grt_got" -eq "$grt_want" ] || {
		cat "$CASE_TMP/out"
		fail "'$*' ended with $grt_got, expected $grt_want"
	}
}

# expect_readable FILE ROUND: what a killed recorder left can be read, or the error says why not
expect_readable()
{
	grtrace dump "$1" >"$CASE_TMP/dump.txt" 2>"$CASE_TMP/words" || grep -q '^grtrace:' "$CASE_TMP/words" ||
		fail "round $2: neither events nor an error: $(cat "$CASE_TMP/words")"
	grtrace verify -s 1s "$1" >"$CASE_TMP/verify.txt" 2>&1 || :
	if grep '^FAILED' "$CASE_TMP/verify.txt" | grep -v ' closed '; then
		fail "round $2: $(cat "$CASE_TMP/verify.txt")"
	fi
}

# expect_refused FILE TEXT: a write that must get an error and change nothing
expect_refused()
{
	grt_before=$(cat "$GRT_DIR/$1" 2>/dev/null || :)
	if echo "$2" 2>/dev/null >"$GRT_DIR/$1"; then
		fail "'$2' was accepted by $1"
	fi
	expect_eq "'$1' after a refused write" "$(cat "$GRT_DIR/$1" 2>/dev/null || :)" "$grt_before"
}

# wait_for SECONDS COMMAND...: until it succeeds; longer on a machine that is known to be slow
wait_for()
{
	grt_tries=$(($1 * 10 * ${CASE_SLOWNESS:-1}))
	shift
	until "$@" >/dev/null 2>&1; do
		grt_tries=$((grt_tries - 1))
		[ "$grt_tries" -gt 0 ] || fail "waited in vain for: $*"
		sleep 0.1
	done
}

# flight_begin OPTIONS...: 'record --flight' runs in the background and waits for triggers.  It is $recorder, what
# it says is in the file words, and its files are f-*.grt.
flight_begin()
{
	: >words	# nothing of the one before
	grtrace record --flight -o f.grt "$@" >words 2>&1 &
	recorder=$!
	wait_for 30 grep -q '^waiting for' words
}

# flight_end: as ^C
flight_end()
{
	kill -INT "$recorder"
	wait "$recorder" || fail "record: $(cat words)"
	recorder=""
}

# recording_has_begun FILE: record writes beside it until it is whole
recording_has_begun()
{
	set -- "$1".grtrace-rec-*
	[ -s "$1" ]
}

# mock_run_jobs COUNT [OPTIONS...]: through the mock GPU, and waits for their end
mock_run_jobs()
{
	grt_jobs=$1
	shift
	workload --scenario batch --jobs "$grt_jobs" "$@" >"$CASE_TMP/workload" 2>&1 || {
		cat "$CASE_TMP/workload"
		fail "workload of $grt_jobs jobs failed"
	}
}

# ftrace_begin KB [GROUP/EVENT...]: ftrace records these, stamped by the clock of ours.
# For the end there is ftrace_stop; ftrace_undo is for the trap of the case, so that
# whoever comes next finds ftrace on, and no event enabled.
ftrace_begin()
{
	echo 0 >"$TRACEFS/tracing_on"
	echo mono >"$TRACEFS/trace_clock"
	echo "$1" >"$TRACEFS/buffer_size_kb"
	shift
	for grt_event in "$@"; do
		echo 1 >"$TRACEFS/events/$grt_event/enable"
	done
	echo >"$TRACEFS/trace"
	echo 1 >"$TRACEFS/tracing_on"
}

# ftrace_stop: what it recorded is in $CASE_TMP/trace; a loss of it fails the case
ftrace_stop()
{
	echo 0 >"$TRACEFS/tracing_on"
	cat "$TRACEFS/trace" >"$CASE_TMP/trace"
	if grep -h -E '^(overrun|dropped events): [1-9]' "$TRACEFS"/per_cpu/cpu*/stats; then
		fail "ftrace lost events, so this run proves nothing"
	fi
}

ftrace_undo()
{
	echo 0 >"$TRACEFS/events/enable"
	echo >"$TRACEFS/trace"
	echo local >"$TRACEFS/trace_clock"
	echo 1 >"$TRACEFS/tracing_on"
}

# sched_ftrace_begin KB: ftrace records each event of the scheduler, with the key of its job, and signalled
# fences.  From 6.17 on the scheduler's events are a stable interface and print keys.  Those before print
# pointers: event probes read the key behind them, offsets 32 and 40 are struct dma_fence's context and
# seqno.  For the trap there is sched_ftrace_undo.
# shellcheck disable=SC2016	# the dollars are ftrace's
sched_ftrace_begin()
{
	echo 1 >"$TRACEFS/options/record-tgid"
	if [ -d "$TRACEFS/events/gpu_scheduler/drm_sched_job_queue" ]; then
		# Enable events one by one: enabling the group would also enable events added later.
		for grt_event in queue run add_dep unschedulable "done"; do
			echo 1 >"$TRACEFS/events/gpu_scheduler/drm_sched_job_$grt_event/enable"
		done
	else
		while read -r grt_event; do
			echo "$grt_event" >>"$TRACEFS/dynamic_events" || fail "ftrace refused: $grt_event"
		done <<-'END'
			e:grt/submit gpu_scheduler.drm_sched_job ctx=+32($fence):u64 seqno=+40($fence):u64 id=$id:u64 name=$name:string
			e:grt/commit gpu_scheduler.drm_run_job ctx=+32($fence):u64 seqno=+40($fence):u64 name=$name:string
			e:grt/end gpu_scheduler.drm_sched_process_job ctx=+32($fence):u64 seqno=+40($fence):u64
			e:grt/dep gpu_scheduler.drm_sched_job_wait_dep id=$id:u64 name=$name:string dctx=$ctx:u64 dseqno=$seqno:u32
		END
		echo 1 >"$TRACEFS/events/grt/enable"
	fi
	ftrace_begin "$1" dma_fence/dma_fence_signaled
}

sched_ftrace_undo()
{
	ftrace_undo
	echo 0 >"$TRACEFS/options/record-tgid"
	for grt_event in submit commit end dep; do
		[ ! -d "$TRACEFS/events/grt/$grt_event" ] || echo "-:grt/$grt_event" >>"$TRACEFS/dynamic_events"
	done
}

# need_module NAME: an extension; the runner takes it out again, so it is off at first
need_module()
{
	modprobe "$1" 2>"$CASE_TMP/modprobe" || fail "modprobe $1: $(cat "$CASE_TMP/modprobe")"
}

# put FILE VALUE: one write to a control file that must be accepted
put()
{
	echo "$2" >"$GRT_DIR/$1" || fail "$1: '$2' was refused: $(cat "$GRT_DIR/error")"
}

# column TYPE NAME: from events_by_type
column()
{
	awk -F, -v type="$1" -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$2 == type { print $at[name] }' "$GRT_DIR/events_by_type"
}

# column_sum TABLE COLUMN: over all of its rows
column_sum()
{
	awk -F, -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ sum += $at }
		END { if (!at) exit 1; printf "%.0f\n", sum }' "$GRT_DIR/$1" || fail "$1 has no column '$2'"
}

# fates_sum [TABLE]: in each row (of events_by_type) every event that was seen has one fate
# shellcheck disable=SC2120	# cases name one
fates_sum()
{
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
			seen = at["seen"] ? at["seen"] : at["events"]; next }
		{ sum = 0; for (i = at["written"]; i <= at["disabled"]; i++) sum += $i }
		sum != $seen { print $0 ": fates " sum; bad = 1 }
		END { exit bad || !seen }' "$GRT_DIR/${1-events_by_type}" ||
		fail "fates do not sum to seen in ${1-events_by_type}"
}

# dump_session: all events of the session that was stopped are in $CASE_TMP/dump.csv
dump_session()
{
	cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
	grtrace dump --format csv "$CASE_TMP/pipe" >"$CASE_TMP/dump.csv" || fail "dump failed"
}

# snapshot_is STATE: none, taking or held
snapshot_is() { [ "$(stat snapshot)" = "$1" ]; }

# save_snapshot NAME: the one that is held, of all CPUs, is in $CASE_TMP/NAME
save_snapshot() { cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/$1" || fail "cannot read the snapshot '$1'"; }

# check_snapshot NAME: it is whole; its events are in $CASE_TMP/NAME.csv, with its definitions
check_snapshot()
{
	grtrace verify "$CASE_TMP/$1" >"$CASE_TMP/verify" 2>&1 ||
		fail "snapshot '$1': $(grep -v -E '^(ok|skipped)' "$CASE_TMP/verify" | head -n 5)"
	grep -q ' 0 failed' "$CASE_TMP/verify" || fail "snapshot '$1': $(tail -n 1 "$CASE_TMP/verify")"
	grtrace dump --definitions --format csv "$CASE_TMP/$1" >"$CASE_TMP/$1.csv" || fail "dump of '$1' failed"
}

# snapshot_told NAME FIELD: what the SNAPSHOT record of a checked snapshot says
snapshot_told()
{
	awk -F, -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "SNAPSHOT" { print $at[name]; found++ }
		END { exit found != 1 }' "$CASE_TMP/$1.csv" || fail "snapshot '$1' has not one SNAPSHOT record"
}

# snapshots_join NAME...: on each CPU these checked snapshots, in this order, have all events, from
# the first one on, none twice; prints how many
snapshots_join()
{
	for grt_name; do cat "$CASE_TMP/$grt_name.csv"; done | awk -F, '
		$1 == "type" { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] ~ /^(LOSS|POLICY|STREAM|SUBBUF|METADATA|RING|PROCESS|CLOCK|STATS|SNAPSHOT)/ { next }
		{
			cpu = $at["cpu"]
			if ($at["cseq"] != last[cpu] + 1) { print "CPU " cpu ": event " $at["cseq"] " after " last[cpu] + 0; bad++ }
			last[cpu] = $at["cseq"]
			events++
		}
		END { print events; exit bad > 0 || !events }' >"$CASE_TMP/joined" ||
		fail "snapshots do not join: $(head -n 5 "$CASE_TMP/joined")" >&2
	cat "$CASE_TMP/joined"
}

# told_lost [REASON]: how many events the LOSS records of a dump, on stdin, tell of
told_lost()
{
	awk -F, -v reason="${1-}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "LOSS" && (reason == "" || $at["reason"] == reason) { sum += $at["count"] }
		END { printf "%.0f\n", sum }'
}

# jobs_are_whole TYPE...: each job in a dump, on stdin, has one event of each; prints how many
jobs_are_whole()
{
	awk -F, -v types="$*" '
		BEGIN { nr = split(types, want, " "); for (i in want) is_wanted[want[i]] = 1 }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] in is_wanted { seen[$at["ctx"] ":" $at["seqno"]]++ }
		END {
			for (key in seen) {
				jobs++
				if (seen[key] != nr) { print "job " key ": " seen[key] " of " nr " events"; bad++ }
			}
			print jobs + 0
			exit bad > 0
		}' >"$CASE_TMP/whole" || fail "jobs are in part: $(head -n 20 "$CASE_TMP/whole")" >&2
	cat "$CASE_TMP/whole"
}

# expect_share JOBS ALL PERCENT OFF: so many of all of them were kept, or OFF percent more or less
expect_share()
{
	awk -v jobs="$1" -v all="$2" -v pct="$3" -v off="$4" 'BEGIN { is = 100 * jobs / all
		exit is < pct - off || is > pct + off }' || fail "$1 of $2 jobs were kept, not $3 %"
}

# expect_limited: in the session that was stopped a rate limit dropped events, no less than
# 100 and all that are missing; the times of the others are in $CASE_TMP/stamps, sorted
expect_limited()
{
	fates_sum
	grt_over=$(stat rate_limited_drops)
	[ "$grt_over" -gt 100 ] || fail "only $grt_over events were over the limit, so this run proves nothing"
	expect_eq "seen" "$(stat seen)" $(($(stat written) + grt_over))
	dump_session
	expect_eq "dropped, as the reader is told" "$(told_lost RATE_LIMITED <"$CASE_TMP/dump.csv")" "$grt_over"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["cseq"] > 0 && $at["type"] !~ /^(LOSS|POLICY|STREAM|SUBBUF|METADATA|RING|PROCESS|CLOCK|STATS)/ { print $at["ts"] }' \
		"$CASE_TMP/dump.csv" | sort -n >"$CASE_TMP/stamps"
	expect_eq "written" "$(wc -l <"$CASE_TMP/stamps")" "$(stat written)"
}

# keys_of CSV [TYPE]: ctx:seqno of its rows, sorted; of a dump, those of that type
keys_of()
{
	awk -F, -v type="${2-}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		type == "" || $at["type"] == type { print $at["ctx"] ":" $at["seqno"] }' "$1" | sort
}

# expect_same_jobs WHAT FILE FILE: sorted lists of keys, and not empty ones
expect_same_jobs()
{
	[ -s "$3" ] || fail "$1: there are none, so this run proves nothing"
	if ! diff "$2" "$3" >"$CASE_TMP/diff"; then
		head -n 20 "$CASE_TMP/diff"
		fail "$1: those in the trace (-) are not those expected (+)"
	fi
}

# expect_rows KIND FILE 'TRACEPOINT ROW'...: of each event 'grtrace monitor KIND' has as many rows as the
# trace of ftrace has lines
expect_rows()
{
	rows_kind=$1 rows_file=$2
	shift 2
	grtrace monitor "$rows_kind" "$rows_file" >"$CASE_TMP/rows" || fail "monitor $rows_kind of $rows_file"
	for pair; do
		rows=$(awk -v event="^${pair#* }\$" '$2 ~ event { n++ } END { print n + 0 }' "$CASE_TMP/rows")
		expect_eq "rows ${pair#* } of monitor" "$rows" "$(grep -c ": ${pair% *}: " "$CASE_TMP/trace")"
		echo "monitor $rows_kind: $rows ${pair#* }"
	done
}

# filter_stat NAME
filter_stat() { sed -n "s/^$1=//p" "$GRT_DIR/filter_stats"; }

# expect_filter_adds_up: its account is complete, and that of the session says the same
expect_filter_adds_up()
{
	fates_sum
	awk -F= '/^events_/ { if ($1 == "events_seen") seen = $2; else sum += $2 }
		END { if (seen != sum || !seen) { print "seen " seen ", sum " sum; exit 1 } }' \
		"$GRT_DIR/filter_stats" || fail "filter_stats does not add up: $(cat "$GRT_DIR/filter_stats")"
	expect_stat filtered_ext "$(awk -F= '/^events_refused_/ { sum += $2 } END { print sum }' "$GRT_DIR/filter_stats")"
	expect_stat aggregated "$(filter_stat events_aggregated)"
}

# filter_undo: for the trap of a case that sets the filter
filter_undo()
{
	for grt_file in enabled children latency events; do put filter_$grt_file 0; done
	for grt_file in pid uid cgroup; do put filter_$grt_file ""; done
}

# crowd_recorded MEMBERS_CSV TRACE: each job that crowd listed is in the trace, whole, under the
# process and the name that submitted it; the jobs of the report are in $CASE_TMP/jobs.csv
crowd_recorded()
{
	grtrace report --all --jobs --format csv "$2" >"$CASE_TMP/jobs.csv" || fail "report failed"
	awk -F, '
		FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
		function col(name) { return $at[FILENAME, name] }
		{ key = col("ctx") ":" col("seqno") }
		NR == FNR { who[key] = col("pid") " " col("comm"); jobs++; next }
		!(key in who) { next }
		col("pid") " " col("comm") != who[key] {
			print "job " key ": of " col("pid") " " col("comm") ", was of " who[key]; bad++ }
		col("ring") == "" || col("total_ns") == "" { print "job " key ": " $0; bad++ }
		{ found++ }
		END { print found " of " jobs " jobs"; exit bad > 0 || !jobs || found != jobs }
	' "$1" "$CASE_TMP/jobs.csv" >"$CASE_TMP/crowd" ||
		fail "jobs are not as submitted: $(tail -n 1 "$CASE_TMP/crowd"); $(head -n 5 "$CASE_TMP/crowd")"
}

# offset STRUCT MEMBER: in bytes, from $CASE_TMP/btf; nothing if there is no such member
offset()
{
	awk -v type="$1" -v member="'$2'" '
		/^\[/ { is_it = $2 == "STRUCT" && $3 == "\047" type "\047" }
		is_it && $1 == member { sub(/.*bits_offset=/, ""); print $0 / 8; exit }' "$CASE_TMP/btf"
}

# build_id MODULE: of the file that it was loaded from, as a line of the file offsets has it
build_id() { od -An -v -tx1 -j16 -N20 "/sys/module/$1/notes/.note.gnu.build-id" | tr -d ' \n'; }

# load_btf MODULE: the types of the module and the kernel are in $CASE_TMP/btf
load_btf()
{
	{
		bpftool -B /sys/kernel/btf/vmlinux btf dump file "/sys/kernel/btf/$1" format raw &&
		bpftool btf dump file /sys/kernel/btf/vmlinux format raw
	} >"$CASE_TMP/btf" || fail "bpftool"
}

# cgroups_begin: cgroups of version 2 are at $CGROUPS, until cgroups_end, which a case calls at its EXIT
cgroups_begin()
{
	CGROUPS=$CASE_TMP/cgroups
	mkdir "$CGROUPS"
	mount -t cgroup2 none "$CGROUPS" || skip "this kernel has no cgroup v2"
}
cgroups_end()
{
	find "$CGROUPS" -mindepth 1 -depth -type d -exec rmdir {} + || :
	umount "$CGROUPS" || :
}
