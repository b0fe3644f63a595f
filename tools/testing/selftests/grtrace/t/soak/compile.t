#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All kernels that compile.t knows.
exec "$(dirname -- "$0")/../compile.t" all
