#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the module records the commands of a virtio GPU, each as ftrace sees it: with and without fences, also refused ones
# requires: grtrace
# vm: own --gpu virtio
# kernels: 6.1 7.x
# shellcheck source=/dev/null # it is beside lib.sh
. "$0/virtio_gpu.sh"
trap ftrace_undo EXIT
[ -e /dev/dri/card0 ] || fail "there is no GPU"
need_module grtrace_virtio_gpu

record_virtio flips module "page-flips 100"
expect_virtio flips 800
record_virtio commands module "virtio-commands 100"
expect_virtio commands 1500
virtio_commands_are_right

# Before Linux 6.2 no event tells that a command of the cursor is done, so such commands must not take rows of jobs.
config track_jobs=1
record_virtio cursor module "page-flips 10 /dev/dri/card0 60"
expect_virtio cursor 300
moves=$(grep -c '^COMMIT cursor ' "$CASE_TMP/recorded") || :
[ "$moves" -ge 60 ] || fail "the cursor had $moves commands, so this run proves nothing"
expect_stat jobs_overflow 0
expect_stat jobs_in_flight 0
config track_jobs=0

numbers=fences
! has_numbers || numbers=commands
grep -q "virtio_gpu.numbers=$numbers" "$CASE_TMP/commands.defs" || fail "metadata does not say numbers=$numbers"
grtrace report "$CASE_TMP/commands.grt"
