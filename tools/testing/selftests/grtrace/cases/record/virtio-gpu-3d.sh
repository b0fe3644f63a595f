#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: all sources record the commands of a program that draws in 3D, each as ftrace sees it, and its frames
# arm64: no, the disk for 3D has programs for x86 machines
# requires: grtrace
# vm: own --gpu virgl --mem 2048
# kernels: 6.1
# shellcheck source=/dev/null # it is beside lib.sh
. "$0/virtio_gpu.sh"
trap ftrace_undo EXIT
[ -e /dev/dri/card0 ] || fail "there is no GPU"
need_module grtrace_virtio_gpu
frames=60

# kmscube ends when its input can be read, or is at its end.
mkfifo "$CASE_TMP/input"
exec 3<>"$CASE_TMP/input"
cube="chroot /3d env XDG_RUNTIME_DIR=/tmp kmscube -c"
# The first run reads the program and the driver from the disk.
$cube 3 <&3 >"$CASE_TMP/out" 2>&1 || fail "kmscube: $(cat "$CASE_TMP/out")"

for source in module bpf tracefs; do
	record_virtio "$source" "$source" "$cube $frames <&3"
	expect_virtio "$source" 500
	# What the program drew first is not in its own count.
	grep -q "^Rendered $((frames - 1)) frames" "$CASE_TMP/$source.out" || fail "kmscube: $(cat "$CASE_TMP/$source.out")"
	drawn=$(awk '$1 == "SUBMIT" && $5 == 519' "$CASE_TMP/recorded" | wc -l)	# 0x207: SUBMIT_3D
	[ "$drawn" -ge "$frames" ] || fail "$source: $drawn commands SUBMIT_3D for $frames frames"
	awk '$1 == "SUBMIT" && $5 == 519 && $6 == 0 { exit 1 }' "$CASE_TMP/recorded" || fail "$source: SUBMIT_3D without a client"
	grtrace report --frames "$CASE_TMP/$source.grt" >"$CASE_TMP/frames"
	shown=$(awk '/^[0-9]+ frames/ { n += $1 } /^[0-9]+ more not judged/ { n += $1 } END { print n }' "$CASE_TMP/frames")
	# Between vertical blanks, what comes before the first frame may be several; each has a SUBMIT.
	most=$((frames + 10))
	! grep -q 'from vertical blanks' "$CASE_TMP/frames" || most=$(grep -c '^SUBMIT' "$CASE_TMP/recorded")
	if [ "${shown:-0}" -lt "$frames" ] || [ "$shown" -gt "$most" ]; then
		fail "$source: '$shown' frames of $frames, $most at most: $(cat "$CASE_TMP/frames")"
	fi
	echo "$source: $drawn commands SUBMIT_3D, $shown frames"
done
cat "$CASE_TMP/frames"
