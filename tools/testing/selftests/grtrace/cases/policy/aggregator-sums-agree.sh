#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: windows agree exactly with the events beside them, ring by ring; without events they count the same, and errors stay events
# kernels: 6.1
# requires: mock grtrace
JOBS=400 LENGTH=200000000

need_module grtrace_aggregator

# sums_agree: compares the windows of the session with its events
sums_agree()
{
	awk -F, -v length_ns=$LENGTH -v start_ns="$(sed -n 's/^start_ns=//p' "$CASE_TMP/start")" '
	function col(name) { return $at[name] ~ /^[0-9]+$/ ? $at[name] + 0 : $at[name] }
	function bad(what) { print what; bads++ }
	function near(what, is, want, off) {
		if (is - want > off || want - is > off)
			bad("ring " r ": " what " is " is " in the windows, " want " in the events")
	}
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ type = col("type"); key = col("ctx") ":" col("seqno") }
	type == "WINDOW" {
		r = col("ring"); from = col("window_start_ns"); len = col("window_ns")
		w_events[r] += col("events"); w_jobs[r] += col("jobs")
		w_sum[r] += col("latency_sum_ns"); w_depth[r] += col("depth_sum_ns")
		if (col("jobs") && (!(r in w_min) || col("latency_min_ns") < w_min[r])) w_min[r] = col("latency_min_ns")
		if (col("latency_max_ns") > w_max[r]) w_max[r] = col("latency_max_ns")
		if (col("depth_peak") > w_peak[r]) w_peak[r] = col("depth_peak")
		if (r in ended && from < ended[r]) bad("a window of ring " r " begins before the last one ended")
		if ((from - start_ns) % length_ns) bad("a window begins " from - start_ns " ns after the start")
		if (len > length_ns || (r in was_short)) bad("a window of " len " ns, or one behind a short one")
		if (len < length_ns) was_short[r] = 1
		ended[r] = from + len; windows++
	}
	type == "SUBMIT" { ring[key] = col("ring"); submit[key] = col("ts")
		depth[ring[key]]++; if (depth[ring[key]] > peak[ring[key]]) peak[ring[key]] = depth[ring[key]] }
	type ~ /^(SUBMIT|COMMIT|START|END|COMPLETE|DEPENDENCY|CTX_SWITCH|IRQ)$/ && key in ring { events[ring[key]]++ }
	type == "COMPLETE" { r = ring[key]; ns = col("ts") - submit[key]; depth[r]--
		jobs[r]++; sum[r] += ns; if (!(r in min) || ns < min[r]) min[r] = ns; if (ns > max[r]) max[r] = ns }
	END {
		for (r in jobs) {
			near("events", w_events[r], events[r], 0)
			near("jobs", w_jobs[r], jobs[r], 0)
			near("the sum of latencies", w_sum[r], sum[r], 0)
			near("the least latency", w_min[r], min[r], 0)
			near("the greatest latency", w_max[r], max[r], 0)
			near("the greatest depth", w_peak[r], peak[r], 1)	# events of two CPUs at once
			near("the sum of depths", w_depth[r], sum[r], sum[r] / 100)
			rings++
		}
		print windows + 0 " windows, " rings + 0 " rings"
		if (rings < 3 || windows < 6) bad("too few, so this run proves nothing")
		exit bads > 0
	}' "$CASE_TMP/dump.csv" || fail "the windows and the events differ"
}

# run SCENARIO: its session is in the files of dump_session
run()
{
	session_start buffer_size=4M
	workload --scenario "$1" --jobs $JOBS --processes 4 >"$CASE_TMP/workload" 2>&1 || cat "$CASE_TMP/workload"
	session_stop
	fates_sum
	expect_stat lost_events 0
	dump_session
	grtrace dump --definitions --limit 1 "$CASE_TMP/pipe" | tr ' ' '\n' >"$CASE_TMP/start"
}

put aggregator_window 200
expect_refused aggregator_window 99
expect_refused aggregator_window 60001
expect_refused aggregator_enable 3
put aggregator_enable 1
run mixed
expect_stat aggregated 0
expect_eq "COMPLETE written" "$(column COMPLETE written)" $JOBS
sums_agree

