#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a disk that fills up ends record with one clear error, a file that was closed, and no session
# kernels: 6.1
# requires: mock grtrace
cd "$CASE_TMP"
mkdir small
mount -t tmpfs -o size=512k tmpfs small || skip "cannot mount a small tmpfs"
trap 'umount "$CASE_TMP/small"' EXIT
expect_status 3 grtrace record -o small/t.grt -- workload --scenario mixed --jobs 4000
cp out said
expect_eq "errors" "$(grep '^grtrace:' said | grep -vc '^grtrace: warning:')" 1
grep -q "^grtrace: warning: what was recorded is in 'small/t.grt'" said || fail "the file is not named: $(cat said)"
grep -q "cannot write 'small/t.grt': No space left on device" said || fail "not told: $(cat said)"
grep -q '^hint: free some space' said || fail "no hint: $(cat said)"
expect_eq control "$(cat "$GRT_DIR/control")" stopped

grtrace report small/t.grt >report.txt 2>warning || fail "report: $(cat warning)"
if grep -q 'not closed' warning; then
	fail "the file was not closed: $(cat warning)"
fi
jobs=$(grtrace report --jobs --format csv small/t.grt 2>/dev/null | sed 1d | wc -l)
[ "$jobs" -gt 200 ] || fail "only $jobs jobs in the file"
grtrace verify -s 1s small/t.grt >verify.txt || :
for rule in closed checksums chunks index cseq time; do
	grep -q "^ok  *$rule " verify.txt || fail "$(cat verify.txt)"
done
umount "$CASE_TMP/small"
trap - EXIT

# The command runs on when the recording ends; the next case wants the GPU for itself.
wait_for 60 sh -c "! pidof workload"
