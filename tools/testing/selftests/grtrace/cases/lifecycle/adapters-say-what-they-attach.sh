#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: with dynamic debug each adapter says in one line what it is attached to, and that it is detached
# requires: mock
# kernels: 6.1
debug=/sys/kernel/debug/dynamic_debug/control
[ -w $debug ] || skip "this kernel has no dynamic debug"
trap 'echo "module grtrace -p" >$debug' EXIT
echo "module grtrace +p" >$debug
mark="adapters-say: $$"
echo "$mark" >/dev/kmsg
session_start
session_stop
dmesg | awk -v mark="$mark" 'index($0, mark) { seen = 1; next } seen' >"$CASE_TMP/log"
expect_eq "lines of the bridge" "$(sed -n 's/.*grtrace: drm_bridge: //p' "$CASE_TMP/log" | sed 's/[0-9][0-9]*/N/g' | paste -s -d ';')" \
	"attached to N tracepoints, N kprobes;detached"
