#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: monitor vblank, from each source, shows the blanks, questions and answers that ftrace saw; blanks that were left out are missing, and two clients are two
# requires: grtrace
# vm: own --gpu virtio
# kernels: 6.1
trap ftrace_undo EXIT
[ -e /dev/dri/card0 ] || fail "there is no GPU"
need_module grtrace_display
cd "$CASE_TMP" || exit

# The frames of the module that fires blanks: no real display has counted so far.
ftrace_rows()
{
	awk '
		{
			delete value
			for (i = 1; i <= NF; i++) {
				gsub(/[,;]/, "", $i)
				if (split($i, pair, "=") == 2) value[pair[1]] = pair[2]
			}
		}
		value["seq"] < 1000000000 { next }
		/ drm_vblank_event: /		{ print "VBLANK", value["crtc"], value["seq"] }
		/ drm_vblank_event_queued: /	{ print "QUEUED", value["crtc"], value["seq"] }
		/ drm_vblank_event_delivered: /	{ print "DELIVERED", value["crtc"], value["seq"] }' trace
}

our_rows()
{
	sed -n 's/.*"event":"\([A-Z]*\)",.*"crtc":\([0-9]*\),.*"frame":\(1[0-9]\{9\}\).*/\1 \2 \3/p' rows.json
}

# sum NAME: of the statistics
sum()
{
	tail -n 1 rows.json | grep -o "\"$1\":[0-9]*" | awk -F: '{ sum += $2 } END { print sum + 0 }'
}

for source in module bpf tracefs; do
	rm -f rows.json
	ftrace_begin 8192 drm/drm_vblank_event drm/drm_vblank_event_queued drm/drm_vblank_event_delivered
	grtrace monitor --source=$source --json --interval 300ms vblank >rows.json 2>words &
	monitor=$!
	wait_for 20 test -s rows.json
	modprobe grtrace_fire_drm count=40 || fail "modprobe"
	sleep 1
	kill -INT $monitor
	wait $monitor || fail "$source: monitor: $(cat words)"
	ftrace_stop
	rmmod grtrace_fire_drm
	ftrace_undo
	ftrace_rows | sort >theirs
	our_rows | sort >ours
	diff theirs ours >differences || fail "$source: ftrace (<) and monitor (>) differ: $(head differences)"
	[ "$(grep -c VBLANK ours)" -eq 38 ] || fail "$source: $(grep -c VBLANK ours) blanks were fired, not 38"
	[ "$(sum missing)" -ge 2 ] || fail "$source: the fourth blank of each display is not missing: $(tail -n 1 rows.json)"
	[ "$(sum asked)" -ge 38 ] || fail "$source: asked $(sum asked)"
	[ "$(sum told)" -ge 38 ] || fail "$source: told $(sum told)"
	[ $source != tracefs ] || continue
	[ "$(sum in_time)" -ge 38 ] || fail "$source: in time $(sum in_time)"
	sed -n 's/.*"event":"DELIVERED".*"frame":1[0-9]\{9\},"client_id":\([0-9]*\),.*/\1/p' rows.json | sort -u >clients
	expect_eq "$source: clients" "$(wc -l <clients)" 2
done
