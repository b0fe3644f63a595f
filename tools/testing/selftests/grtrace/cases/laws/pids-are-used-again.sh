#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a pid that is used again by a process of the same name is another process, and so is one cgroup to the next
# kernels: 6.1
# debug: no, there the next pid cannot be chosen
# requires: mock grtrace crowd
cd "$CASE_TMP" || exit
cgroups_begin
trap cgroups_end EXIT
mkdir "$CGROUPS/A" "$CGROUPS/B"

# in_cgroup NAME COMMAND...: as process 7000
in_cgroup()
{
	group=$1
	shift
	echo 6999 >/proc/sys/kernel/ns_last_pid
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$CGROUPS/$group" "$@" &
	pid=$!
	wait $pid || fail "$*"
	[ $pid = 7000 ] || fail "it is $pid, so this run proves nothing"
}

session_start buffer_size=1M
for name in A B; do
	in_cgroup $name crowd --rename --jobs 3 --csv $name.csv
done
session_stop
cat "$GRT_DIR/trace_pipe" >pipe
grtrace dump -d --format csv pipe >dump.csv
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 == "PROCESS" && $at["tgid"] == 7000 { print $at["cgroup_id"], $at["start_ns"] }' dump.csv >rows
cat rows
expect_eq "rows of pid 7000" "$(wc -l <rows)" 2
for group in A B; do
	id=$(command stat -c %i "$CGROUPS/$group")
	grep -q "^$id " rows || fail "no row in cgroup $group, which is $id: $(cat rows)"
done
expect_eq "starts" "$(cut -d' ' -f2 rows | sort -u | wc -l)" 2
awk 'NR > 1' B.csv >>A.csv
crowd_recorded A.csv pipe
# Two processes, also in the sums of all their jobs.
grtrace report --format csv pipe >summary.csv || fail "report failed"
grtrace report pipe >report.txt
grep -q '2 processes' report.txt || fail "not two processes: $(head -n 5 report.txt)"

# One process that moves to another cgroup between its jobs.
session_start
crowd --rename --jobs 500 --duration-us 4000 --csv moves.csv &
pid=$!
echo $pid >"$CGROUPS/A/cgroup.procs"
sleep 0.3
echo $pid >"$CGROUPS/B/cgroup.procs"
wait $pid || fail "crowd"
session_stop
cat "$GRT_DIR/trace_pipe" >pipe
grtrace dump -d --format csv pipe >dump.csv
awk -F, -v pid=$pid '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 == "PROCESS" && $at["tgid"] == pid { print $at["cgroup_id"], $at["start_ns"] }' dump.csv >rows
grep -q "^$(command stat -c %i "$CGROUPS/A") " rows || fail "no row in cgroup A: $(cat rows)"
tail -n 1 rows | grep -q "^$(command stat -c %i "$CGROUPS/B") " || fail "the last row is not in cgroup B: $(cat rows)"
expect_eq "starts" "$(cut -d' ' -f2 rows | sort -u | wc -l)" 1
crowd_recorded moves.csv pipe
