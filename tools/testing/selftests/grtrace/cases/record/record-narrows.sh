#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record -p, -F, -c and --cgroup keep exactly the jobs of a process, its children or a cgroup, with every source
# kernels: 6.1
# requires: mock grtrace
# timeout: 600
JOBS=30
cd "$CASE_TMP"
chmod 666 /dev/dri/renderD* 2>/dev/null || :
strangers=
leave()
{
	: >stop
	[ -z "$strangers" ] || wait "$strangers" || :
	[ ! -d cgroups ] || {
		rmdir cgroups/grt-a/b cgroups/grt-a || :
		umount cgroups || :
	}
}
trap leave EXIT

# One that submits by itself, after others did: a script needs the rings for itself.  And one whose
# children submit.
printf 'submit A ctx=a ring=gfx\nsubmit B ctx=b ring=copy dep=A\nsubmit C ctx=c ring=compute\nstep 1\nadvance gfx 1\nadvance compute 1\nstep 1\nadvance copy 1\n' >script
printf 'workload --scenario mixed --jobs 20 --processes 2 >/dev/null
exec workload --unit-ms 300 --script script --csv alone.csv >/dev/null\n' >alone
printf 'workload --scenario mixed --jobs %s --processes 2 --csv a.csv >/dev/null
sh -c "workload --scenario mixed --jobs %s --processes 2 --csv b.csv >/dev/null; true" &
wait\n' $JOBS $JOBS >parent
# Its first job comes when its parent is gone.
printf '(sh -c "sleep 1; workload --scenario mixed --jobs %s --processes 2 --csv orphan.csv >/dev/null; true" &)\n' $JOBS >leaver

# Others work all the time.
strangers_begin()
{
	rm -f stop
	sh -c 'while [ ! -e stop ]; do workload --scenario mixed --jobs 20 --processes 2 >/dev/null; done' &
	strangers=$!
}
strangers_end()
{
	: >stop
	wait "$strangers"
}

# kept WHAT FILE CSV...: the trace has all events of their jobs, and of no other jobs
kept()
{
	what="$source, $1" file=$2
	shift 2
	for csv; do keys_of "$csv"; done | sort >want
	grtrace verify -s 1s "$file" >said || fail "$what: $(cat said)"
	grtrace dump --format csv --definitions "$file" >events || fail "$what: dump failed"
	lost=$(told_lost BUFFER_FULL <events)
	# A BPF program cannot run while it runs already: such an event is lost, and counted.
	# The same holds for a probe of tracefs, which the kernel counts as missed.
	[ "$lost" -eq 0 ] || [ "$source" != module ] || fail "$what: $lost events are lost"
	[ "$lost" -eq 0 ] || [ "$source" != tracefs ] ||
		expect_eq "$what: events that were lost" "$lost" "$(sed -n 's/.*\\nmissed=\([0-9]*\).*/\1/p' events)"
	for type in SUBMIT COMMIT END COMPLETE; do
		keys_of events $type >got
		# Without its SUBMIT a job is not chosen.
		cp want kept
		missing=$(grep -cvxFf got want || :)
		if [ "$lost" -gt 0 ] && [ "$missing" -gt 0 ] && [ "$missing" -le "$lost" ]; then
			echo "$what: $type: $missing are missing, $lost events are lost"
			grep -xFf got want >kept || :
		fi
		expect_same_jobs "$what: $type" got kept
	done
	keys_of events DEPENDENCY | sort -u >got
	if grep -vxFf want got; then
		fail "$what: DEPENDENCYs of jobs that were not asked for"
	fi
	[ "$(told_lost FILTERED_EXT <events)" -gt 0 ] || fail "$what: nothing was refused, so this run proves nothing"
	echo "$what: $(wc -l <want) jobs, $(told_lost FILTERED_EXT <events) events refused"
	grtrace report --all "$file" >told || fail "$what: report failed"
	grep -q '^policy: .*filter_' told || fail "$what: the report does not say so: $(head -5 told)"
}

