#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: every key and alias, as a line of config and as a file: its accepted values, its text, its effect
# kernels: 6.1
# requires: mock grtrace

# takes KEY TEXT SHOWN: as a line of config, and as a file of its name
takes()
{
	config profile=default
	config "$1=$2"
	expect_eq "$1 after $1=$2" "$(cat "$GRT_DIR/$1")" "$3"
	config profile=default
	echo "$2" >"$GRT_DIR/$1" || fail "'$2' was refused by $1: $(cat "$GRT_DIR/error")"
	expect_eq "$1 after '$2'" "$(cat "$GRT_DIR/$1")" "$3"
}

# written TYPE: how many of them were
written() { sed -n "s/^[0-9]*,$1,[0-9]*,\([0-9]*\),.*/\1/p" "$GRT_DIR/events_by_type"; }

# keeps LINE KEY=VALUE...: of 2 contexts, 2 rings, 2 engines and some types "CTX/RING/TYPE"s
keeps()
{
	wanted=$1
	shift
	config profile=default
	session_start "$@"
	for ctx in 7 8; do
		for ring in 900 901; do
			engine=gfx
			[ $ring = 900 ] || engine=copy
			for type in submit commit irq error; do
				emit $type $ctx $engine $ring 1
			done
		done
	done
	session_stop
	cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
	got=$(grtrace dump --format csv "$CASE_TMP/pipe" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] ~ /^(SUBMIT|COMMIT|IRQ|ERROR)$/ {
			print $at["ctx"] "/" $at["ring"] "/" $at["type"] }' |
		sort | paste -s -d ' ')
	# shellcheck disable=SC2086	# words
	wanted=$(printf '%s\n' $wanted | sort | paste -s -d ' ')
	expect_eq "what $* keeps" "$got" "$wanted"
}

# all CTX... RING... TYPE...: each of each, lists with commas between
all()
{
	for ctx in $(echo "$1" | tr ',' ' '); do
		for ring in $(echo "$2" | tr ',' ' '); do
			for type in $(echo "$3" | tr ',' ' '); do
				echo "$ctx/$ring/$type"
			done
		done
	done
}

takes level 0 0
takes level 3 3
takes level off 0
takes level minimal 1
takes level NORMAL 2
takes level verbose 3
# a mask is shown as it was written
takes filter_type_mask 3 3
takes filter_type_mask 0x3 0x3
takes filter_type_mask -1 -1
takes filter_type_mask 0 0
takes filter_type_mask all all
takes filter_type_mask 0xFFFFFFFF 0xFFFFFFFF
takes filter_engine_mask 4 4
takes filter_engine_mask -1 -1
takes filter_engine_mask 0xFFFF 0xFFFF
takes filter_ring_id 3 3
takes filter_ring_id -1 0
takes filter_ring_id gfx gfx
takes filter_ring_id card0/gfx card0/gfx
takes watch_ctx 33 33
takes watchlist 0,1 0,1
takes watchlist '!2' '!2'
takes watchlist '!gfx,4' '!gfx,4'
takes watchlist '' ''
takes watch_allow_mode 0 0
takes watch_combine or or
takes watch_combine and and
takes watch_combine 1 or
takes sample 25 25
takes sampling 50 50
takes rate_limit 1000 1000
takes rate_limit 5K 5120
takes max_events_per_sec 77 77
takes rate_limit_mode 1 1
takes rate_limit_mode bucket 1
takes rate_limit_mode token_bucket 1
takes rate_limiter_mode Token_Bucket 1
takes trace_ctx 33 33
takes rate_limiter_mode window 0
takes rate_limit_burst 30 30
takes backpressure_threshold 75 75
takes adaptive_sampling 1 1
takes track_jobs 1 1
takes clock mono mono
takes global_seq 2 2
takes buffer_size 1M 1048576
for profile in default production development analysis; do
	takes profile $profile $profile
done
config profile=production level=2
expect_eq "profile after another key" "$(cat "$GRT_DIR/profile")" custom
config profile=default

