#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: with a token bucket no stretch of real jobs has more events than the burst plus the refill; by hand exactly so many
# kernels: 6.1
# requires: mock grtrace
RATE=120 BURST=60
cpus=$(nproc)

session_start buffer_size=4M track_jobs=1 rate_limit=$RATE rate_limit_mode=bucket rate_limit_burst=$BURST
workload --scenario mixed --jobs 400 >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
session_stop
expect_limited

# From each event to each later one at most the burst and what came meanwhile passed: the
# level of a bucket that is filled as the manual says never goes below zero.  A token for
# each CPU: one may look at the clock before another one, and be judged behind it.
awk -v rate=$RATE -v burst=$BURST -v cpus="$cpus" '
	NR == 1 { level = least = burst; last = $1 }
	{ level += ($1 - last) / 1e9 * rate; if (level > burst) level = burst
	  last = $1; level--; if (level < least) least = level }
	END {
		print NR " events, the bucket was down to " least
		exit least < -cpus - 0.01 || least > 1
	}' "$CASE_TMP/stamps" >"$CASE_TMP/verdict" || fail "$(cat "$CASE_TMP/verdict")"
cat "$CASE_TMP/verdict"
[ "$(wc -l <"$CASE_TMP/stamps")" -gt $BURST ] || fail "nothing dripped in, so this run proves nothing"

# By hand: one token an hour, so of events that come at once exactly the burst passes.
session_start rate_limit=1 rate_limit_mode=bucket rate_limit_burst=$BURST
echo "submit 7 gfx 900 1 count=1000" >"$GRT_DIR/emit"
session_stop
written=$(stat written)
{ [ "$written" -ge $BURST ] && [ "$written" -le $((BURST + 5)) ]; } || fail "$written passed, the burst is $BURST"
expect_eq "seen" "$(stat seen)" 1000
expect_eq "dropped" "$(stat rate_limited_drops)" $((1000 - written))
# A change of the limit fills the bucket at once, even while a session runs
session_start rate_limit=1 rate_limit_mode=bucket rate_limit_burst=10
echo "submit 7 gfx 900 1 count=100" >"$GRT_DIR/emit"
before=$(stat written)
config rate_limit_burst=$BURST
echo "submit 7 gfx 900 101 count=1000" >"$GRT_DIR/emit"
session_stop
after=$(($(stat written) - before))
{ [ "$after" -ge $BURST ] && [ "$after" -le $((BURST + 5)) ]; } || fail "$after passed after the change, the burst is $BURST"
