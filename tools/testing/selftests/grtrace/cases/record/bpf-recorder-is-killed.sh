#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: kill -9 of a recorder with BPF programs at 6 moments and more: no program stays, the old file stays, the written part can be read
# kernels: 6.1
# requires: mock grtrace
# timeout: 300
# GRTRACE_ROUNDS: how many moments; 6 by default, 100 in the soak.
rounds=${GRTRACE_ROUNDS:-6}
cd "$CASE_TMP" || exit
# An attached program holds the module of its tracepoint.
refs() { cat /sys/module/gpu_sched/refcnt; }
has_programs() { [ "$(refs)" -gt "$before" ]; }
has_begun() { recording_has_begun k.grt; }
# The probes of all users; some are not of modules.
probes() { sort "$GRT_DIR/../kprobes/list"; }
has_none() { [ "$(refs)" -eq "$before" ] && probes | cmp -s "$CASE_TMP/probes" -; }

before=$(refs)
probes >"$CASE_TMP/probes"
echo precious >k.grt
cut=0
for i in $(seq "$rounds"); do
	grtrace record --source=bpf -q -o k.grt &
	pid=$!
	# At any moment of it: while it sets up, while it attaches programs, and while it records.
	case $((i % 3)) in
	0)	sleep 0.$((i % 7))$((i % 10)) ;;
	1)	wait_for 20 has_programs ;;
	2)	wait_for 20 has_begun ;;
	esac
	if [ $((i % 3)) -gt 0 ]; then
		workload --scenario batch --jobs 20 >workload.txt &
		sleep 0.0$((i % 10))$((i / 10))
	fi
	kill -9 $pid
	wait || :
	wait_for 10 has_none
	expect_eq "round $i: the file that was there" "$(cat k.grt)" precious
	grtrace record --source=bpf -q -o k.grt --max-size 1G -- true >/dev/null
	echo precious >k.grt
	for file in k-cut-*.grt; do
		[ -e "$file" ] || continue
		expect_readable "$file" "$i"
		cut=$((cut + 1))
	done
	rm -f k-cut-*.grt
	expect_eq "round $i: temporary files" "$(find . -name '*grtrace-*' | wc -l)" 0
done
[ $cut -gt $((rounds / 4)) ] || fail "$cut recordings were cut, so this run proves nothing"
echo "$cut were cut"
