#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All test cases, in guests whose kernel looks for errors: KASAN, lockdep, kmemleak.
exec "$(dirname -- "$0")/../../vm/check" --kernel debug
