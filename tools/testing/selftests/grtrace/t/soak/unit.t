#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tests of tools/grtrace with the sanitizers.
# Sanitizers make tests three times as long.
GRTRACE_TEST_SECONDS=3600 exec "$(dirname -- "$0")/../unit.t" check-asan
