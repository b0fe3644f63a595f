#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The cases that the other tests run on other kernels only, or nowhere, on 6.1. It has no xe, and vm-soak.t
# has stress.
vm=$(dirname -- "$0")/../../vm
mapfile -t names < <("$vm/check" --kernel 6.1 --rest | grep -vx -e stress -e ".*-xe")
exec "$vm/check" --kernel 6.1 "${names[@]}"
