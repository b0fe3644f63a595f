#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: start, three synthetic events, stop: three are written
session_start
emit submit 7 GRAPHICS 0 1
emit submit 7 COMPUTE 1 2
emit submit 7 COPY 2 3
session_stop
expect_stat seen 3
expect_stat written 3
