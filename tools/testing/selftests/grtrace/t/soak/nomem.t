#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Commands without memory: each request is refused once, instead of a sample of them.
tools=$(cd -- "$(dirname -- "$0")/../../../../../grtrace" && pwd)
make -s -C "$tools" build/nomem/grtrace build/test/make/gen >&2 &&
	GRTRACE_NOMEM_POINTS=0 "$tools/test/cli/t-nomem.sh"
