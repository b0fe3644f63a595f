#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: BPF programs record the commands of a virtio GPU, each as ftrace sees it, without the DRM scheduler
# requires: grtrace
# vm: own --gpu virtio
# kernels: 6.1 7.x
trap ftrace_undo EXIT
[ -e /dev/dri/card0 ] || fail "there is no GPU"
ftrace_begin 4096 virtio_gpu/virtio_gpu_cmd_queue virtio_gpu/virtio_gpu_cmd_response
grtrace record --source=bpf -q -o "$CASE_TMP/x.grt" -- page-flips 100 >"$CASE_TMP/flips" 2>"$CASE_TMP/words" ||
	fail "record: $(cat "$CASE_TMP/words")"
ftrace_stop
grtrace verify "$CASE_TMP/x.grt" || fail "verify"
grtrace dump --format csv "$CASE_TMP/x.grt" >"$CASE_TMP/x.csv"
grtrace report "$CASE_TMP/x.grt" >"$CASE_TMP/screen"
cat "$CASE_TMP/screen"

# Lines "event number".  Commands have numbers from 6.2 on; before that, those with a fence have its
# number, and a display without 3D uses none.
awk 'match($0, /virtio_gpu_cmd_(queue|response): /) {
		for (i = 1; i <= NF; i++)
			if (split($i, pair, "=") == 2) value[pair[1]] = pair[2]
		print ($0 ~ /cmd_queue/ ? "queue" : "response"), "seqno" in value ? value["seqno"] : value["fence_id"]
	}' "$CASE_TMP/trace" >"$CASE_TMP/theirs"
if ! grep -q 'seqno=' "$CASE_TMP/trace"; then
	grep -q ' [1-9]' "$CASE_TMP/theirs" && fail "fences are used: compare them"
	unjoined=$(grtrace dump --definitions "$CASE_TMP/x.grt" | sed -n 's/.*\\nunjoined=\([0-9]*\).*/\1/p')
	[ "$unjoined" -ge 100 ] || fail "STATS tells of '$unjoined' commands without a number"
	[ "$unjoined" -le "$(grep -c queue "$CASE_TMP/theirs")" ] || fail "$unjoined commands, more than ftrace saw"
	exit 0
fi

# ftrace begins earlier and ends later: what counts is between our first number and our last one.
awk -F, -v file="$CASE_TMP/theirs" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ event = "" }
	$at["type"] ~ /^(SUBMIT|COMMIT)$/ { event = "queue" }
	$at["type"] ~ /^(END|COMPLETE)$/ { event = "response" }
	event == "" { next }
	$at["ring_name"] != "control" { print "ring " $at["ring_name"]; bad++ }
	$at["status"] + 0 { print "status " $at["status"]; bad++ }
	{
		type = $at["type"]
		n = $at["seqno"] + 0
		if (ours[type, n]++) { print "twice: " type " " n; bad++ }
		if (!(type in least) || n < least[type]) least[type] = n
		if (n > most[type]) most[type] = n
		event_of[type] = event
	}
	END {
		while ((getline line <file) > 0) {
			split(line, word, " ")
			theirs[word[1], word[2]] = 1
			for (type in event_of)
				if (event_of[type] == word[1] && word[2] + 0 >= least[type] && word[2] + 0 <= most[type]) {
					compared++
					if (!ours[type, word[2]]) { print "missing: " type " " word[2]; bad++ }
				}
		}
		for (key in ours) {
			split(key, part, SUBSEP)
			if (!((event_of[part[1]], part[2]) in theirs)) { print "not in ftrace: " part[1] " " part[2]; bad++ }
		}
		print compared + 0 " events are the same"
		exit bad > 0 || compared < 800
	}' "$CASE_TMP/x.csv" >"$CASE_TMP/compared" || fail "$(tail -n 20 "$CASE_TMP/compared")"
cat "$CASE_TMP/compared"
# What a command waited for is not known.
grtrace report --jobs --format csv "$CASE_TMP/x.grt" | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["t_dep_ns"] != "" { known++ }
	{ jobs++ }
	END { print jobs " jobs, of " known + 0 " it is known what they waited for"; exit known > 0 || !jobs }' || fail "t_dep"
grtrace dump --definitions "$CASE_TMP/x.grt" | grep -q 'device="virtio0" driver="virtio_gpu"' ||
	fail "the ring has no device: $(grtrace dump --definitions "$CASE_TMP/x.grt" | grep RING)"
