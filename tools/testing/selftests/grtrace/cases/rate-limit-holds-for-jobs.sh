#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: with a rate limit by window no second of real jobs has more events than allowed, and what is over is counted as that
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
fates_sum
dropped=$(stat rate_limited_drops)
[ "$dropped" -gt 100 ] || fail "only $dropped events were over the limit, so this run proves nothing"
expect_eq "seen" "$(stat seen)" $(($(stat written) + dropped))
dump_session
expect_eq "dropped, as the reader is told" "$(awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "LOSS" && $at["reason"] == "RATE_LIMITED" { sum += $at["count"] }
	END { print sum + 0 }' "$CASE_TMP/dump.csv")" "$dropped"

# The first event of a window is written, so the windows can be told from the trace.  An
# event for each CPU may have been stamped before the window and judged in it.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] !~ /^(LOSS|POLICY|STREAM|SUBBUF|METADATA|RING|PROCESS|CLOCK|STATS)/ { print $at["ts"] }' \
	"$CASE_TMP/dump.csv" | sort -n >"$CASE_TMP/stamps"
awk -v limit=$LIMIT -v cpus="$cpus" '
	!NR_in || $1 >= end { windows++; end = $1 + 1e9; NR_in = 0 }
	{ NR_in++; n++; if (NR_in > most) most = NR_in }
	END {
		print n " events in " windows " windows, at most " most
		if (most > limit + cpus) print "more than " limit
		exit most > limit + cpus || most < limit || windows < 2
	}' "$CASE_TMP/stamps" >"$CASE_TMP/verdict" || fail "$(cat "$CASE_TMP/verdict")"
cat "$CASE_TMP/verdict"
expect_eq "written" "$(wc -l <"$CASE_TMP/stamps")" "$(stat written)"
