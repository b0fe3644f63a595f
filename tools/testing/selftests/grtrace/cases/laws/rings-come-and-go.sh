#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: rows of removed rings are used again, but never their numbers; rings that find a full table are counted
# kernels: 6.1
# requires: mock grtrace crowd
# timeout: 240
MOCK=/sys/kernel/debug/grtrace_mock
cd "$CASE_TMP" || exit
trap 'echo 0 >$MOCK/schedulers' EXIT

# More rings than the table has rows, one after the other, each with a name of its own.  Rows become free in the
# background, some tenths of a second after the reader took what needs them: the pauses are for that.
echo 1 >$MOCK/schedulers
cat >work <<'END'
for part in 1 2 3; do
	crowd --one-by-one --rename --processes 5 --jobs 100 --csv "$part.csv"
	sleep 3
done
END
expect_status 0 grtrace record -o t.grt -- sh work
expect_stat lost_events 0
expect_stat rings_lost 0
awk 'FNR > 1 || NR == 1' 1.csv 2.csv 3.csv >crowd.csv
crowd_recorded crowd.csv t.grt
expect_eq "different rings of the report" "$(cut -d, -f2 jobs.csv | sort -u | grep -c '^gfx\.')" 1500
grtrace dump -d --format csv t.grt >dump.csv || fail "dump failed"
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 == "RING" { if ($at["ring"] in seen) { print "number " $at["ring"] " stands for two"; bad++ }
		seen[$at["ring"]] = 1; rings++; if ($at["ring"] > 1023) again++ }
	/^(COMMIT|END|COMPLETE),/ && !$at["ring"] { print; none++ }
	END { print rings " rings, " again " in rows that were used before, " none + 0 " events of none"
		exit bad || rings != 1500 || !again || none }' dump.csv >out || fail "$(cat out)"
cat out

# A ring with the name of a ring that is gone uses its row again.
echo 1 same >$MOCK/schedulers
expect_status 0 grtrace record -o same.grt -- crowd --one-by-one --rename --jobs 200 --csv crowd.csv
crowd_recorded crowd.csv same.grt
rows=$(grep -c ',gfx\.own,' "$GRT_DIR/rings")
[ "$rows" -le 100 ] || fail "$rows rows for 200 rings of one name, each gone before the next came"

# More rings at once than the table has rows: only the rings beyond its end are lost.
echo 1 >$MOCK/schedulers
expect_status 0 grtrace record -o full.grt -- crowd --contexts 1100 --processes 2 --jobs 1000 --csv crowd.csv
# The last of them had one job less.
expect_stat rings_lost $((1100 - 1023))
expect_stat lost_events 0

# With BPF programs, a ring at the address of one that is gone is another ring if its name is another one.
expect_status 0 grtrace record --source=bpf -o bpf.grt -- crowd --one-by-one --rename --processes 5 --jobs 100 --csv crowd.csv
crowd_recorded crowd.csv bpf.grt
expect_eq "different rings of the report with bpf" "$(cut -d, -f2 jobs.csv | sort -u | grep -c '^gfx\.')" 500

# BPF programs do not hear that a ring is gone. A new ring takes the place of one that was unused for some seconds:
# here a stopped process has 900 of these, while another one makes 300.
cat >work <<'END'
crowd --contexts 900 --processes 1 --jobs 900 --csv first.csv &
first=$!
until member=$(cat /proc/$first/task/$first/children) && [ "$member" ]; do sleep 0.1; done
kill -STOP $first
until grep -q '^State:.*zombie' /proc/${member% }/status; do sleep 0.1; done
sleep 10
crowd --contexts 300 --processes 1 --jobs 900 --csv crowd.csv
status=$?
kill -CONT $first
wait $first && exit $status
END
expect_status 0 grtrace record --source=bpf -o idle.grt -- sh work
crowd_recorded crowd.csv idle.grt
awk -F, '
	FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
	FILENAME == "crowd.csv" { is_ours[$at[FILENAME, "ctx"]] = 1; next }
	$at[FILENAME, "ctx"] in is_ours { print $at[FILENAME, "ring"] }' crowd.csv jobs.csv | sort -u >rings
expect_eq "rings that came while others waited" "$(grep -c '^gfx\.' rings)" 300
