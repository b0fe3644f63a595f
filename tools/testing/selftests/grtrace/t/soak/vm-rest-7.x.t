#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The cases that the other tests run on other kernels only, on 7.x.
vm=$(dirname -- "$0")/../../vm
mapfile -t names < <("$vm/check" --kernel 7.x --rest | grep -vx stress)	# vm-soak.t has it
exec "$vm/check" --kernel 7.x "${names[@]}"
