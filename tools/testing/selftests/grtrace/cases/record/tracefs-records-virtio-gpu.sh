#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the events of tracefs give the commands of a virtio GPU, each as ftrace sees it: with and without fences, also refused ones
# requires: grtrace
# vm: own --gpu virtio
# kernels: 6.1 7.x
# shellcheck source=/dev/null # it is beside lib.sh
. "$0/virtio_gpu.sh"
trap ftrace_undo EXIT
[ -e /dev/dri/card0 ] || fail "there is no GPU"

record_virtio flips tracefs "page-flips 100"
expect_virtio flips 800
record_virtio commands tracefs "virtio-commands 100"
expect_virtio commands 1500
virtio_commands_are_right

# An import of what ftrace saw makes the same of it.
grtrace import -o "$CASE_TMP/import.grt" "$CASE_TMP/commands.trace" >"$CASE_TMP/words" 2>&1 ||
	fail "import: $(cat "$CASE_TMP/words")"
grtrace dump --format csv "$CASE_TMP/import.grt" >"$CASE_TMP/commands.csv"
expect_virtio commands 1500 ""