put aggregator_enable 2
run hang
errors=$(column ERROR written)
[ "$errors" -gt 0 ] || fail "no ERROR was written"
expect_eq "ERROR seen" "$(column ERROR seen)" "$errors"
for type in SUBMIT COMMIT END COMPLETE DEPENDENCY; do
	[ "$(column $type seen)" -gt 10 ] || fail "few $type, so this run proves nothing"
	expect_eq "$type aggregated" "$(column $type aggregated)" "$(column $type seen)"
done
# total COLUMN: over all windows
total()
{
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "WINDOW" { sum += $at[name] } END { printf "%.0f\n", sum }' "$CASE_TMP/dump.csv"
}
expect_eq "events in the windows" "$(total events)" "$(stat aggregated)"
expect_eq "jobs in the windows" "$(total jobs)" "$(column COMPLETE seen)"
grtrace report "$CASE_TMP/pipe" >"$CASE_TMP/report"
grep -q "left out on request (aggregated $(stat aggregated | sed ':a; s/\B[0-9]\{3\}\>/,&/; ta'))" "$CASE_TMP/report" ||
	{ cat "$CASE_TMP/report"; fail "the report does not say what was aggregated"; }
grep -q "^summed up while recording: .* $(column COMPLETE seen) jobs" "$CASE_TMP/report" ||
	{ cat "$CASE_TMP/report"; fail "the report does not show the windows"; }
grtrace report -f json "$CASE_TMP/pipe" >"$CASE_TMP/report"
grep -q "\"windows\":{\"count\":[1-9][0-9]*,\"jobs\":$(total jobs),\"latency_sum_ns\":$(total latency_sum_ns)," "$CASE_TMP/report" ||
	{ cat "$CASE_TMP/report"; fail "the JSON does not have the windows"; }

# The last window that ended is in the file, be it in part; by hand, so that all is known.
put aggregator_window 60000
session_start
emit submit 7 GRAPHICS 900 1 count=3
sleep 0.05
emit complete 7 GRAPHICS 900 1 count=2
session_stop
sed 1,3d "$GRT_DIR/aggregator_stats" >"$CASE_TMP/rows"
expect_eq "the head of the file" "$(head -n 3 "$GRT_DIR/aggregator_stats")" "Aggregation Window: 60000 ms
Status: enabled
Ring | Events | Avg Latency | Min Latency | Max Latency | Avg Depth | Peak Depth"
awk -F ' [|] ' '$1 != 900 || $2 != 5 || $3 !~ /^[0-9]+\.[0-9]+ us$/ || $3 + 0 < 50000 || $7 != 3 || NF != 7 { bad = 1 }
	END { exit bad || NR != 1 }' "$CASE_TMP/rows" || fail "the row is '$(cat "$CASE_TMP/rows")'"
# Rows stay, with the last window of each ring that had anything; older ones say so
put aggregator_window 100
session_start
emit submit 7 GRAPHICS 900 1
emit complete 7 GRAPHICS 900 1
sleep 0.4
emit submit 8 GRAPHICS 901 1
emit complete 8 GRAPHICS 901 1
sleep 0.4
row() { sed -n "s/^$1 | \([0-9]*\) .*/\1/p" "$GRT_DIR/aggregator_stats"; }
age_ms() { sed -n "s/^$1 .* | ended \([0-9]*\)\.\([0-9]*\) s ago$/\1\2/p" "$GRT_DIR/aggregator_stats" | sed 's/^0*//'; }
expect_eq "events of ring 900, long after" "$(row 900)" 2
expect_eq "events of ring 901" "$(row 901)" 2
if [ "$(age_ms 901)" -lt 200 ] || [ "$(age_ms 900)" -lt $(($(age_ms 901) + 200)) ]; then
	fail "no age, or a wrong one: $(cat "$GRT_DIR/aggregator_stats")"
fi
session_stop
expect_eq "events of ring 900 after stop" "$(row 900)" 2
expect_eq "events of ring 901 after stop" "$(row 901)" 2
put aggregator_enable 0
expect_eq Status "$(sed -n 's/^Status: //p' "$GRT_DIR/aggregator_stats")" disabled
