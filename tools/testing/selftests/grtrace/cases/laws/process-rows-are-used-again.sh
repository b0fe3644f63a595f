#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a reader that keeps up gets more names than the table of processes has rows; without a reader the rest is counted
# kernels: 6.1
# requires: mock grtrace crowd
# debug: no, 17,000 jobs take it too long
# vm: own
# timeout: 280
cd "$CASE_TMP" || exit
# Rows become free in the background, some tenths of a second after the reader took what needs them.  The pause
# is for that: without it the case would ask how fast the machine is.
cat >work <<'END'
crowd --rename --no-wait --processes 6000 --csv crowd.csv
sleep 5
crowd --rename --no-wait --processes 3000 --csv more.csv
END
expect_status 0 grtrace record -b 1M -o t.grt -- sh work
expect_stat lost_events 0
expect_stat processes_unnamed 0
echo "recorded after $(cut -d. -f1 /proc/uptime) s"
awk "NR > 1" more.csv >>crowd.csv
crowd_recorded crowd.csv t.grt
echo "compared after $(cut -d. -f1 /proc/uptime) s"

# Nobody reads: names that find no room are counted, each once.
session_start buffer_size=16M
crowd --rename --no-wait --processes 8300 || fail "crowd"
session_stop
expect_stat lost_events 0
expect_stat processes_unnamed $((8300 - 8192))
echo "over after $(cut -d. -f1 /proc/uptime) s"
