#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: /proc/grtrace_stats agrees on each second with the trace and the mock's log, even if nobody switched it on
# kernels: 6.1
# requires: mock grtrace
need_module grtrace_perf_mon
MOCK=/sys/kernel/debug/grtrace_mock
STATS=/proc/grtrace_stats
HEADER="ring_id,utilization%,drop_rate%,avg_latency_us,depth,jobs_per_s,name,device"

undo()
{
	put perf_mon_enable 0
	config filter_type_mask=0
}
trap undo EXIT

expect_eq "its mode" "$(command stat -c %a $STATS)" 400
expect_eq "while no session runs" "$(cat $STATS)" "$HEADER
# no session runs: echo start > $GRT_DIR/control"

# Nobody switched it on: a reader waits for a second, gets numbers, and it goes off again
state() { sed -n 's/^module.perf_mon=//p' "$GRT_DIR/metadata"; }
is_off() { [ "$(state)" = off ]; }
uptime_ms() { sed 's/ .*//; s/\.//; s/$/0/' /proc/uptime; }
expect_eq perf_mon_enable "$(cat "$GRT_DIR/perf_mon_enable")" 0
put perf_mon_enable 0		# forget the reader of just now
session_start
expect_eq "before anybody reads" "$(state)" off
workload --scenario mixed --jobs 300 --processes 2 --duration-us 2000:20000 >"$CASE_TMP/workload" 2>&1 &
began_ms=$(uptime_ms)
cat $STATS >"$CASE_TMP/unasked"
took_ms=$(($(uptime_ms) - began_ms))
[ "$took_ms" -ge 800 ] || fail "the first reader waited for $took_ms ms only"
# A job that began before the first read has no known latency.  On a slow machine the first
# second may have no other jobs: then it is read again.
has_numbers() { awk -F, 'NR > 1 && $2 > 0 && $4 > 0 && $6 > 0 { n++ } END { exit !n }' "$CASE_TMP/unasked"; }
for attempt in 1 2 3 4 5; do
	! has_numbers || break
	cat $STATS >"$CASE_TMP/unasked"
done
has_numbers || fail "no ring has numbers: $(cat "$CASE_TMP/unasked")"
expect_eq "just after" "$(state)" on
expect_eq "perf_mon_enable, which nobody wrote" "$(cat "$GRT_DIR/perf_mon_enable")" 0
wait
wait_for 10 is_off
# A reader that waits can be interrupted; one that was not in time, here, has waited.
cat $STATS >"$CASE_TMP/killed" &
sleep 0.2
kill $! 2>/dev/null || :
began_ms=$(uptime_ms)
wait $! || :
took_ms=$(($(uptime_ms) - began_ms))
[ "$took_ms" -lt 500 ] || fail "it ended $took_ms ms after the signal"
session_stop
put perf_mon_enable 1

# Marks around a reading tell in the trace when it was.  If both lie in one tenth of a
# second, the second that it is about ended where that began; else it is not used.
read_stats()
{
	for attempt in 1 2 3 4 5 6 7 8 9 10; do
		emit mark 0 OTHER 0 0 text="before $1 $attempt"
		cat $STATS >"$CASE_TMP/$1.$attempt"
		emit mark 0 OTHER 0 0 text="after $1 $attempt"
	done
}

# run: jobs of four processes, read in the midst of them, at their end, and long after
run()
{
	echo 1 >"$MOCK/log_reset"
	session_start buffer_size=4M
	workload --scenario mixed --jobs 400 --processes 4 --duration-us 2000:20000 >"$CASE_TMP/workload" 2>&1 &
	sleep 2
	read_stats busy
	wait
	read_stats end
	sleep 1.3
	read_stats quiet
	expect_stat lost_events 0
	session_stop
	fates_sum
	expect_eq log_dropped "$(cat "$MOCK/log_dropped")" 0
	cat "$MOCK/log" >"$CASE_TMP/log"
	cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
	grtrace dump --format csv "$CASE_TMP/pipe" >"$CASE_TMP/dump"
}

