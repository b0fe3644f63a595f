#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: BPF programs record under lockdown=integrity; with confidentiality record says what refuses them
# kernels: 6.1
# requires: mock
# vm: own
mount -t securityfs none /sys/kernel/security 2>/dev/null || :
lockdown() { echo "$1" >/sys/kernel/security/lockdown || fail "the kernel has no lockdown"; }

lockdown integrity
grtrace record --source=bpf -q -o "$CASE_TMP/x.grt" -- workload --scenario mixed --jobs 50 >/dev/null ||
	fail "record under integrity"
expect_eq "jobs" "$(grtrace report --jobs --format csv --filter 't_exec > 0' "$CASE_TMP/x.grt" | sed 1d | wc -l)" 50

lockdown confidentiality
expect_status 3 grtrace record --source=bpf -q -o "$CASE_TMP/y.grt" -- true
grep -q 'locked down (confidentiality)' "$CASE_TMP/out" || fail "the reason: $(cat "$CASE_TMP/out")"
[ ! -e "$CASE_TMP/y.grt" ] || fail "there is a file"
