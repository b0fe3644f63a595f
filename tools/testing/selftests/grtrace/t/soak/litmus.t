#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The memory order of the transport, under the memory model of Linux.
exec "$(dirname -- "$0")/../../litmus/run"
