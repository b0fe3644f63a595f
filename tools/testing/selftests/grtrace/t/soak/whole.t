#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Files of commands that are killed or interrupted, at 100 moments of each.
cd -- "$(dirname -- "$0")/../../../../../.." || exit 3
GRTRACE_ROUNDS=100 exec tools/grtrace/test/cli/t-whole.sh
