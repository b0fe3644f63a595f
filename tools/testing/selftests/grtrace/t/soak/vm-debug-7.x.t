#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All test cases of 7.x, in guests with a debug kernel, as in vm-debug.t.
exec "$(dirname -- "$0")/../../vm/check" --kernel debug-7.x
