#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record on a running session takes the buffered events and leaves the session running
# requires: mock grtrace
# kernels: 6.1
session_start
mock_run_jobs 50
expect_status 0 grtrace record -o "$CASE_TMP/a.grt" -d 300ms
expect_eq control "$(cat "$GRT_DIR/control")" running
expect_eq "jobs buffered before" \
	"$(grtrace report --jobs --format csv "$CASE_TMP/a.grt" | sed 1d | wc -l)" 50
mock_run_jobs 30
expect_status 0 grtrace record -o "$CASE_TMP/b.grt" -d 300ms
expect_eq "jobs since then" \
	"$(grtrace report --jobs --format csv "$CASE_TMP/b.grt" | sed 1d | wc -l)" 30
session_stop
expect_stat lost_events 0
