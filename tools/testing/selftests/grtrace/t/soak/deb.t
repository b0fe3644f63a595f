#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The Debian packages with two kernels, and built twice.
exec "$(dirname -- "$0")/../deb.t" all
