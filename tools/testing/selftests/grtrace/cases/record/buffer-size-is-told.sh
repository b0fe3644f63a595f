#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: CPUs that may come later take no memory from online CPUs; error, stats and record tell when a size was reduced
# kernels: 6.1
# requires: grtrace
# vm: own --max-smp 64
# arm64: no, its machine makes no room for CPUs that come later
# debug: no, its kernel knows 8 CPUs at most
ram=$(($(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo) * 1024))
online=$(nproc)
possible=$(($(sed 's/.*-//' /sys/devices/system/cpu/possible) + 1))
case $(uname -r) in
6.1.*) expect_eq "CPUs that may come" "$possible" 64 ;;	# newer ones know that it is no real machine
esac

# There is room for as many of these when all 64 come up.
session_start buffer_size=2M
expect_stat buffer_bytes 2097152
expect_stat buffer_bytes_asked 2097152
session_stop
expect_eq error "$(cat "$GRT_DIR/error")" "no write was refused yet"

# A 64th of the memory for the CPUs that are online; for all that may come, a quarter.
most=$((ram / 64 / online))
[ $most -lt $((ram / 4 / possible)) ] || most=$((ram / 4 / possible))
session_start buffer_size=1G
expect_stat buffer_bytes $most
expect_stat buffer_bytes_asked 1073741824
grep -q "buffer_size is 1073741824, but each CPU got $most:" "$GRT_DIR/error" || fail "error: $(cat "$GRT_DIR/error")"
session_stop
session_reset
grtrace record -b 1G -o "$CASE_TMP/t.grt" -- true >"$CASE_TMP/out" 2>&1 || fail "$(cat "$CASE_TMP/out")"
grep -q '^note: .* buffer of [0-9.]* MiB, not of 1.0 GiB' "$CASE_TMP/out" || fail "record: $(cat "$CASE_TMP/out")"
grtrace record -b 1M -o "$CASE_TMP/t.grt" -- true >"$CASE_TMP/out" 2>&1 || fail "$(cat "$CASE_TMP/out")"
if grep '^note: ' "$CASE_TMP/out"; then
	fail "record complains of a size that it got"
fi