# lists
config watch_ctx_add=7 watch_ctx_add=9,11 watch_ctx_add=7
expect_eq watch_count "$(cat "$GRT_DIR/watch_count")" 3
config watch_count=3		# what is shown may be written back, and nothing else
expect_refused config watch_count=4
expect_eq watch_ctx "$(tr ',' '\n' <"$GRT_DIR/watch_ctx" | sort -n | paste -s -d ' ')" "7 9 11"
config watch_ring_add=gfx watch_ring_add=4
expect_eq watch_ring_count "$(cat "$GRT_DIR/watch_ring_count")" 2
config watch_ring_count=2
expect_refused config watch_ring_count=1
expect_eq watchlist "$(cat "$GRT_DIR/watchlist")" gfx,4
config watch_allow_mode=0
expect_eq "watchlist in deny mode" "$(cat "$GRT_DIR/watchlist")" '!gfx,4'
# with the last list its mode goes
config watch_ctx_clear=1
expect_eq "mode while a list is left" "$(cat "$GRT_DIR/watch_allow_mode")" 0
config watch_ring_clear=1
expect_eq "mode without lists" "$(cat "$GRT_DIR/watch_allow_mode")" 1
expect_eq watch_count "$(cat "$GRT_DIR/watch_count")" 0
expect_eq watch_ring_count "$(cat "$GRT_DIR/watch_ring_count")" 0
config watchlist='!2' watchlist=
expect_eq "mode after ! and nothing" "$(cat "$GRT_DIR/watch_allow_mode")" 1
config watch_allow_mode=0 watchlist= watch_ctx=5
expect_eq "mode that was asked for before a list" "$(cat "$GRT_DIR/watch_allow_mode")" 0
config watch_ctx=
expect_eq "mode after the list is cleared" "$(cat "$GRT_DIR/watch_allow_mode")" 1
# other names are shown, too
for pair in sample:sampling rate_limit:max_events_per_sec rate_limit_mode:rate_limiter_mode watch_ctx:trace_ctx; do
	expect_eq "${pair#*:} in config" "$(sed -n "s/^${pair#*:}=//p" "$GRT_DIR/config")" \
		"$(sed -n "s/^${pair%:*}=//p" "$GRT_DIR/config")"
done
config profile=default
config profile=production watch_ctx=5,6 watchlist='!3,gfx' filter_ring_id=copy sample=10
cat "$GRT_DIR/config" >"$CASE_TMP/config-all"
config profile=default
while read -r pair; do
	config "$pair"
done <"$CASE_TMP/config-all"
expect_eq "config that was written back" "$(cat "$GRT_DIR/config")" "$(cat "$CASE_TMP/config-all")"

every="SUBMIT,COMMIT,IRQ,ERROR"
keeps "$(all 7,8 900,901 $every)" level=verbose
keeps "$(all 7,8 900,901 SUBMIT,COMMIT,ERROR)" level=normal
keeps "$(all 7,8 900,901 SUBMIT,ERROR)" level=minimal
keeps "" level=off
keeps "$(all 7,8 900,901 COMMIT)" filter_type_mask=8
keeps "$(all 7,8 900,901 COMMIT)" filter_type_mask=0xFF000008
keeps "$(all 7,8 900,901 $every)" filter_type_mask=0xFFFFFFFF
keeps "$(all 7,8 900,901 $every)" filter_engine_mask=0xFFFF
keeps "$(all 7 900,901 $every)" 'watchlist=!901' watchlist= watch_ctx_add=7
keeps "$(all 7,8 901 $every)" filter_engine_mask=4
keeps "$(all 7,8 900 $every)" filter_ring_id=900
keeps "$(all 7,8 900 $every)" filter_ring_id=ring900
keeps "$(all 7,8 900,901 $every)" filter_ring_id=-1
keeps "$(all 7 900,901 $every)" watch_ctx=7
keeps "$(all 8 900,901 $every)" watch_ctx=7 watch_allow_mode=0
keeps "$(all 7,8 901 $every)" watchlist=901
keeps "$(all 7,8 901 $every)" watchlist=0,901
keeps "$(all 7,8 900 $every)" 'watchlist=!901'
keeps "$(all 7,8 900 $every)" 'watchlist=!emit/ring901'
keeps "$(all 7 900 $every)" watch_ctx=7 watchlist=900
keeps "$(all 7 900,901 $every) $(all 8 900 $every)" watch_ctx=7 watchlist=900 watch_combine=or
keeps "$(all 7 901 $every) $(all 8 900,901 $every)" watch_ctx=7 watchlist='!900'
keeps "$(all 8 901 $every)" watch_ctx=7 watchlist='!900' watch_combine=or
keeps "" sample=0
keeps "$(all 7,8 900,901 $every)" sample=100

# Real rings are met only after the key was set.
config profile=default
session_start filter_ring_id=copy
workload --scenario mixed --jobs 200 >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
session_stop
copies=$(sed -n 's/^ring  *copy  *\([0-9]*\) .*/\1/p' "$CASE_TMP/workload")
[ "$copies" -gt 10 ] || fail "only $copies copies, so this run proves nothing"
expect_eq "COMMIT written" "$(written COMMIT)" "$copies"
