#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The test cases with a guest of their own, and kernel 6.1.
exec "$(dirname -- "$0")/../vm/check" --kernel 6.1 --own
