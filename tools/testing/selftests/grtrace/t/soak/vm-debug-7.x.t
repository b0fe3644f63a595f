#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All test cases of 7.x, in guests whose kernel looks for errors, as vm-debug.t.
exec "$(dirname -- "$0")/../../vm/check" --kernel debug-7.x
