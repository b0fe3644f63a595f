#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All rules that a machine can check.
exec "$(dirname -- "$0")/../../../../../../scripts/lint"
