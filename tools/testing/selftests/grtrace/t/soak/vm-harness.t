#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The harness with all that can go wrong in a guest.
exec "$(dirname -- "$0")/../vm-harness.t" all
