#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Reports on traces with missing events: 10,000 traces instead of 300.
tools=$(cd -- "$(dirname -- "$0")/../../../../../grtrace" && pwd)
make -s -C "$tools" build/test/unit/t-property >&2 &&
	CMOCKA_MESSAGE_OUTPUT=TAP GRT_TRIALS=${GRTRACE_TRIALS:-10000} "$tools/build/test/unit/t-property"
