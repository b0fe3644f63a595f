#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the source tracefs records jobs, memory and interrupts of amdgpu, as ftrace itself has them
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
record_amdgpu full tracefs
amdgpu_as_ftrace full bridge full
grtrace report "$CASE_TMP/full.grt"
