#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The test cases that share a guest with kernel 6.1.
exec "$(dirname -- "$0")/../vm/check" --kernel 6.1 --shared
