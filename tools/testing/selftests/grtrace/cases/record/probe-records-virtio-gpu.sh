#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a probe of a function of virtio_gpu records each call with arguments by name, as a probe of ftrace with registers does
# requires: grtrace
# vm: own --gpu virtio
# kernels: 6.1
# shellcheck disable=SC2094	# grtrace does not write what it reads
# arm64: no, the probe that is written by hand names registers of x86
cd "$CASE_TMP" || exit
trap 'ftrace_undo; echo "-:grt/by_hand" >>"$TRACEFS/dynamic_events"' EXIT
[ -e /dev/dri/card0 ] || fail "there is no GPU"
grtrace probe vars virtio_gpu:virtio_gpu_cmd_resource_flush >vars || fail "vars"
grep -q '^unsigned int width$\|^uint32_t width$' vars || fail "the variables: $(cat vars)"
echo 'p:grt/by_hand virtio_gpu:virtio_gpu_cmd_resource_flush id=%si:u32 w=%r8:u32 h=%r9:u32' >>"$TRACEFS/dynamic_events"
ftrace_begin 4096 grt/by_hand
grtrace record -q -o flush.grt --probe 'virtio_gpu:virtio_gpu_cmd_resource_flush id=resource_id w=width h=height' -- \
	page-flips 50 >flips || fail "$(cat flips)"
ftrace_stop
grtrace dump --type TRACE_EVENT flush.grt | sed -n 's/.*:virtio_gpu_cmd_resource_flush \(id=[0-9]* w=[0-9]* h=[0-9]*\).*/\1/p' >recorded
sed -n 's/.* by_hand: .* \(id=[0-9]* w=[0-9]* h=[0-9]*\).*/\1/p' trace >by_hand
[ "$(wc -l <recorded)" -ge 50 ] || fail "only $(wc -l <recorded) calls: $(cat flips)"
# ftrace began before, and ended later: what was recorded is one part of what it saw.
awk 'NR == FNR { part = part "\n" $0; next } { all = all "\n" $0 } END { exit !index(all "\n", part "\n") }' recorded by_hand ||
	fail "$(wc -l <recorded) calls are not a part of the $(wc -l <by_hand) that ftrace saw: $(diff recorded by_hand | head -n 5)"
