#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: BPF programs record jobs, memory and interrupts of amdgpu as ftrace does
# requires: grtrace
# vm: own --gpu none --with amdgpu --mem 2000
# kernels: 6.1
# shellcheck source=SCRIPTDIR/../fire_amdgpu.sh
. "$0/fire_amdgpu.sh"
trap ftrace_undo EXIT
modprobe amdgpu || fail "there is no amdgpu"
load_btf amdgpu
offsets=$(amdgpu_offsets)
echo "offsets: $offsets"
record_amdgpu full bpf
amdgpu_as_ftrace full bridge full
amdgpu_is_right full
grtrace report "$CASE_TMP/full.grt"
