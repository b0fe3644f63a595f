#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Every fuzzer of tools/grtrace, for half an hour of CPU each.
root=$(cd -- "$(dirname -- "$0")/../../../../../.." && pwd)
seconds=${GRTRACE_FUZZ_SECONDS:-1800}
targets=$(make -s -C "$root/tools/grtrace" fuzz-list) || exit 1

# shellcheck disable=SC2086	# targets are words
set -- $targets
echo "TAP version 13"
echo "1..$#"
number=0
for target; do
	number=$((number + 1))
	if log=$(make -s -C "$root/tools/grtrace" fuzz FUZZ_SECONDS="$seconds" FUZZ_TARGETS="$target" 2>&1); then
		echo "ok $number - $target: $seconds s of CPU"
	else
		echo "not ok $number - $target"
	fi
	echo "$log" | sed 's/^/# /'
done
