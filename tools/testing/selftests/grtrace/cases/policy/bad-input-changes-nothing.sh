#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a wrong write gets an error that says why, and changes nothing
# kernels: 6.1

# refused FILE TEXT WORDS: the file error must contain WORDS afterwards
refused()
{
	expect_refused "$1" "$2"
	grep -qF -- "$3" "$GRT_DIR/error" ||
		fail "after '$2' to $1 the error file says: $(cat "$GRT_DIR/error")"
}

line_of() { awk -v n="$1" 'BEGIN { while (n--) printf "x" }'; }

config_before=$(cat "$GRT_DIR/config")
refused control	    'begin'			'is not one of: start, start hold, stop'
refused control	    'start now'			'is not one of: start, start hold, stop'
refused control	    ''				'is not one of: start, start hold, stop'
refused control	    'flush'			'no session runs'
refused control	    'snapshot'			'no session runs'
refused control	    'release'			'no snapshot is held'
refused control	    'release 1'			'snapshot, release, reset_stats'
refused enabled	    '2'				'not 0 or 1'
refused enabled	    'on'			'not 0 or 1'
refused config	    'no_such_key=1'		"no key 'no_such_key'"
refused config	    'buffer_size'		'not key=value'
refused config	    'buffer_size='		'allowed 65536..'
refused config	    'buffer_size=ten'		'allowed 65536..'
refused config	    'buffer_size=-65536'	'allowed 65536..'
refused config	    'buffer_size=65535'		'allowed 65536..'
refused config	    'buffer_size=2G'		'..1073741824'
refused config	    'buffer_size=64K64K'	'allowed 65536..'
refused config	    'buffer_size=18446744073709551616' 'allowed 65536..'
refused config	    'buffer_size=99999999999999999G' 'allowed 65536..'
refused config	    'filter_type_mask=0x100000000' 'allowed 0..4294967295'
refused config	    'filter_type_mask=0xFF000000' 'at least one existing type'
refused config	    'filter_engine_mask=0xC0'	'at least one existing class'
refused config	    'filter_type_mask=none'	'allowed 0..4294967295'
refused config	    'rate_limit_mode=token'	'token_bucket'
refused config	    'rate_limit_mode=bucket/token_bucket' 'token_bucket'
refused config	    'mode=ring'			'discard drops new events'
refused config	    'mode=2'			'allowed 0..1'
refused config	    'snapshot_on=4'		'allowed 0..3'
refused config	    'snapshot_on=errors'	'none error status all'
refused config	    'global_seq=3'		'allowed 0..2'
refused config	    'cost_sample=3'		'a power of two'
refused config	    'cost_sample=131072'	'allowed 0..65536'
refused config	    'reset_stats=0'		'allowed 1..1'
refused reset_stats '2'				'allowed 1..1'
refused control	    'reset_stats now'		'release, reset_stats'
refused buffer_size '1'				'allowed 65536..'
refused emit	    'jump 1 gfx 1 1'		"no type 'jump'"
refused emit	    'submit'			"CTX is ''"
refused emit	    'submit 1 warp 1 1'		'ENGINE'
refused emit	    'submit 1 6 1 1'		'ENGINE'
refused emit	    'submit 1 gfx 1024 1'	'0..1023'
refused emit	    'submit -1 gfx 1 1'		'CTX'
refused emit	    'submit 1 gfx 1'		'SEQ'
refused emit	    'submit 1 gfx 1 1 colour=red' "no field 'colour'"
refused emit	    'submit 1 gfx 1 1 credits=4294967296' 'credits'
refused emit	    'submit 1 gfx 1 1 reserved' 'not FIELD=VALUE'
refused emit	    'submit 1 gfx 1 1 flags=blocked' "flags is 'blocked'"
refused emit	    'dependency 1 gfx 1 1 flags=blocked|bent' "flags is 'bent'"
refused emit	    'end 1 gfx 1 1 status=2147483648' 'status'
refused emit	    "submit 1 gfx 1 1 $(line_of 600)" 'a line of'
refused config	    "buffer_size=$(line_of 3000)" 'a line of'
expect_eq config "$(cat "$GRT_DIR/config")" "$config_before"
expect_eq control "$(cat "$GRT_DIR/control")" idle

# Each line is accepted or refused by itself: lines before a bad line count.
session_start
printf 'submit 1 gfx 1 1\nsubmit 1 gfx 1 2\nnonsense\nsubmit 1 gfx 1 3\n' 2>/dev/null \
	>"$GRT_DIR/emit" && fail "a write with a bad line in it succeeded"
refused emit 'nonsense' "no type 'nonsense'"
refused control 'start hold' 'a session runs'
refused emit 'submit 1 copy 1 4' 'another engine'
refused control 'snapshot' 'set mode=overwrite'
refused control 'release' 'no snapshot is held'
session_stop
expect_stat seen 2
expect_stat written 2

for file in stats keys events_by_type latency_hist size_hist result_hist pc_cseq pc_stats \
	    sec_stats rings version metadata error; do
	expect_fail sh -c "echo 1 >$GRT_DIR/$file"
done
