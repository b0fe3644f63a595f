#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: watch lists of contexts and rings, allowing and denying, alone and together, keep exactly the listed jobs of the mock's log
# kernels: 6.1
# requires: mock grtrace
MOCK=/sys/kernel/debug/grtrace_mock
JOBS=60

# jobs WHERE: ctx:seqno of those in the mock's log for which that holds, an expression of
# awk: ctx, ring, listed[ctx]
jobs()
{
	awk -F, -v list="$list" "
		BEGIN { n = split(list, items, \",\"); for (i in items) listed[items[i]] = 1 }
		NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i; next }
		{ ctx = \$at[\"ctx\"]; ring = \$at[\"ring\"] }
		$1 { print ctx \":\" \$at[\"seqno\"] }" "$CASE_TMP/log" | sort
}

# The kernel numbers contexts one by one, so those that come next can be listed: of each
# four the first two, as a job's is the second of a pair.
list_next()
{
	list=$(jobs 1 | cut -d : -f 1 | sort -n | tail -n 1 | awk '{
		for (i = 1; i <= 128; i += 4)
			printf "%d,%d%s", $1 + i, $1 + i + 1, (i < 125 ? "," : "") }')
}

work()
{
	echo 1 >"$MOCK/log_reset"
	workload --scenario mixed --jobs $JOBS --processes 4 --duration-us 200:1000 >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
	cat "$MOCK/log" >"$CASE_TMP/log"
}

# keeps WHERE KEY=VALUE...: a session with this configuration keeps exactly the jobs of WHERE.
# Chance decides which context is on which ring, so a run that proves nothing is repeated.
keeps()
{
	where=$1
	shift
	kept=0 runs=0
	while [ "$kept" -eq 0 ] || [ "$kept" -eq "$JOBS" ]; do
		[ $runs -lt 8 ] || fail "$*: $kept of $JOBS jobs are listed in each run, so this proves nothing"
		runs=$((runs + 1))
		config profile=default
		list_next
		for pair; do
			[ "$pair" != list ] || config "watch_ctx=$list"
			[ "$pair" = list ] || config "$pair"
		done
		session_start buffer_size=4M
		work
		session_stop
		fates_sum
		expect_stat lost_events 0
		dump_session
		jobs "$where" >"$CASE_TMP/want"
		kept=$(wc -l <"$CASE_TMP/want")
	done
	for type in SUBMIT COMMIT END COMPLETE; do
		keys_of "$CASE_TMP/dump.csv" $type >"$CASE_TMP/got"
		expect_same_jobs "$type with $*" "$CASE_TMP/got" "$CASE_TMP/want"
	done
	expect_eq "SUBMIT refused with $*" "$(column SUBMIT filtered_watch)" $((JOBS - kept))
	echo "$* keeps $kept of $JOBS jobs"
}

list=""
work		# contexts are known from here on
keeps '(ctx in listed)' list
keeps '!(ctx in listed)' list watch_allow_mode=0
keeps 'ring != "copy"' watchlist=gfx,compute
keeps 'ring != "copy"' 'watchlist=!copy'
keeps '(ctx in listed) && ring != "copy"' list watchlist=gfx,compute
keeps '(ctx in listed) || ring == "copy"' list watchlist=copy watch_combine=or
keeps '!((ctx in listed) && ring == "gfx")' list 'watchlist=!gfx'
keeps '!((ctx in listed) || ring == "gfx")' list 'watchlist=!gfx' watch_combine=or
# as they are added one by one
keeps 'ring != "gfx"' watch_ring_add=copy watch_ring_add=compute

# A list that changes while a session runs holds from then on.
config profile=default
session_start watch_ctx=1
work
config watch_ctx_clear=1
work
session_stop
fates_sum
dump_session
keys_of "$CASE_TMP/dump.csv" SUBMIT >"$CASE_TMP/got"
jobs 1 >"$CASE_TMP/want"
expect_same_jobs "jobs after the list was emptied" "$CASE_TMP/got" "$CASE_TMP/want"
