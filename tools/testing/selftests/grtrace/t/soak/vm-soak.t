#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The cases with races and repetitions, at full length, on the oldest and the newest kernel; the
# storm of everything on those of them that look for errors.
set -uo pipefail
vm=$(dirname -- "$0")/../../vm
read -ra kernels <<<"${GRTRACE_SOAK_KERNELS:-6.1 7.x}"
log=$(mktemp) number=0
trap 'rm -f "$log"' EXIT

# soak KERNEL OPTIONS KNOB CASE
soak()
{
	local status=0
	number=$((number + 1))
	# shellcheck disable=SC2086	# options are several
	"$vm/run" --kernel "$1" --timeout 3600 $2 -- \
		"$3 CASE_TIMEOUT=3500 GRTRACE_STRICT=1 GRTRACE_VERBOSE=1 /grtrace/cases/run $4" >"$log" 2>&1 || status=$?
	if [ $status -eq 0 ] && grep -q '^ok 1 ' "$log" && ! grep -q '# SKIP' "$log"; then
		echo "ok $number - $1: $4 with $3"
	else
		echo "not ok $number - $1: $4 with $3 (status $status)"
	fi
	sed 's/^/# /' "$log"
}

echo "TAP version 13"
echo "1..$((15 * ${#kernels[@]}))"
for kernel in "${kernels[@]}"; do
	turns=$([ "$kernel" = 6.1 ] || echo --turns)	# see stress
	debug=debug-$kernel debug=${debug%-6.1}
	soak "$kernel" "--mem 2048" GRTRACE_EVENTS=5000000 reader-races-with-writers
	soak "$kernel" --no-load GRTRACE_ROUNDS=200 modules-go-under-jobs
	soak "$kernel" "--mem 2048" GRTRACE_JOBS=3000 laws-hold
	soak "$kernel" "" GRTRACE_WRITES=100000 random-writes-change-nothing
	soak "$kernel" "$turns" GRTRACE_SECONDS=600 stress
	soak "$debug" "--mem 2048 $turns" "GRTRACE_STORM=1 GRTRACE_SECONDS=600 CASE_SLOWNESS=8" stress
	soak "$kernel" "" GRTRACE_PAIRS=1 pairs-of-policies-keep-the-law
	soak "$kernel" "" GRTRACE_SECONDS=63 seconds-are-counted
	soak "$kernel" "" GRTRACE_JOBS=20000 sampling-of-100000-jobs
	soak "$kernel" "--with amdgpu --mem 2048" GRTRACE_ROUNDS=1000 adapters-come-and-go
	soak "$kernel" "" GRTRACE_ROUNDS=100 record-ends-at-any-moment
	soak "$kernel" "--mem 2048" GRTRACE_ROUNDS=70 record-is-killed-anywhere
	for case in record-is-killed bpf-recorder-is-killed tracefs-goes-with-its-recorder; do
		soak "$kernel" "" GRTRACE_ROUNDS=100 $case
	done
done
