#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: sampling of 25 % keeps 25 % of 100,000 jobs by hand within half a percent, of real jobs within chance, and no incomplete job
# requires: mock grtrace
# kernels: 6.1
#
# GRTRACE_JOBS: how many real ones
JOBS=100000 PERCENT=25
REAL=${GRTRACE_JOBS:-2000}

# share_of JOBS PERCENT-OFF TYPE...: of these each job has all or none
share_of()
{
	wait "$reader" || fail "the reader ended with $?"
	expect_stat lost_events 0
	fates_sum
	of=$1 off=$2
	shift 2
	kept=$(grtrace dump --format csv "$CASE_TMP/pipe" | jobs_are_whole "$@")
	expect_share "$kept" "$of" $PERCENT "$off"
	echo "$kept of $of jobs"
	for type; do
		expect_eq "$type seen" "$(column "$type" seen)" "$of"
		expect_eq "$type fates" $(($(column "$type" written) + $(column "$type" sampled))) "$of"
	done
}
read_along() { cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe" & reader=$!; }

session_start buffer_size=8M sample=$PERCENT
read_along
for type in submit commit end complete; do
	echo "$type 7 GRAPHICS 900 1 count=$JOBS"
done >"$GRT_DIR/emit"
session_stop
share_of $JOBS 0.5 SUBMIT COMMIT END COMPLETE

# Of n jobs the share has a deviation of 43 / sqrt(n) percent; five of them.
session_start
read_along
mock_run_jobs "$REAL" --duration-us 20:60
session_stop
share_of "$REAL" "$(awk -v n="$REAL" 'BEGIN { root = n; for (i = 0; i < 40; i++) root = (root + n / root) / 2
	print 5 * 43.3 / root }')" SUBMIT COMMIT END COMPLETE
