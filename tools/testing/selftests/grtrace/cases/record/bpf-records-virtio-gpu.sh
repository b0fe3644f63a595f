#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: BPF programs record the commands of a virtio GPU, each as ftrace sees it: with and without fences, also refused ones
# requires: grtrace
# vm: own --gpu virtio
# kernels: 6.1 7.x
# shellcheck source=/dev/null # it is beside lib.sh
. "$0/virtio_gpu.sh"
trap ftrace_undo EXIT
[ -e /dev/dri/card0 ] || fail "there is no GPU"

record_virtio flips bpf "page-flips 100"
expect_virtio flips 800
# What a command waited for is not known.
grtrace report --jobs --format csv "$CASE_TMP/flips.grt" | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["t_dep_ns"] != "" { known++ }
	{ jobs++ }
	END { print jobs " jobs, of " known + 0 " it is known what they waited for"; exit known > 0 || !jobs }' || fail "t_dep"

record_virtio commands bpf "virtio-commands 100"
expect_virtio commands 1500
virtio_commands_are_right
