#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tests of the commands once more with sanitizers: all inputs of each, where unit.t takes a fourth, and
# a search for leaks at the end of each command.
tools=$(cd -- "$(dirname -- "$0")/../../../../../grtrace" && pwd)
echo "TAP version 13"
make -s -C "$tools" tests-asan >&2 || { echo "1..0"; exit 1; }
cd "$tools" || exit 1
export GRTRACE_BUILD="$tools/build/asan" ASAN_OPTIONS=detect_leaks=1 GRTRACE_EVERY=1
count=0
for test in test/cli/t-*.sh; do
	count=$((count + 1))
	if text=$(sh "$test" 2>&1); then
		echo "ok $count - $test"
	else
		echo "not ok $count - $test"
		printf '%s\n' "$text" | grep -v '^ok ' | sed 's/^/# /'
	fi
done
echo "1..$count"
