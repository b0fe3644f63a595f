#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the tables of statistics agree with stats, with each other and with the trace, over real jobs and synthetic events
# kernels: 6.1
# requires: mock grtrace
# timeout: 240

# buckets FILE: the sum of a histogram's buckets
buckets()
{
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(lt|ge)_/) cnt++; next }
		{ for (i = 1; i <= cnt; i++) sum += $i }
		END { print cnt, sum + 0 }' "$GRT_DIR/$1"
}

result() { sed -n "s/^$1,//p" "$GRT_DIR/result_hist"; }

# laws: must hold whenever nothing is under way
laws()
{
	for file in pc_stats events_by_type sec_stats; do
		fates_sum $file
		[ "$(wc -l <"$GRT_DIR/$file")" -gt 1 ] || fail "$file has no rows"
		for fate in written filtered_type buffer_full oversize; do
			expect_eq "$fate of $file" "$(column_sum $file $fate)" "$(stat $fate)"
		done
	done
	expect_eq "seen of pc_stats" "$(column_sum pc_stats seen)" "$(stat seen)"
	expect_eq "events of sec_stats" "$(column_sum sec_stats events)" "$(stat seen)"
	expect_eq "bytes of sec_stats" "$(column_sum sec_stats bytes)" "$(stat bytes_written)"
	for name in bytes_written bytes_dropped overruns; do
		expect_eq "$name of pc_stats" "$(column_sum pc_stats $name)" "$(stat $name)"
	done
	expect_eq "subbufs of pc_stats" "$(column_sum pc_stats subbufs)" "$(stat subbufs_produced)"
	expect_eq "events of result_hist" "$(column_sum result_hist events)" "$(stat seen)"
	expect_eq "events_by_type" "$(stat events_by_type | tr ',' '\n' | awk -F: '{ sum += $2 } END { print sum }')" "$(stat seen)"
	expect_stat writes_ok "$(stat written)"
	expect_stat writes_short $(($(stat buffer_full) + $(stat oversize)))
	expect_eq "ok" "$(result ok)" "$(stat written)"
	expect_eq "full" "$(result full)" "$(stat buffer_full)"
	expect_eq "buckets and events of size_hist" "$(buckets size_hist)" "12 $(stat written)"
	expect_eq "written of size_hist" "$(column_sum size_hist written)" "$(stat written)"
	expect_eq "bytes of size_hist" "$(column_sum size_hist total_bytes)" "$(stat bytes_written)"
	expect_eq "buckets and events of latency_hist" "$(buckets latency_hist)" "12 $(column_sum latency_hist samples)"
}

# samples EVERY: latency_hist has as many as each CPU's written events ask for
samples()
{
	expect_eq "timed events" "$(column_sum latency_hist samples)" \
		"$(awk -F, -v every="$1" 'NR > 1 { sum += int($2 / every) } END { print sum + 0 }' "$GRT_DIR/pc_cseq")"
}

text_of() { awk -v n="$1" 'BEGIN { while (n--) printf "x" }'; }

# Nothing is timed unless somebody asked for it.
session_start cost_sample=0
mock_run_jobs 200
session_stop
laws
samples 1000000000
grep -q '^# .*echo 64 > cost_sample' "$GRT_DIR/latency_hist" || fail "latency_hist does not say how it is switched on"
if grep mean_write_ns "$GRT_DIR/stats"; then
	fail "a mean of no samples"
fi
expect_eq "max_ns" "$(column_sum latency_hist max_ns)" 0
expect_eq "written by pc_cseq" "$(column_sum pc_cseq cseq)" "$(stat written)"

# All sizes that a text can have, on both sides of a bound: checked against the trace.
session_start cost_sample=1
workload --scenario mixed --jobs 300 >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
for bytes in 1 7 8 15 16 23 24 80 87 88 200 215 216 217 400; do
	emit mark 0 other 0 0 "text=$(text_of $bytes)"
done
emit mark 0 other 0 0
emit job 7 gfx 900 1 'count=10'
session_stop
laws
samples 1
expect_eq "timed events" "$(column_sum latency_hist samples)" "$(stat written)"
total=$(column_sum latency_hist total_ns) max=$(column_sum latency_hist max_ns)
if [ "$max" -eq 0 ] || [ "$max" -gt "$total" ]; then
	fail "max $max ns of $total ns"
fi
expect_stat mean_write_ns $((total / $(column_sum latency_hist samples)))
if grep '^#' "$GRT_DIR/latency_hist"; then
	fail "latency_hist says that nothing is timed"
fi
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
# A text ends in a zero byte, and a record at a multiple of 8.
grtrace dump --format csv "$CASE_TMP/pipe" | grep -v '^POLICY,' >"$CASE_TMP/dump.csv"
expect_eq "size_hist as the trace has it" \
	"$(sed -n 2p "$GRT_DIR/size_hist" | cut -d , -f 1-12)" \
	"$(awk -F '[=,]' '
		FILENAME ~ /metadata$/ { if (sub(/^size[.]/, "", $1)) bytes_of[$1] = $2; next }
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ bytes = bytes_of[$1]; text = $at["text"]
		  if (text != "") bytes += int((length(text) + 8) / 8) * 8
		  bound = 64; for (i = 0; i < 11 && bytes >= bound; i++) bound *= 2; n[i]++ }
		END { for (i = 0; i < 12; i++) printf "%d%s", n[i], i < 11 ? "," : "\n" }' \
		"$GRT_DIR/metadata" "$CASE_TMP/dump.csv")"

# Every eighth, and events that are dropped: for their type, and for want of room
session_start cost_sample=8 filter_type_mask=0x8003 buffer_size=64K
workload --scenario mixed --jobs 100 >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
emit 'mark 0 other 0 0 count=30000 text=noise'
session_stop
laws
samples 8
[ "$(stat buffer_full)" -gt 0 ] || fail "the buffer never filled, so this run proves nothing"
[ "$(stat filtered_type)" -gt 0 ] || fail "nothing was filtered, so this run proves nothing"
expect_eq "other" "$(result other)" "$(stat filtered_type)"
emit mark 0 other 0 0		# nobody records
expect_eq "disabled" "$(result disabled)" 1

# A reset of the session empties all statistics.
session_reset
for file in pc_stats pc_cseq size_hist latency_hist result_hist; do
	expect_eq "sum of $file" "$(awk -F, 'NR > 1 { for (i = FILENAME ~ /pc_|result/ ? 2 : 1; i <= NF; i++) sum += $i }
		END { print sum + 0 }' "$GRT_DIR/$file")" 0
done
expect_eq "rows of sec_stats" "$(sed 1d "$GRT_DIR/sec_stats" | wc -l)" 0

# Reports show the cost of an event where it was measured.
for every in 0 4; do
	config cost_sample=$every filter_type_mask=0
	grtrace record -q -o "$CASE_TMP/$every.grt" -- workload --scenario batch --jobs 50 >"$CASE_TMP/workload"
	grtrace report --overhead --format csv "$CASE_TMP/$every.grt" >"$CASE_TMP/$every.csv"
done
grep -q '^[^,]*write_time,,' "$CASE_TMP/0.csv" || fail "write_time without a sample: $(grep write_time "$CASE_TMP/0.csv")"
grep -q '^[^,]*write_time,[1-9]' "$CASE_TMP/4.csv" || fail "no write_time: $(grep write_time "$CASE_TMP/4.csv")"
