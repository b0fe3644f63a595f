#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record without an adapter says at once that it sees no jobs, and which module helps
# kernels: 6.1
# requires: mock grtrace
cd "$CASE_TMP" || exit
trap 'modprobe grtrace_drm_bridge' EXIT
rmmod grtrace_drm_bridge
: >words
grtrace record -o t.grt -d 2 2>words &
pid=$!
wait_for 2 grep -q '^hint: ' words
kill -0 $pid || fail "it was told at the end only"
kill -INT $pid
wait $pid || fail "record ended with $?: $(cat words)"
grep -q '^grtrace: warning: no adapter is loaded' words || fail "$(cat words)"
hint=$(sed -n 's/^hint: sudo \(modprobe .*\)/\1/p' words)
[ -n "$hint" ] || fail "no hint to paste: $(cat words)"

$hint
expect_status 0 grtrace record -o t.grt -- workload --jobs 20
if grep -q 'adapter' out; then
	fail "with the adapter: $(cat out)"
fi
expect_eq "jobs" "$(grtrace report --jobs --format csv t.grt | sed 1d | wc -l)" 20
