#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: with a rate limit by window no second of real jobs has more events than allowed, and the others are counted as rate-limited
# kernels: 6.1
# requires: mock grtrace
LIMIT=150
cpus=$(nproc)

# Jobs are followed so that the limiter judges by the stamp that the record has.
session_start buffer_size=4M track_jobs=1 rate_limit=$LIMIT rate_limit_mode=window
# Four events of each job at least, in several seconds.
for _ in 1 2 3 4; do
	workload --scenario mixed --jobs 200 >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
	sleep 0.4
done
session_stop
expect_limited

# Seconds are counted from the first event on, which is written, so they can be told from
# the trace.  An event for each CPU may have been stamped before a second and judged in it.
awk -v limit=$LIMIT -v cpus="$cpus" '
	NR == 1 { first = $1 }
	{ second = int(($1 - first) / 1e9)
	  if (second != last || NR == 1) { seconds++; NR_in = 0; last = second }
	  NR_in++; n++; if (NR_in > most) most = NR_in }
	END {
		print n " events in " seconds " seconds, at most " most
		if (most > limit + cpus) print "more than " limit
		exit most > limit + cpus || most < limit || seconds < 2
	}' "$CASE_TMP/stamps" >"$CASE_TMP/verdict" || fail "$(cat "$CASE_TMP/verdict")"
cat "$CASE_TMP/verdict"
