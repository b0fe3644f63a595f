#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: reset_stats empties the statistics, also under load, but takes nothing from the trace
# kernels: 6.1
# requires: mock grtrace
# timeout: 240

# read_trace: counts the events and the reported losses of the trace
read_trace()
{
	dump_session
	lost=$(told_lost <"$CASE_TMP/dump.csv")
	found=$(sed 1d "$CASE_TMP/dump.csv" | grep -vc -e '^LOSS,' -e '^POLICY,')
	expect_eq "events in the trace" "$found" "$(column_sum pc_cseq cseq)"
}

# Each way to reset, each file: old counts are gone, new events are counted.
by_control() { ctl reset_stats; }
by_config() { config reset_stats=1; }
by_file() { echo 1 >"$GRT_DIR/reset_stats"; }
session_start cost_sample=1 buffer_size=4M
for way in by_control by_config by_file; do
	mock_run_jobs 50
	emit mark 0 other 0 0 text=before
	echo 'submit 7 gfx 900 1 count=1000' >"$GRT_DIR/emit"
	cseq=$(column_sum pc_cseq cseq)
	$way || fail "$way is refused: $(cat "$GRT_DIR/error")"
	for name in seen written bytes_written subbufs_produced; do
		expect_stat $name 0
	done
	# a second may have ended since
	expect_eq "events of sec_stats" "$(column_sum sec_stats events)" 0
	expect_eq "latency_hist" "$(sed -n 2p "$GRT_DIR/latency_hist" | tr -d 0,)" ""
	expect_eq "size_hist" "$(sed -n 2p "$GRT_DIR/size_hist" | tr -d 0,)" ""
	expect_eq "pc_cseq" "$(column_sum pc_cseq cseq)" "$cseq"
	echo 'submit 7 gfx 900 1 count=33' >"$GRT_DIR/emit"
	emit mark 0 other 0 0 text=after
	expect_stat seen 34
	expect_eq "seen of pc_stats" "$(column_sum pc_stats seen)" 34
	expect_eq "samples" "$(column_sum latency_hist samples)" 34
	expect_eq "written of size_hist" "$(column_sum size_hist written)" 34
	expect_eq "ok" "$(sed -n 's/^ok,//p' "$GRT_DIR/result_hist")" 34
done
expect_eq "reset_stats, read" "$(cat "$GRT_DIR/reset_stats")" 0
if grep -q reset_stats "$GRT_DIR/config"; then
	fail "config shows reset_stats, so writing config back would empty the statistics"
fi
session_stop
expect_eq "events of sec_stats" "$(column_sum sec_stats events)" 34
burst=$(column_sum sec_stats burst)
if [ "$burst" -eq 0 ] || [ "$burst" -gt 34 ]; then
	fail "bursts of $burst among 34 events"
fi
read_trace
expect_eq "lost, as the reader is told" "$lost" 0
expect_eq "events in the trace" "$found" $((cseq + 34))

# Earlier losses stay in the trace, whatever the statistics show.
session_start buffer_size=64K
for part in before after; do
	echo 'submit 7 gfx 900 1 count=5000' >"$GRT_DIR/emit"
	[ $part = after ] || ctl reset_stats
done
session_stop
expect_stat seen 5000
read_trace
[ "$lost" -gt 0 ] || fail "nothing was lost, so this run proves nothing"
expect_eq "found and lost" $((found + lost)) 10000

# Under load, with a full buffer: each reading obeys the law.
session_start buffer_size=64K cost_sample=4 filter_type_mask=0x8003
pids=""
trap 'kill $pids 2>/dev/null || :' EXIT
for _ in 1 2 3; do
	while :; do
		echo 'submit 7 gfx 900 1 count=2000' >"$GRT_DIR/emit"
		echo 'end 7 gfx 900 1 count=1000' >"$GRT_DIR/emit"
		echo 'mark 0 other 0 0 count=500 text=noise' >"$GRT_DIR/emit"
	done &
	pids="$pids $!"
done
wait_for 10 grep -q '^full,[1-9]' "$GRT_DIR/result_hist"
rounds=0 end=$(($(date +%s) + 8))
while [ "$(date +%s)" -lt $end ]; do
	ctl reset_stats
	for file in pc_stats events_by_type sec_stats; do fates_sum $file; done
	rounds=$((rounds + 1))
done
# shellcheck disable=SC2086
kill $pids
# shellcheck disable=SC2086
wait $pids || :
pids=""
session_stop
for file in pc_stats events_by_type sec_stats; do fates_sum $file; done
expect_eq "events of sec_stats" "$(column_sum sec_stats events)" "$(stat seen)"
expect_eq "written of size_hist" "$(column_sum size_hist written)" "$(stat written)"
read_trace
[ "$(stat seen)" -lt $((found + lost)) ] || fail "no reset took effect, so this run proves nothing"
[ $rounds -ge 10 ] || fail "only $rounds resets"
echo "$rounds resets; $((found + lost)) events, of which the statistics show $(stat seen) now"
