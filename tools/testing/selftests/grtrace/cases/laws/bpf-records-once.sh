#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: threads whose numbers share a place in tables of the BPF programs: each of their events is recorded once
# kernels: 7.x
# debug: no, there the next pid cannot be chosen
# requires: mock crowd
cd "$CASE_TMP" || exit

# From Linux 7.0 on a second program records what the first one missed, and knows of the first one by a table of
# threads.  These numbers differ by 4096, so they share a place there, and also in smaller tables.
cat >work <<'END'
echo 4000000 >/proc/sys/kernel/pid_max
for nth in $(seq 24); do
	echo $((100000 + nth * 4096)) >/proc/sys/kernel/ns_last_pid
	crowd --jobs 1000 --no-wait --csv "$nth.csv" &
	echo $! >>pids
done
wait
END
grtrace record -q --source=bpf -o once.grt -b 32M -- sh work || fail "record --source=bpf"
awk '{ places[$1 % 4096]++ } END { for (p in places) most = places[p] > most ? places[p] : most; exit most < 12 }' pids ||
	fail "they have other numbers, so this run proves nothing: $(tr "\n" " " <pids)"
# Both programs may have to wait for a thread that lost its CPU in the middle: that is a loss, and counted.
missed=$(grtrace dump --definitions once.grt | sed -n 's/.*\\nrecursion_misses=\([0-9]*\).*/\1/p')
for type in SUBMIT COMMIT COMPLETE; do
	grtrace dump --type $type -f csv once.grt | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["ctx"] ":" $at["seqno"] }' >keys
	jobs=$(sort -u keys | wc -l)
	expect_eq "records of $type of $jobs jobs" "$(wc -l <keys)" "$jobs"
	{ [ "$jobs" -le 24000 ] && [ $((jobs + missed)) -ge 24000 ]; } || fail "$type of $jobs jobs of 24000, $missed missed"
done