# check: each usable reading, ring by ring.  Counts, latencies and, with all events in the
# trace, the utilization have to be those of the trace to the last digit.  The log's
# stamps are a little before those of the events: 2 points.  Where COMMIT was refused the
# log says when; one may be booked in the next slice: 2 events.
check()
{
	awk -F, -v readings="$CASE_TMP" -v log_file="$CASE_TMP/named" -v is_all="$1" '
function col(name) { return $at[name] }
# Numbers, also where they are compared
function ns(name) { return $at[name] + 0 }
function bad(text) { print reading " ring " ring ": " text; bads++ }
function expect(what, got, want, slack,    off) {
	checks++
	if (got == "" || want == "") { if (got != want) bad(what " is \"" got "\", not \"" want "\""); return }
	off = got - want
	if (off < 0) off = -off
	if (off > slack + 1e-9) bad(what " is " got ", not " want)
}
# How much of [from, to) the stretches of a ring cover; they are sorted by begin
function covered(n, begin, end,    i, sum, at_ns, b, e) {
	at_ns = from
	for (i = 1; i <= n; i++) {
		b = begin[ring, i] > at_ns ? begin[ring, i] : at_ns
		e = end[ring, i] < to ? end[ring, i] : to
		if (e > b) { sum += e - b; at_ns = e }
	}
	return sum * 100 / (to - from)
}
function one_ring(    i, seen, refused, jobs, took, lo, hi) {
	ring = $1
	for (i = 1; i <= events; i++) {
		if (on[i] != ring)
			continue
		if (ts[i] >= from && ts[i] < to) {
			seen++
			if (type[i] == "COMPLETE") { jobs++; took += ts[i] - submitted[key_of[i]] }
		}
		if (type[i] == "SUBMIT" && ts[i] < after[reading]) { hi++; if (ts[i] < before[reading]) lo++ }
		if (type[i] == "COMPLETE" && ts[i] < after[reading]) { lo--; if (ts[i] < before[reading]) hi-- }
	}
	if (!is_all)
		for (i = 1; i <= logged[ring]; i++)
			if (run[ring, i] >= from && run[ring, i] < to) refused++
	expect("jobs_per_s", $6, jobs + 0, 0)
	expect("avg_latency_us", $4, jobs ? int(took / jobs / 1000) : "", 0)
	if (is_all)
		expect("utilization by the trace", $2, covered(handed[ring], begin, done), 0.005)
	expect("utilization by the log", $2, covered(logged[ring], run, end), 2)
	seen += refused
	expect("drop_rate", $3, seen ? refused * 100 / seen : "", seen && refused ? 200 / seen : 0)
	if ($5 < lo || $5 > hi) bad("depth is " $5 ", not " lo + 0 ".." hi + 0)
	busiest = jobs > busiest ? jobs : busiest
}
FNR == 1 { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
FILENAME == log_file {
	n = ++logged[col("ring")]
	run[col("ring"), n] = ns("run_ns"); end[col("ring"), n] = ns("end_ns")
	next
}
/^MARK/ {
	text = col("text")
	gsub(/"/, "", text)
	split(text, words, " ")		# before busy 1
	name = words[2] "." words[3]
	if (words[1] == "before") before[name] = ns("ts")
	else after[name] = ns("ts")
	next
}
{
	key = col("ctx") ":" col("seqno")
	if ($1 == "SUBMIT") { submitted[key] = ns("ts"); ring_of[key] = col("ring") }
	if ($1 == "COMMIT") begin[col("ring"), ++handed[col("ring")]] = ns("ts")
	if ($1 == "END") done[col("ring"), ++ended[col("ring")]] = ns("ts")
	if ($1 ~ /^(SUBMIT|COMMIT|END|COMPLETE|DEPENDENCY)$/) {
		events++; type[events] = $1; ts[events] = ns("ts"); key_of[events] = key; on[events] = ring_of[key]
	}
}
END {
	FS = ","
	for (reading in before) {
		slice = int(before[reading] / 1e8)
		if (slice != int(after[reading] / 1e8))
			continue
		to = slice * 1e8; from = to - 1e9
		split(reading, part, "."); used[part[1]]++
		while ((getline <(readings "/" reading)) > 0)
			if ($1 + 0) one_ring()
	}
	print used["busy"] + 0 "+" used["end"] + 0 "+" used["quiet"] + 0 " readings used, " checks " checks, at most " busiest " jobs/s"
	if (!used["busy"] || !used["end"] || !used["quiet"] || busiest < 10) { print "that proves nothing"; bads++ }
	exit bads > 0
}' "$CASE_TMP/dump" "$CASE_TMP/named" || fail "the readings differ"
}

# named: the log in order of COMMIT, rings as the rows of the table
sort_log()
{
	awk -F, '
		FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
		file == 1 { row[$at[1, "name"]] = $at[1, "ring"]; next }
		{ print row[$at[2, "ring"]] "," $at[2, "run_ns"] "," $at[2, "end_ns"] }' \
		"$GRT_DIR/rings" "$CASE_TMP/log" | sort -t, -k2n >"$CASE_TMP/rows"
	{ echo "ring,run_ns,end_ns"; cat "$CASE_TMP/rows"; } >"$CASE_TMP/named"
}

run
sort_log
check 1
# COMMIT: bit 3
config filter_type_mask=$(((1 << 24) - 1 - (1 << 3)))
run
sort_log
check 0

# A ring that never had an END, and a job whose SUBMIT was before: unknown, not 0
config filter_type_mask=0
put perf_mon_enable 0
session_start
emit submit 7 GRAPHICS 900 1
put perf_mon_enable 1
emit submit 8 COPY 901 1
emit commit 8 COPY 901 1
emit commit 7 GRAPHICS 900 1
emit submit 9 OTHER 902 1
emit commit 9 OTHER 902 1
emit end 9 OTHER 902 1
sleep 0.3
expect_eq "rings" "$(sed -n 's/^\(90[0-9]\),\([^,]*\),\([^,]*\),\([^,]*\),\([^,]*\),.*/\1 "\2" \3 "\4" \5/p' $STATS | sed "s/\"[0-9][.0-9]*\"/known/" | paste -s -d ' ')" \
	'900 "" 0.00 "" 0 901 "" 0.00 "" 1 902 known 0.00 "" 1'
expect_refused perf_mon_enable 2

# The ring was not known when the job was handed to it: nothing is known of the time until its END, and the
# ring is not busy for ever.
emit submit 10 GRAPHICS 0 1
emit commit 10 GRAPHICS 0 1
emit end 10 GRAPHICS 903 1
sleep 1.3
expect_eq "a ring that was told at the END" "$(sed -n 's/^\(903\),\([^,]*\),.*/\1 \2/p' $STATS)" '903 0.00'
