#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: two processes in one slot of the table have a row each; a new name is that of the job that brings it
# kernels: 6.1
# debug: no, there the next pid cannot be chosen
# requires: mock grtrace crowd
cd "$CASE_TMP" || exit

# at PID COMMAND...: in the background, as process PID
at()
{
	echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid
	shift
	"$@" &
}

# 1401 and 8166 had one slot when the table had one row in each; they take turns.
session_start buffer_size=4M
at 1401 crowd --rename --jobs 200 --csv a.csv
first=$!
at 8166 crowd --rename --jobs 200 --csv b.csv
second=$!
wait $first $second
session_stop
[ "$first $second" = "1401 8166" ] || fail "they are $first and $second, so this run proves nothing"
cat "$GRT_DIR/trace_pipe" >pipe
# As they are in the stream, since readers merge those that say the same: by their names, c0.
rows=$(hexdump -v -e '2/4 "%08x" "\n"' pipe | grep -c '^0000306300000000$')
[ "$rows" -ge 2 ] || fail "no names are in the stream, so this run proves nothing"
[ "$rows" -le 4 ] || fail "$rows PROCESS rows of two processes"
awk 'NR > 1' b.csv >>a.csv
crowd_recorded a.csv pipe

# One job under each name: also where the time of an event is taken before it is judged.
for policy in track_jobs=1 track_jobs=0; do
	session_start buffer_size=1M $policy
	crowd --rename --processes 200 --jobs 1 --csv c.csv
	session_stop
	cat "$GRT_DIR/trace_pipe" >pipe
	crowd_recorded c.csv pipe
done

# With BPF programs.  1401 and 5497 have the same first place in their table.
cat >two <<'END'
at() { echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid; shift; "$@" & }
at 1401 crowd --rename --jobs 200 --csv a.csv
first=$!
at 5497 crowd --rename --jobs 200 --csv b.csv
second=$!
wait $first $second
echo "$first $second" >pids
END
grtrace record -q --source=bpf -o two.grt -- sh two || fail "bpf does not record"
expect_eq "the processes, else this run proves nothing" "$(cat pids)" "1401 5497"
awk 'NR > 1' b.csv >>a.csv
crowd_recorded a.csv two.grt
grtrace record -q --source=bpf -o many.grt -- crowd --rename --processes 200 --jobs 1 --csv c.csv ||
	fail "bpf does not record many processes"
crowd_recorded c.csv many.grt
