#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a criterion switches the filter on, and removing it switches the filter off, until somebody writes filter_enabled
# kernels: 6.1
# requires: grtrace
need_module grtrace_filter
trap filter_undo EXIT

enabled() { cat "$GRT_DIR/filter_enabled"; }

expect_eq "filter_enabled at first" "$(enabled)" 0
session_start
put filter_pid 1234
expect_eq "filter_enabled with filter_pid" "$(enabled)" 1
emit submit 7 gfx 900 1 tgid=1234
emit submit 7 gfx 900 2 tgid=1235
expect_eq "SUBMIT written" "$(column SUBMIT written)" 1
expect_eq "SUBMIT refused" "$(column SUBMIT filtered_ext)" 1
put filter_pid ""
expect_eq "filter_enabled without filter_pid" "$(enabled)" 0
emit submit 7 gfx 900 3 tgid=1235
expect_eq "SUBMIT written" "$(column SUBMIT written)" 2

# From here on the written value counts.
put filter_enabled 0
put filter_events submit
expect_eq "filter_enabled that was written" "$(enabled)" 0
emit commit 7 gfx 900 3
expect_eq "COMMIT written" "$(column COMMIT written)" 1
put filter_enabled 1
emit commit 7 gfx 900 1
expect_eq "COMMIT refused" "$(column COMMIT filtered_ext)" 1
put filter_events 0
expect_eq "filter_enabled that was written" "$(enabled)" 1
session_stop
fates_sum
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
expect_eq "policies" "$(grtrace dump --format csv "$CASE_TMP/pipe" | grep '^POLICY' | grep -o 'filter_[a-z]*=[^",]*' | paste -s -d ' ')" \
	"filter_pid=1234 filter_enabled=1 filter_pid= filter_enabled=0 filter_events=0x1 SUBMIT filter_enabled=1 filter_events=0"
