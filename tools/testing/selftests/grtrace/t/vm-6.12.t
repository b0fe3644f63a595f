#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All test cases, in guests with kernel 6.12.
exec "$(dirname -- "$0")/../vm/check" --kernel 6.12
