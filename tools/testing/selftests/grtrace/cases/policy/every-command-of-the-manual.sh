#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the commands of the manual, typed as they are written: each is accepted and has its effect
# kernels: 6.1
# requires: mock grtrace
# timeout: 300
# shellcheck disable=SC2016	# types() expands them
for module in grtrace_aggregator grtrace_filter grtrace_perf_mon grtrace_sampling; do
	need_module $module
done
cd "$GRT_DIR" || exit
trap 'cd /; filter_undo; put sampling_mode off; put aggregator_enable 0' EXIT

# types COMMAND: as in a shell
types() { eval "$1" >"$CASE_TMP/shown" 2>"$CASE_TMP/typed" || fail "'$1' failed: $(cat "$CASE_TMP/typed" "$GRT_DIR/error")"; }
# shows FILE TEXT
shows() { expect_eq "$1" "$(cat "$1")" "$2"; }
# key NAME TEXT: as config shows it
key() { expect_eq "config: $1" "$(sed -n "s/^$1=//p" config)" "$2"; }
by_hand() { echo "submit 7 GRAPHICS 900 $1 count=$2" >emit; }

# A session with modules.
types 'echo stop > control'
types 'echo start > control';			shows enabled 1
types 'echo 1 > aggregator_enable';		shows aggregator_enable 1
types 'echo 1000 > aggregator_window';		shows aggregator_window 1000
types 'echo static > sampling_mode';		shows sampling_mode static
types 'echo 25 > sampling_rate';		shows sampling_rate 25
mock_run_jobs 50
types 'cat stats | head -20'
types 'cat events_by_type | head -20'
types 'cat aggregator_stats'
types 'cat sampling_stats'
[ "$(column SUBMIT sampled)" -gt 10 ] || fail "25 % dropped $(column SUBMIT sampled) of 50 jobs"
types 'echo stop > control';			shows enabled 0
types 'echo start > control'
types 'echo start > control';			shows enabled 1
types 'echo stop > control'
types 'echo stop > control';			shows enabled 0
grep -qx 'enabled=0' stats || fail "stats has no enabled=0"
put sampling_mode off
put aggregator_enable 0

# Keys, as lines of config and as files.
types 'cat config'
types 'echo "sample=50" > config';		key sample 50
types 'echo "max_events_per_sec=1000" > config'; key max_events_per_sec 1000; key rate_limit 1000
types 'echo "level=verbose" > config';		key level 3
for key in level sample max_events_per_sec filter_engine_mask filter_ring_id filter_type_mask \
	   watch_count watch_ring_count; do
	grep -q "^$key=" config || fail "config does not show $key"
done
types 'echo "level=off" > config';		key level 0
types 'echo "level=normal" > config';		key level 2
types 'echo "filter_engine_mask=0x1" > config'; key filter_engine_mask 0x1
types 'echo "filter_engine_mask=0xFFFF" > config'; key filter_engine_mask 0xFFFF
types 'echo "filter_type_mask=0x3" > config';	key filter_type_mask 0x3
types 'echo "filter_type_mask=0xFFFFFFFF" > config'; key filter_type_mask 0xFFFFFFFF
types 'echo 10 > /sys/kernel/debug/grtrace/sampling'; shows sampling 10; key sampling 10; key sample 10
types 'echo 50 > /sys/kernel/debug/grtrace/sampling'; shows sampling 50
types 'echo 100 > /sys/kernel/debug/grtrace/sampling'; shows sampling 100
types 'echo 1000 > /sys/kernel/debug/grtrace/rate_limit'; shows rate_limit 1000
types 'echo token_bucket > /sys/kernel/debug/grtrace/rate_limit_mode'; shows rate_limit_mode 1
types 'echo 5000 > /sys/kernel/debug/grtrace/rate_limit'
types 'echo 10000 > /sys/kernel/debug/grtrace/rate_limit_burst'; shows rate_limit_burst 10000
types 'echo "rate_limiter_mode=0" > config';	key rate_limit_mode 0
types 'echo "rate_limiter_mode=1" > config';	key rate_limiter_mode 1
types 'echo "adaptive_sampling=1" > config';	key adaptive_sampling 1
types 'echo "backpressure_threshold=30" > config'; key backpressure_threshold 30
types 'cat /sys/kernel/debug/grtrace/rings'
types 'echo "0,1" > /sys/kernel/debug/grtrace/watchlist'; shows watchlist 0,1
types 'echo "!2" > /sys/kernel/debug/grtrace/watchlist'; shows watchlist '!2'; shows watch_allow_mode 0
types 'echo "watch_ring_clear=1" > config';	shows watchlist ''; shows watch_allow_mode 1
types 'echo "watch_ctx_add=33" > config';	shows watch_ctx 33; shows trace_ctx 33; key watch_count 1
types 'echo "watch_allow_mode=0" > config';	key watch_allow_mode 0
types 'echo "watch_ctx_clear=1" > config';	shows watch_ctx ''; key watch_allow_mode 1
types 'echo "reset_stats=1" > config'
types 'echo "profile=default" > config'
types 'cat /sys/kernel/debug/grtrace/buffer_size'
types 'echo 1048576 > /sys/kernel/debug/grtrace/buffer_size'; shows buffer_size 1048576
types 'echo 8388608 > /sys/kernel/debug/grtrace/buffer_size'; shows buffer_size 8388608
config profile=default

# grtrace config sets and shows the same keys.
expect_status 0 grtrace config max_events_per_sec=500
expect_eq "grtrace config max_events_per_sec" "$(grtrace config max_events_per_sec)" 500
expect_eq "grtrace config sampling" "$(grtrace config sampling)" 100
expect_eq "grtrace config rate_limiter_mode" "$(grtrace config rate_limiter_mode)" 0
config profile=default

# Production, development: three and four lines that go together.
types 'echo 10 > sampling'
types 'echo 1000 > rate_limit'
types 'echo "0,1" > watchlist'
types 'echo 1 > aggregator_enable'
types 'echo 100 > sampling'
types 'echo 0 > rate_limit'
types 'echo 3 > level';				shows level 3
put aggregator_enable 0
config profile=default

# By hand: one ring is kept.
types 'echo start > /sys/kernel/debug/grtrace/control'
types 'echo "filter_ring_id=1" > /sys/kernel/debug/grtrace/config'; key filter_ring_id 1
types 'echo "emit submit 100 0 1 1" > /sys/kernel/debug/grtrace/emit'
types 'echo "emit submit 100 0 2 1" > /sys/kernel/debug/grtrace/emit'
types 'cat /sys/kernel/debug/grtrace/stats | grep -E "events_by_type|filtered_|writes_" >"$CASE_TMP/lines"'
grep -qx 'events_by_type=SUBMIT:2' "$CASE_TMP/lines" || fail "events_by_type: $(cat "$CASE_TMP/lines")"
grep -qx 'filtered_ring=1' "$CASE_TMP/lines" || fail "filtered_ring: $(cat "$CASE_TMP/lines")"
grep -qx 'writes_ok=1' "$CASE_TMP/lines" || fail "writes_ok: $(cat "$CASE_TMP/lines")"
types 'echo stop > /sys/kernel/debug/grtrace/control'
config profile=default
types 'echo start > control'
for i in 1 2 3; do types "echo 'submit 7 GRAPHICS 1 $i' > emit"; done
types 'cat stats | grep -E "^(written|filtered_)" >"$CASE_TMP/lines"'
grep -qx 'written=3' "$CASE_TMP/lines" || fail "written: $(cat "$CASE_TMP/lines")"

# A limit shows in the statistics, and so does a buffer that is full.
types 'echo "max_events_per_sec=1000" > config'
by_hand 1 5000
[ "$(stat rate_limited_drops)" -gt 2000 ] || fail "rate_limited_drops is $(stat rate_limited_drops)"
types 'echo "max_events_per_sec=0" > config'
types 'echo stop > control'
config buffer_size=64K
types 'echo 1 | tee /sys/kernel/debug/grtrace/enable'; shows enable 1
by_hand 1 5000
expect_stat writes_short "$(stat buffer_full)"
[ "$(stat writes_short)" -gt 1000 ] || fail "writes_short is $(stat writes_short)"
types "sh -c 'echo 0 > /sys/kernel/debug/grtrace/enabled'"; shows enabled 0
types "sh -c 'echo 1 > /sys/kernel/debug/grtrace/enabled'"; shows enabled 1
types 'echo 0 > /sys/kernel/debug/grtrace/enable'; shows enable 0
types 'echo 1 > /sys/kernel/debug/grtrace/enable'; shows enable 1
types 'echo stop | tee /sys/kernel/debug/grtrace/control'; shows control stopped
types 'timeout 5 cat /sys/kernel/debug/grtrace/events0 >"$CASE_TMP/events0"'
types 'cat /sys/kernel/debug/grtrace/trace0 >"$CASE_TMP/trace0"'
types 'cat /sys/kernel/debug/grtrace/version'

if [ -w /sys/kernel/debug/dynamic_debug/control ]; then
	types 'echo "module grtrace +p" > /sys/kernel/debug/dynamic_debug/control'
	types 'echo "module grtrace -p" > /sys/kernel/debug/dynamic_debug/control'
fi

# Modules.
types 'echo adaptive > sampling_mode';		shows sampling_mode adaptive
types 'echo 25 > sampling_rate'
types 'echo threshold > sampling_mode';		shows sampling_mode threshold
types 'echo 1000000 > sampling_threshold';	shows sampling_threshold 1000000
types 'echo 1 > filter_enabled';		shows filter_enabled 1
types 'echo "1234,5678" > filter_pid';		shows filter_pid 1234,5678
types 'echo 1000 > filter_uid';			shows filter_uid 1000
types 'echo 500 > filter_latency';		shows filter_latency 500
types 'echo 0x3 > filter_events'
types 'echo 0xFFFFFFFF > filter_events'
types 'cat filter_events'
types 'cat /sys/kernel/debug/grtrace/filter_stats'
types 'echo "1234" > filter_pid';		shows filter_pid 1234
types 'cat /proc/grtrace_stats'
filter_undo
put sampling_mode off
