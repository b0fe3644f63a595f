#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: every config key is a module parameter with the same bounds; autostart records from load on; lockdown leaves reading and stopping
# kernels: 6.1
# requires: modules grtrace
# vm: own --no-load
PARAMS=/sys/module/grtrace/parameters

expect_fail modprobe grtrace buffer_size=1
expect_fail modprobe grtrace filter_ring_id=5000
expect_fail modprobe grtrace mode=ring
[ ! -d "$PARAMS" ] || fail "grtrace was loaded with a bad parameter"

modprobe grtrace buffer_size=128K filter_type_mask=11 autostart=1
expect_eq control "$(cat "$GRT_DIR/control")" running
expect_stat buffer_bytes 131072
while IFS='=' read -r key value; do
	expect_eq "parameter $key" "$(cat "$PARAMS/$key")" "$value"
done <"$GRT_DIR/config"
modprobe grtrace_drm_bridge
modprobe grtrace_mock
mock_run_jobs 50

# From here on as on a machine with Secure Boot.
[ -e /sys/kernel/security/lockdown ] || mount -t securityfs none /sys/kernel/security 2>/dev/null || :
[ -e /sys/kernel/security/lockdown ] || skip "this kernel has no lockdown"
echo integrity >/sys/kernel/security/lockdown
expect_fail sh -c "echo stop >$GRT_DIR/control"
expect_status 3 grtrace record --source=module -o "$CASE_TMP/t.grt"
grep -q "the kernel is locked down" "$CASE_TMP/out" || fail "$(cat "$CASE_TMP/out")"
expect_stat written 150
cat "$GRT_DIR/rings" >/dev/null || fail "rings cannot be read under lockdown"
echo 0 >"$PARAMS/enabled" || fail "cannot stop under lockdown"
expect_eq state "$(stat state)" stopped
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe" || fail "trace_pipe cannot be read under lockdown"
expect_eq "SUBMIT, COMPLETE, COMMIT" "$(grtrace dump --format csv "$CASE_TMP/pipe" | grep -cE '^(SUBMIT|COMPLETE|COMMIT),')" 150
expect_eq "what the trace tells of them" "$(grtrace dump "$CASE_TMP/pipe" | sed -n 's/.* POLICY .*"\(.*\)"$/\1/p' | paste -s -d ' ')" \
	"buffer_size=131072 filter_type_mask=11"
expect_fail sh -c "echo 4K >$PARAMS/buffer_size"
echo 1 >"$PARAMS/enabled"
expect_eq state "$(stat state)" running

# A flight recorder without the file control: a stop gives its last events.
echo 0 >"$PARAMS/enabled"
echo overwrite >"$PARAMS/mode" || fail "mode cannot be set under lockdown"
echo 1 >"$PARAMS/enabled"
expect_stat mode overwrite
mock_run_jobs 20
echo 0 >"$PARAMS/enabled"
save_snapshot last
check_snapshot last
expect_eq "SUBMITs of the flight recorder" "$(grep -c '^SUBMIT,' "$CASE_TMP/last.csv")" 20
