#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the module records jobs and objects of radeon, by their fences and its tracepoint, as ftrace does
# requires: grtrace
# vm: own --gpu none --with radeon --mem 1500
# kernels: 6.1
trap 'umount /sys/kernel/btf 2>/dev/null || :; ftrace_undo' EXIT
need_module grtrace_radeon
modprobe radeon || fail "there is no radeon"
load_btf radeon
expect_eq "offset of radeon_fence.base" "$(offset radeon_fence base)" 0
size=$(($(offset radeon_bo tbo) + $(offset ttm_buffer_object base) + $(offset drm_gem_object size)))
offsets=$(offset radeon_fence rdev),$(offset radeon_device dev),$size
offsets=$offsets,$(($(offset radeon_bo tbo) + $(offset ttm_buffer_object resource))),$(offset radeon_bo rdev)
echo "offsets: $offsets"

# fire NAME: grtrace and ftrace record the same
fire()
{
	ftrace_begin 8192 dma_fence/dma_fence_init dma_fence/dma_fence_signaled radeon/radeon_bo_create
	grtrace record --source=module -q -o "$CASE_TMP/$1.grt" -- \
		modprobe grtrace_fire_radeon "offsets=$offsets" count=50 >"$CASE_TMP/words" 2>&1 ||
		fail "record: $(cat "$CASE_TMP/words")"
	ftrace_stop
	rmmod grtrace_fire_radeon
	grtrace verify "$CASE_TMP/$1.grt" || fail "verify"
	grtrace dump --format csv "$CASE_TMP/$1.grt" >"$CASE_TMP/$1.csv"
	grtrace dump --definitions "$CASE_TMP/$1.grt" | grep ' RING ' >"$CASE_TMP/$1.rings"
	awk '
		/^#/ { next }
		{ delete value
		  for (i = 1; i <= NF; i++) if (split($i, pair, "=") == 2) value[pair[1]] = pair[2] }
		/ dma_fence_init: .*driver=radeon / {
			ring = value["timeline"]; sub(/radeon\./, "", ring)
			print "SUBMIT", value["context"] ":" value["seqno"], ring
			print "COMMIT", value["context"] ":" value["seqno"], ring
		}
		/ dma_fence_signaled: .*driver=radeon / {
			ring = value["timeline"]; sub(/radeon\./, "", ring)
			print "COMPLETE", value["context"] ":" value["seqno"], ring
		}
		/ radeon_bo_create: / { print "MEMORY" }' "$CASE_TMP/trace" >"$CASE_TMP/theirs"
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "MEMORY" { print "MEMORY"; next }
		$at["type"] ~ /^(SUBMIT|COMMIT|START|END|COMPLETE)$/ {
			print $at["type"], $at["ctx"] ":" $at["seqno"], $at["ring_name"]
		}' "$CASE_TMP/$1.csv" >"$CASE_TMP/$1.ours"
	echo "$1: $(wc -l <"$CASE_TMP/$1.ours") events, ftrace saw $(wc -l <"$CASE_TMP/theirs")"
}

# Without type information: no device, no objects, and nothing is made up.
mount -t tmpfs none /sys/kernel/btf
fire blind
umount /sys/kernel/btf
grep -v MEMORY "$CASE_TMP/theirs" | diff - "$CASE_TMP/blind.ours" >"$CASE_TMP/diff" || fail "blind: $(head "$CASE_TMP/diff")"
expect_eq "rings without a device" "$(grep -c 'device="unknown"' "$CASE_TMP/blind.rings")" 2

fire full
expect_eq "events" "$(wc -l <"$CASE_TMP/theirs")" 350
diff "$CASE_TMP/theirs" "$CASE_TMP/full.ours" >"$CASE_TMP/diff" || fail "full: $(head "$CASE_TMP/diff")"
grep -q 'engine=GRAPHICS order=UNKNOWN .*name="gfx" device="grtrace_fire" driver="radeon"' "$CASE_TMP/full.rings" ||
	fail "rings: $(cat "$CASE_TMP/full.rings")"
grep -q 'engine=VIDEO_DECODE .*name="uvd"' "$CASE_TMP/full.rings" || fail "rings: $(cat "$CASE_TMP/full.rings")"
# Object N has N pages; each seventh job failed; the end may have been noticed late.
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "MEMORY" && ($at["op"] != "CREATE" || $at["bytes"] != ++objects * 4096 || !$at["object_id"]) { print; bad++ }
	$at["type"] == "COMPLETE" {
		if ($at["status"] != ($at["seqno"] % 7 ? 0 : -35) || $at["flags"] !~ /UPPER_BOUND/) { print; bad++ }
		jobs++
	}
	END { exit bad > 0 || objects != 50 || jobs != 100 }' "$CASE_TMP/full.csv" >"$CASE_TMP/wrong" ||
	fail "wrong: $(head -n 5 "$CASE_TMP/wrong")"
# No END: nobody knows how long a job ran.
grtrace report --jobs --format csv "$CASE_TMP/full.grt" | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["t_exec_ns"] != "" || $at["t_hw_ns"] != "" || $at["t_dep_ns"] != "" { bad++ }
	{ jobs++ }
	END { exit bad > 0 || jobs != 100 }' || fail "stages that are not known"
grtrace report "$CASE_TMP/full.grt"
rmmod radeon || fail "radeon is in use"
