#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# All test cases, in guests with kernel 6.12.
selftests=$(dirname -- "$0")/../..
mapfile -t names < <("$selftests/cases/run" --list | sed 's/ .*//' | grep -vx stress)	# vm-soak.t has it
exec "$selftests/vm/check" --kernel 6.12 "${names[@]}"
