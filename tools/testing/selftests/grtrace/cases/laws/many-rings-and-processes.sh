#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: with 5,000 processes and 1,000 rings in one session every job has names, and each ring is defined once
# kernels: 6.1
# requires: mock grtrace crowd
# timeout: 240
RINGS=1000 PROCESSES=5000
MOCK=/sys/kernel/debug/grtrace_mock
cd "$CASE_TMP" || exit
trap 'echo 0 >$MOCK/schedulers' EXIT
echo 1 >$MOCK/schedulers
expect_status 0 grtrace record -o t.grt -- \
	crowd --contexts $RINGS --processes $PROCESSES --jobs 2 --csv crowd.csv
expect_stat lost_events 0
expect_stat processes_unnamed 0
expect_stat rings_lost 0
crowd_recorded crowd.csv t.grt
expect_eq "rings that had jobs" "$(cut -d, -f2 jobs.csv | grep -c '^gfx\.')" $((2 * PROCESSES))
expect_eq "different ones" "$(cut -d, -f2 jobs.csv | sort -u | grep -c '^gfx\.')" $RINGS
grtrace dump -d --format csv t.grt >dump.csv || fail "dump failed"
expect_eq "RING rows" "$(grep -c '^RING,' dump.csv)" $RINGS
# A row per process, and none for the shell's name that it had before its first job.
expect_eq "PROCESS rows" "$(grep -c '^PROCESS,' dump.csv)" $PROCESSES
echo "tables: $(stat table_bytes) bytes, $(wc -l <"$GRT_DIR/rings") lines of rings"
