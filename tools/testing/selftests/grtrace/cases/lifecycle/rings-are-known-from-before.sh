#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the file rings lists rings of earlier sessions as long as their driver is loaded, but no stream has them
# kernels: 6.1
# requires: modules
# vm: own --no-load
MOCK=/sys/kernel/debug/grtrace_mock
modprobe grtrace_drm_bridge
modprobe grtrace_mock
listed() { awk -F, -v row="$1" '$1 == row && $3 == "grtrace_mock" { print $4 }' "$GRT_DIR/rings" | sort | paste -s -d ' '; }

session_start
mock_run_jobs 10
workload --scenario mixed --jobs 60 --processes 3 >"$CASE_TMP/out" || fail "workload"
met=$(awk -F, '$1 > 0 && $3 == "grtrace_mock" { print $4 }' "$GRT_DIR/rings" | sort | paste -s -d ' ')
expect_eq "rings that were met" "$met" "compute copy gfx"
session_stop

# The next session has seen no ring yet: no numbers, and no ring in its stream.
session_start
expect_eq "rings known from before" "$(listed 0)" "$met"
grep -q '^gpu\.grtrace_mock[^=]*=grtrace_mock' "$GRT_DIR/metadata" || fail "metadata has no GPU: $(cat "$GRT_DIR/metadata")"
emit submit 5 GRAPHICS 0 42
session_stop
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
grtrace dump -d --format csv "$CASE_TMP/pipe" >"$CASE_TMP/dump.csv"
expect_eq "RING rows" "$(grep -c '^RING,.*grtrace_mock' "$CASE_TMP/dump.csv" || :)" 0

# With a job it has a number again, and stands there once.
session_start
workload --scenario batch --jobs 2 >"$CASE_TMP/out" || fail "workload"
met=$(listed 1)
[ -n "$met" ] || fail "no ring has number 1: $(cat "$GRT_DIR/rings")"
expect_eq "rings in all" "$(grep -c ',grtrace_mock,' "$GRT_DIR/rings")" 3
session_stop
session_reset
expect_eq "known after a reset" "$(listed 0)" "compute copy gfx"

# A ring that goes with its context is not known any more.
session_start
echo 1 >$MOCK/schedulers
crowd --one-by-one --rename || fail "crowd"
echo 0 >$MOCK/schedulers
session_stop
grt_idle() { [ "$(cat /sys/module/grtrace_mock/refcnt)" = 0 ]; }
wait_for 10 grt_idle
session_reset
if grep -q ',gfx\.' "$GRT_DIR/rings"; then
	fail "a ring that is gone is listed: $(cat "$GRT_DIR/rings")"
fi

# The driver goes, and nobody traces.
rmmod grtrace_mock
expect_eq "known without their driver" "$(listed 0)" ""
