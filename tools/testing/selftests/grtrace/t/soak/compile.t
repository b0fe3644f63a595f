#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The modules compile for kernels that are not booted: other versions of the API, and another
# machine. With all warnings as errors.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "TAP version 13"
mapfile -t kernels < <("$GRT_VM/kernel" --list-headers)
[ "${#kernels[@]}" -gt 0 ] || { echo "not ok 1 - there are no headers to compile for"; exit 1; }
echo "1..${#kernels[@]}"

number=0
for name in "${kernels[@]}"; do
	number=$((number + 1)) status=0
	"$GRT_VM/kernel" "$name" >"$log" 2>&1 || status=$?
	if [ "$status" -eq 4 ]; then
		echo "ok $number - the modules compile for $name # SKIP $(tail -n 1 "$log")"
		continue
	fi
	[ "$status" -ne 0 ] || places=$("$GRT_VM/build" "$name" 2>"$log") || status=$?
	release=$(sed -n 's/^KVER=//p' <<<"${places-}")
	# make's status is not enough: the modules must exist
	while read -r module; do
		[ "$status" != 0 ] || [ -s "$GRTRACE_BUILD/$name/drivers/gpu/grtrace/$module.ko" ] || status=$module
	done < <(sed -n 's/^obj-[$](CONFIG_[A-Z0-9_]*) += \(.*\)[.]o$/\1/p' "$GRT_ROOT/drivers/gpu/grtrace/Kbuild")
	if [ "$status" = 0 ]; then
		echo "ok $number - the modules compile for $name ($release)"
	else
		echo "not ok $number - the modules compile for $name (failed: $status)"
		sed 's/^/# /' "$log"
	fi
done
