#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What depends most on the kernel, on 6.12; soak/vm-6.12.t has all the other cases.
exec "$(dirname -- "$0")/../vm/check" --kernel 6.12 smoke agrees-with-ftrace sources-agree \
	every-ending-of-a-job timeouts-are-told record-makes-a-file
