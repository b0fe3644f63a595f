#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# All test cases, in emulated guests of another machine: its kernel has other calls, registers and
# clocks, and its compiler a char without sign. What the emulator does not show is arm64's weak
# order of memory, because this machine does not reorder the guest's writes: see litmus.t.
exec "$(dirname -- "$0")/../../vm/check" --kernel 6.1-arm64
