#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tests of tools/grtrace with the sanitizers.
exec "$(dirname -- "$0")/../unit.t" check-asan
