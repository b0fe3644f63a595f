#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All test cases, in guests with kernel 7.x.
exec "$(dirname -- "$0")/../vm/check" --kernel 7.x
