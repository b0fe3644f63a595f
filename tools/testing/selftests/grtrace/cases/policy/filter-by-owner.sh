#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the filter keeps exactly the jobs of the listed processes, users and cgroups, with all their events
# kernels: 6.1
# requires: mock grtrace
need_module grtrace_filter
# timeout: 240
JOBS=24

chmod 711 "$CASE_TMP"
mkdir -m 777 "$CASE_TMP/csv"
chmod 666 /dev/dri/renderD*
leave()
{
	filter_undo
	if [ -d "$CASE_TMP/cgroups" ]; then
		rmdir "$CASE_TMP/cgroups/grt-a/b" "$CASE_TMP/cgroups/grt-a" "$CASE_TMP/cgroups/grt-c" || :
		umount "$CASE_TMP/cgroups" || :
	fi
}
trap leave EXIT

# stand_by NAME COMMAND...: it begins when it is told to; the file NAME.pid has its number
stand_by()
{
	name=$1
	shift
	# shellcheck disable=SC2016	# expanded by the inner shell
	sh -c 'echo $$ >"$0.new"; mv "$0.new" "$0.pid"
		until [ -e "$0.go" ]; do sleep 0.1; done
		exec "$@"' "$CASE_TMP/$name" "$@" >"$CASE_TMP/$name.out" 2>&1 &
	wait_for 10 [ -e "$CASE_TMP/$name.pid" ]
}
pid_of() { cat "$CASE_TMP/$1.pid"; }
# its processes work, it waits for them
mixed() { stand_by "$1" workload --scenario mixed --jobs $JOBS --processes 2 --csv "$CASE_TMP/csv/$1"; }
go()
{
	for name; do : >"$CASE_TMP/$name.go"; done
	for name; do
		wait "$(pid_of "$name")" || fail "$name: $(cat "$CASE_TMP/$name.out")"
	done
}

# run NAME...: these processes work at the same time, in one session
run()
{
	session_start
	put filter_enabled 1
	go "$@"
	session_stop
	cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
	grtrace dump --format csv "$CASE_TMP/pipe" >"$CASE_TMP/dump"
	expect_filter_adds_up
	put filter_enabled 0
}
# expect_kept WHAT NAME...: the trace has all events of their jobs, and of no other jobs
expect_kept()
{
	what=$1
	shift
	for name; do keys_of "$CASE_TMP/csv/$name"; done | sort >"$CASE_TMP/want"
	for type in SUBMIT COMMIT END COMPLETE; do
		keys_of "$CASE_TMP/dump" $type >"$CASE_TMP/got"
		expect_same_jobs "$what: $type" "$CASE_TMP/got" "$CASE_TMP/want"
	done
	keys_of "$CASE_TMP/dump" DEPENDENCY | sort -u >"$CASE_TMP/got"
	if grep -vxFf "$CASE_TMP/want" "$CASE_TMP/got"; then
		fail "$what: these depend, and are not listed"
	fi
	expect_eq "$what: jobs_passed" "$(filter_stat jobs_passed)" "$(wc -l <"$CASE_TMP/want")"
}

# One that submits by itself, and two whose children do
printf 'submit A ctx=a ring=gfx\nsubmit B ctx=b ring=copy dep=A\nsubmit C ctx=c ring=compute\nstep 1\nadvance gfx 1\nadvance compute 1\nstep 1\nadvance copy 1\n' >"$CASE_TMP/script"
alone() { stand_by "$1" workload --unit-ms 1000 --script "$CASE_TMP/script" --csv "$CASE_TMP/csv/$1"; }
alone one
alone other
mixed parent
mixed stranger
put filter_pid "$(pid_of one), $(pid_of parent)"
session_start
put filter_enabled 1
go one
go other
go parent stranger
session_stop
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
grtrace dump --format csv "$CASE_TMP/pipe" >"$CASE_TMP/dump"
expect_filter_adds_up
expect_kept "process" one
expect_eq "jobs_refused" "$(filter_stat jobs_refused)" $((3 + 2 * JOBS))
put filter_enabled 0

mixed parent2
mixed stranger2
put filter_pid "$(pid_of parent2)"
put filter_children 1
run parent2 stranger2
expect_kept "children" parent2
expect_eq "jobs_refused" "$(filter_stat jobs_refused)" $JOBS
put filter_pid ""
put filter_children 0

id -u nobody >/dev/null || fail "no user nobody here"
# Users; both criteria have to hold
user() { stand_by "$1" su -s /bin/sh -c "workload --scenario mixed --jobs $JOBS --processes 2 --csv $CASE_TMP/csv/$1" nobody; }
user guest
mixed root
put filter_uid "$(id -u nobody)"
run guest root
expect_kept "user" guest
user guest2
mixed root2
put filter_pid "$(pid_of root2)"
put filter_children 1
run guest2 root2
expect_eq "of that user and that process written" "$(stat written)" 0
expect_eq "jobs_refused" "$(filter_stat jobs_refused)" $((2 * JOBS))
put filter_pid ""
put filter_uid ""

# cgroups, with those below
mkdir "$CASE_TMP/cgroups"
mount -t cgroup2 none "$CASE_TMP/cgroups" || { rmdir "$CASE_TMP/cgroups"; fail "no cgroup2 here"; }
mkdir "$CASE_TMP/cgroups/grt-a" "$CASE_TMP/cgroups/grt-a/b" "$CASE_TMP/cgroups/grt-c"
mixed above
mixed below
mixed beside
pid_of above >"$CASE_TMP/cgroups/grt-a/cgroup.procs"
pid_of below >"$CASE_TMP/cgroups/grt-a/b/cgroup.procs"
pid_of beside >"$CASE_TMP/cgroups/grt-c/cgroup.procs"
put filter_cgroup "$(command stat -c %i "$CASE_TMP/cgroups/grt-a")"
run above below beside
expect_kept "cgroup" above below
expect_eq "jobs_refused" "$(filter_stat jobs_refused)" $JOBS

# By hand: a SUBMIT belongs to the process it names; a job without a SUBMIT has no known owner
put filter_cgroup ""
put filter_pid 4711
put filter_enabled 1
session_start
emit submit 7 GRAPHICS 900 1 tgid=4711
emit complete 7 GRAPHICS 900 1
emit submit 7 GRAPHICS 900 2 tgid=4712
emit complete 7 GRAPHICS 900 2
emit submit 7 GRAPHICS 900 3 tgid=4711 flags=kernel_job
emit complete 7 GRAPHICS 900 4
emit mark 0 OTHER 0 0 text=nobodys
session_stop
expect_filter_adds_up
expect_stat written 3
expect_eq "events_refused_unknown" "$(filter_stat events_refused_unknown)" 2
expect_eq "jobs_unknown" "$(filter_stat jobs_unknown)" 2
for bad in 0 -1 1,,2 1,x 4194305; do
	expect_refused filter_pid "$bad"
done
