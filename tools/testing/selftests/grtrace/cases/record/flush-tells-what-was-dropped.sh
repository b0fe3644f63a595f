#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a recording that attaches to a session counts events dropped before, even if no event follows
# kernels: 6.1
# requires: mock grtrace
session_start buffer_size=65536
mock_run_jobs 3000 --duration-us 1:2
lost=$(stat lost_events)
[ "$lost" -gt 1000 ] || fail "only $lost events were lost, so this run proves nothing"
expect_status 0 grtrace record -o "$CASE_TMP/t.grt" -d 1
expect_eq control "$(cat "$GRT_DIR/control")" running
expect_eq "lost while nobody looks" "$(stat lost_events)" "$lost"

told=$(grtrace report --format json "$CASE_TMP/t.grt" | tr ',{}' '\n' | awk -F: '
	/"buffer_full"/ { sum += $2 } END { print sum + 0 }')
expect_eq "events that the report calls lost" "$told" "$lost"
grtrace report "$CASE_TMP/t.grt" | sed -n 1,3p
grtrace verify "$CASE_TMP/t.grt" | grep FAILED && fail "verify finds something"

# Flushes report nothing more: nothing happened since.
before=$(stat subbufs_produced)
ctl flush
ctl flush
expect_eq "sub-buffers of an idle session" "$(stat subbufs_produced)" "$before"

# Full buffers have no room for the report until somebody reads them.
mock_run_jobs 3000 --duration-us 1:2
more=$(($(stat lost_events) - lost))
[ "$more" -gt 1000 ] || fail "only $more events were lost, so this run proves nothing"
expect_status 0 grtrace report --live -o "$CASE_TMP/v.grt" >/dev/null
told=$(grtrace report --format json "$CASE_TMP/v.grt" | tr ',{}' '\n' | awk -F: '
	/"buffer_full"/ { sum += $2 } END { print sum + 0 }')
expect_eq "events lost in full buffers" "$told" "$more"
grtrace dump --type LOSS "$CASE_TMP/v.grt" | grep 'count=0 ' && fail "losses at the end are not known"

# --alert sees these losses, too.
mock_run_jobs 3000 --duration-us 1:2
expect_status 1 grtrace record --alert 'lost>0' -q -o "$CASE_TMP/u.grt" -d 1
session_stop
