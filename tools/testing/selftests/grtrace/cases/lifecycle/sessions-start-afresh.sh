#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a start forgets the session before, takes the new buffer size, and counts sessions
# kernels: 6.1
expect_eq "lines of version" "$(sed "s/=.*//" "$GRT_DIR/version" | paste -s -d " ")" "version format_version"
session_start buffer_size=128K
echo 'submit 1 gfx 5 1 count=10' >"$GRT_DIR/emit"
expect_stat buffer_bytes 131072
first=$(stat session_id)
session_stop
expect_stat written 10
emit submit 1 gfx 5 11		# nobody records: it is seen, and told as such
expect_stat disabled 1
expect_stat seen 11
grep -q ',ring5,' "$GRT_DIR/rings" || fail "ring 5 is not in the table"

config buffer_size=256K
session_start
expect_stat buffer_bytes 262144
expect_stat session_id $((first + 1))
expect_stat seen 0
if grep -q ',ring5,' "$GRT_DIR/rings"; then
	fail "ring 5 outlived its session"
fi
config buffer_size=64K		# pending until the next start
expect_stat buffer_bytes 262144
session_stop
session_reset
expect_stat seen 0
expect_stat buffer_bytes 0
expect_eq control "$(cat "$GRT_DIR/control")" idle
[ ! -e "$GRT_DIR/events0" ] || fail "events0 is still there after a reset"
echo 1 >"$GRT_DIR/enabled"
expect_eq control "$(cat "$GRT_DIR/control")" running
echo 1 >"$GRT_DIR/enable"	# so it is already
echo 0 >"$GRT_DIR/enable"
expect_eq control "$(cat "$GRT_DIR/control")" stopped

# Streams of two sessions in one file: --session picks one, nothing mixes them.
command -v grtrace >/dev/null || exit 0
session_start
emit submit 1 gfx 5 1
session_stop
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/both"
first=$(stat session_id)
session_start
echo 'submit 1 gfx 5 1 count=7' >"$GRT_DIR/emit"
session_stop
cat "$GRT_DIR/trace_pipe" >>"$CASE_TMP/both"
count() { grtrace dump --format csv --session "$1" "$CASE_TMP/both" | grep -c '^SUBMIT,'; }
expect_status 4 grtrace dump "$CASE_TMP/both"
grep -q 'hint:.*--session' "$CASE_TMP/out" || fail "no hint: $(cat "$CASE_TMP/out")"
expect_eq "events of session $first" "$(count "$first")" 1
expect_eq "events of the next" "$(count $((first + 1)))" 7
expect_status 4 grtrace dump --session 4711 "$CASE_TMP/both"
