#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace_smoke and grtrace_smoke.sh pass, with real jobs
# requires: mock grtrace
# kernels: 6.1 7.x
for name in grtrace_smoke grtrace_smoke.sh; do
	expect_status 0 "../$name"
	cat "$CASE_TMP/out"
	if grep '# SKIP' "$CASE_TMP/out"; then
		fail "$name: not all of it was tested"
	fi
done
