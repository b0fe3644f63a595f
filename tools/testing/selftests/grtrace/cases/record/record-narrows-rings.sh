#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --ring and --engine keep exactly the events of these rings, with the module and with bpf
# kernels: 6.1
# requires: mock grtrace
# timeout: 120
cd "$CASE_TMP"

# events RING...: the events of a dump that are of these rings, without times
of_rings()
{
	awk -F, -v names=" $* " '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] ~ /^(SUBMIT|COMMIT|END|COMPLETE)$/ && index(names, " " $at["ring_name"] " ") {
			print $at["type"], $at["ring_name"], $at["ctx"] ":" $at["seqno"] }' | sort
}
# Without those that have a ring: what is left of other rings
others() { awk -F, -v names=" $* " 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["ring_name"] != "" && !index(names, " " $at["ring_name"] " ")'; }

# kept WHAT FILE RING...
kept()
{
	what="$source, $1" file=$2
	shift 2
	grtrace verify -s 1s "$file" >said || fail "$what: $(cat said)"
	grtrace dump --format csv all.grt | of_rings "$@" >want
	grtrace dump --format csv "$file" >events
	of_rings "$@" <events >got
	expect_same_jobs "$what" got want
	others "$@" <events >rest
	[ ! -s rest ] || fail "$what: of other rings: $(head -3 rest)"
	[ "$(($(told_lost FILTERED_RING <events) + $(told_lost FILTERED_ENGINE <events)))" -gt 0 ] ||
		fail "$what: nothing was refused, so this run proves nothing"
	# Of these rings all is there, so a report knows when they were busy.
	grtrace report --all --idle --format csv "$file" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["scope"] == "ring" { busy += $at["busy_ns"] } END { exit !busy }' ||
		fail "$what: the report knows of no ring when it was busy"
}

for source in module bpf; do
	rm -f ./*.grt
	grtrace record --source=bpf -q -o all.grt -- grtrace record --source="$source" -q -o f.grt --ring gfx -- \
		workload --scenario mixed --jobs 100 --processes 3 >out || fail "$source: $(cat out)"
	kept "--ring gfx" f.grt gfx
	rm -f ./*.grt
	grtrace record --source=bpf -q -o all.grt -- grtrace record --source="$source" -q -o f.grt --engine copy,compute -- \
		workload --scenario mixed --jobs 100 --processes 3 >out || fail "$source: $(cat out)"
	kept "--engine copy,compute" f.grt copy compute
done
expect_status 3 grtrace record --source=bpf --ring 1 -o x.grt
