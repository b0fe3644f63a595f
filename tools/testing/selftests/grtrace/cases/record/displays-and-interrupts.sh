#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: vertical blanks, page flips and interrupts of GPUs are recorded by each source as ftrace sees them, and of no other device
# requires: grtrace
# vm: own --gpu virtio
# kernels: 6.1 7.x
trap ftrace_undo EXIT
[ -e /dev/dri/card0 ] || fail "there is no GPU"
need_module grtrace_display
need_module grtrace_irq
# The serial line interrupts, too.
work="modprobe grtrace_fire_drm count=40 && page-flips 50 && echo displays-and-interrupts >/dev/ttyS0"

# see SOURCE: what ftrace has and what that source has, one line per event
see()
{
	ftrace_begin 8192 drm/drm_vblank_event drm/drm_vblank_event_queued drm/drm_vblank_event_delivered irq/irq_handler_entry
	grtrace record --source="$1" -q -o "$CASE_TMP/x.grt" -- sh -c "$work" >"$CASE_TMP/words" 2>&1 ||
		fail "record: $(cat "$CASE_TMP/words")"
	ftrace_stop
	rmmod grtrace_fire_drm
	grtrace verify "$CASE_TMP/x.grt" || fail "verify"
	grtrace dump --format csv "$CASE_TMP/x.grt" >"$CASE_TMP/x.csv"
	awk -v file="$CASE_TMP/others" '
		{
			delete value
			for (i = 1; i <= NF; i++) {
				if ($i ~ /^[0-9]+\.[0-9]+:$/) us = $i * 1000000
				gsub(/[,;]/, "", $i)
				if (split($i, pair, "=") == 2) value[pair[1]] = pair[2]
			}
		}
		/ drm_vblank_event: /		{ print us, "blank", value["crtc"], value["seq"], value["time"], value["high-prec"] }
		/ drm_vblank_event_queued: /	{ print us, "queued", value["crtc"], value["seq"] }
		/ drm_vblank_event_delivered: /	{ print us, "delivered", value["crtc"], value["seq"] }
		/ irq_handler_entry: / {
			if (value["name"] ~ /^virtio.*-(control|cursor)$/) print us, "irq", value["irq"]
			else others++
		}
		END { print others + 0 >file }' "$CASE_TMP/trace" >"$CASE_TMP/theirs"
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ flags = $at["flags"]; us = $at["ts"] / 1000 }
		$at["type"] == "VBLANK" && flags ~ /QUEUED/	{ print us, "queued", $at["crtc"], $at["frame"]; next }
		$at["type"] == "VBLANK" && flags ~ /DELIVERED/	{ print us, "delivered", $at["crtc"], $at["frame"]; next }
		$at["type"] == "VBLANK" {
			print us, "blank", $at["crtc"], $at["frame"], $at["vblank_ns"], flags ~ /HIGH_PRECISION/ ? "true" : "false"
		}
		$at["type"] == "IRQ" && flags ~ /HANDLER/	{ print us, "irq", $at["irq"] }' "$CASE_TMP/x.csv" >"$CASE_TMP/ours"
}

# expect_same SOURCE KIND LEAST: theirs has all of ours, and ours all of theirs between our first one and our last one
expect_same()
{
	awk -v what="$1, $2" -v kind="$2" -v least="$3" '
		$2 != kind { next }
		{ us = $1; $1 = "" }
		NR == FNR { ours[$0]++; n++; if (n == 1) from = us; to = us; next }
		{ theirs[$0]++; all++ }
		# Their stamps are up to 20 us off.
		us > from + 20 && us < to - 20 { inside[$0]++ }
		END {
			for (event in ours) if (ours[event] > theirs[event] + 0) { print "not in ftrace:" event; bad++ }
			for (event in inside) if (inside[event] > ours[event] + 0) { print "missing:" event; bad++ }
			print what ": " n + 0 " of " all + 0
			exit bad > 0 || n < least
		}' "$CASE_TMP/ours" "$CASE_TMP/theirs" >"$CASE_TMP/same" || fail "$(head "$CASE_TMP/same")"
	cat "$CASE_TMP/same"
}

for source in module bpf tracefs; do
	see $source
	for kind in blank queued delivered; do
		expect_same $source $kind 38
	done
	[ $source != module ] || expect_same module irq 10
	# Each question and each answer is in the report, once.
	grtrace report --displays -f csv "$CASE_TMP/x.grt" >"$CASE_TMP/displays.csv" || fail "$source: report --displays"
	for kind in blank queued delivered; do
		case $kind in blank) column=seen ;; queued) column=asked ;; *) column=told ;; esac
		sum=$(awk -F, -v name="$column" '
			NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
			{ sum += $at }
			END { print sum + 0 }' "$CASE_TMP/displays.csv")
		expect_eq "$source: $column" "$sum" "$(grep -c " $kind " "$CASE_TMP/ours")"
	done
	expect_eq "$source: blanks that were fired" "$(grep -c ' blank [01] 10000000[0-9][0-9] ' "$CASE_TMP/ours")" 38
	echo "interrupts of others: $(cat "$CASE_TMP/others")"
	[ "$(cat "$CASE_TMP/others")" -ge 1 ] || fail "no interrupts of others: this run proves nothing"
	[ $source != tracefs ] || continue
	# A client is a number, the same one each time, and no address.
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "VBLANK" && $at["flags"] ~ /QUEUED/ && $at["frame"] >= 1000000000 {
			if ($at["client_id"] <= 0 || $at["client_id"] >= 4503599627370496) bad++
			client[$at["crtc"] " " $at["client_id"]] = 1
		}
		END { for (c in client) n++; exit bad || n != 2 }' "$CASE_TMP/x.csv" || fail "$source: clients"
done
