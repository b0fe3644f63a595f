#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the text of config can be written back, even with the longest lists
# kernels: 6.1
# requires: grtrace
for i in $(seq 128); do
	echo "watch_ctx_add=$((9223372036854770000 + i))"
done >"$CASE_TMP/lists"
for i in $(seq 32); do
	echo "watch_ring_add=a_device_with_a_name_that_is_quite_long/and_a_ring_with_one_$i"
done >>"$CASE_TMP/lists"
config profile=default
cat "$CASE_TMP/lists" >"$GRT_DIR/config" || fail "refused: $(cat "$GRT_DIR/error")"
config watch_allow_mode=0 watch_combine=or sample=50 filter_ring_id=gfx level=normal mode=overwrite snapshot_on=status
cat "$GRT_DIR/config" >"$CASE_TMP/shown"
[ "$(grep -c . "$CASE_TMP/shown")" -gt 20 ] || fail "config shows little"
grep -qx watch_count=128 "$CASE_TMP/shown" || fail "not 128 contexts: $(grep watch_count "$CASE_TMP/shown")"
grep -qx watch_ring_count=32 "$CASE_TMP/shown" || fail "not 32 rings"
config profile=default
cmp -s "$GRT_DIR/config" "$CASE_TMP/shown" && fail "the default is the same, so this run proves nothing"
cat "$CASE_TMP/shown" >"$GRT_DIR/config" || fail "refused: $(cat "$GRT_DIR/error")"
cat "$GRT_DIR/config" >"$CASE_TMP/again"
diff "$CASE_TMP/shown" "$CASE_TMP/again" || fail "config is not what it was"
