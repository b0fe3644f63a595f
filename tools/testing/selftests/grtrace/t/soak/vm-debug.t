#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All test cases, in guests with a debug kernel: KASAN, lockdep, kmemleak.
exec "$(dirname -- "$0")/../../vm/check" --kernel debug
