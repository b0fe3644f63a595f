#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: masks of types and engines and the ring filter drop what they should, and every event has one fate
# kernels: 6.1
# requires: mock grtrace
JOBS=300

run()
{
	session_start "$@"
	workload --scenario mixed --jobs $JOBS >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
	session_stop
	fates_sum
}

# SUBMIT and COMPLETE: bits 0 and 1
run filter_type_mask=3
expect_eq "SUBMIT written" "$(column SUBMIT written)" $JOBS
expect_eq "COMPLETE written" "$(column COMPLETE written)" $JOBS
expect_eq "COMMIT written" "$(column COMMIT written)" 0
expect_eq "COMMIT filtered" "$(column COMMIT filtered_type)" $JOBS
expect_eq "END filtered" "$(column END filtered_type)" $JOBS
expect_stat written $((2 * JOBS))
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
expect_eq "filtered, as the reader is told" "$(grtrace dump --format csv "$CASE_TMP/pipe" |
	told_lost FILTERED_TYPE)" "$(stat filtered_type)"

# The copy engine alone: compare with the workload's own count
run filter_type_mask=0 filter_engine_mask=4
copies=$(sed -n 's/^ring  *copy  *\([0-9]*\) .*/\1/p' "$CASE_TMP/workload")
[ "$copies" -gt 10 ] || fail "only $copies copies, so this run proves nothing"
expect_eq "SUBMIT written" "$(column SUBMIT written)" "$copies"
expect_eq "END filtered" "$(column END filtered_engine)" $((JOBS - copies))

ring=$(sed -n 's/^\([0-9]*\),.*,gfx,GRAPHICS,.*/\1/p' "$GRT_DIR/rings")
run filter_engine_mask=0 filter_ring_id="$ring"
on_ring=$(sed -n 's/^ring  *[a-z]*  *\([0-9]*\) .*/\1/p' "$CASE_TMP/workload")
written=$(column COMMIT written)
echo "$on_ring" | grep -qx "$written" || fail "COMMIT written $written, no ring has that many: $on_ring"
expect_eq "COMMIT filtered" "$(column COMMIT filtered_ring)" $((JOBS - written))
