#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The cases that the other tests run on other kernels only, on 6.12.
vm=$(dirname -- "$0")/../../vm
mapfile -t names < <("$vm/check" --kernel 6.12 --rest | grep -vx stress)	# vm-soak.t has it
exec "$vm/check" --kernel 6.12 "${names[@]}"
