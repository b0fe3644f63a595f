#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tests of commands with the sanitizers, too.
exec "$(dirname -- "$0")/../unit.t" all
