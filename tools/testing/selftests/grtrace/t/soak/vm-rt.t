#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All test cases of 6.1, in guests with PREEMPT_RT.
exec "$(dirname -- "$0")/../../vm/check" --kernel rt