# right FILE ALL: what the report of a trace of some jobs says of them is what that of all jobs
# says, or unknown; some must be unknown, because the others were on the same rings
right()
{
	grtrace report --all --jobs --format csv "$2" >all.csv || fail "$source: report of all jobs"
	grtrace report --all --jobs --format csv "$1" >some.csv || fail "$source: report of some jobs"
	awk -F, -v off=2e6 '
		FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i
			nr = split("t_hw_ns total_ns t_submit_host_ns t_order_ns t_dep_ns t_queue_ns t_exec_ns", names, " "); next }
		function col(name) { return $at[file, name] }
		function differ(a, b) { return a - b > off || b - a > off }
		{ key = col("ctx") ":" col("seqno") }
		# A thread may be preempted between the two recorders: then they saw different times of this
		# job, or of one that it waited for.
		file == 2 {
			for (i = is_apart = 0; ++i <= 3; )
				is_apart = is_apart || differ(truth[key, i], col(names[i]))
			if (is_apart) { apart++; next }
			same++
		}
		{ for (i = 1; i <= nr; i++) {
			value = col(names[i])
			if (file == 1) { truth[key, i] = value; continue }
			if (value == "") { unknown++; continue }
			if (truth[key, i] == "") continue
			known++
			if (differ(value, truth[key, i])) {
				print "job " key ": " names[i] " is " value ", of all jobs " truth[key, i]; bad++ }
		} }
		END { print known + 0 " known, " unknown + 0 " unknown, " apart + 0 " jobs seen apart"; exit bad * 20 > known || !known || !unknown || same < apart }' all.csv some.csv >compared ||
		fail "$source: $(cat compared)"
	echo "$source: $(cat compared)"
}

record() { grtrace record --source="$source" -q "$@" 2>words || { cat words; fail "$source: record failed"; }; }

# on_its_own COMMAND...: it begins when it is told to
on_its_own()
{
	rm -f go
	# shellcheck disable=SC2016	# expanded by the inner shell
	sh -c 'until [ -e go ]; do sleep 0.1; done; exec "$@"' sh "$@" &
	own=$!
}

# follow WHAT OPTIONS: records the process $own
follow()
{
	rm -f f.grt
	record -o f.grt "$@" &
	recorder=$!
	wait_for 10 recording_has_begun f.grt
	: >go
	wait "$own" || fail "the process failed"
	wait "$recorder" || fail "$source: record failed"
}

for source in ${SOURCES:-module bpf tracefs}; do
	[ "$source" != module ] || need_module grtrace_filter

	record -F -o f.grt -- sh ./alone
	kept "-F" f.grt alone.csv

	on_its_own sh ./alone
	follow -p $own
	kept "-p" f.grt alone.csv

	strangers_begin
	rm -f all.grt
	grtrace record --source=bpf -q -o all.grt -- grtrace record --source="$source" -q -F -c -o f.grt -- sh ./parent ||
		fail "$source: record failed"
	kept "-F -c" f.grt a.csv b.csv
	right f.grt all.grt

	record -F -c -o f.grt -- sh ./leaver
	kept "-F -c, an orphan" f.grt orphan.csv

	on_its_own sh ./parent
	follow -p $own -c
	kept "-p -c" f.grt a.csv b.csv

	[ "$source" != tracefs ] || {
		expect_status 3 grtrace record --source=tracefs --cgroup /sys/fs/cgroup -o x.grt
		strangers_end
		continue
	}
	[ -d cgroups ] || {
		mkdir cgroups
		mount -t cgroup2 none cgroups || { rmdir cgroups; fail "no cgroup2 here"; }
		mkdir cgroups/grt-a cgroups/grt-a/b
	}
	on_its_own sh ./parent
	echo $own >cgroups/grt-a/b/cgroup.procs
	rm -f c.grt
	record -o c.grt --cgroup "$CASE_TMP/cgroups/grt-a" -d 30 &
	recorder=$!
	wait_for 10 recording_has_begun c.grt
	: >go
	wait $own
	sleep 1
	kill -INT "$recorder"
	wait "$recorder" || fail "$source: record failed"
	kept "--cgroup" c.grt a.csv b.csv
	strangers_end
done
