# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# For cases about a virtio GPU: compares a recording of its commands with ftrace, for every source.
# CASE_TMP and the functions of lib.sh are there.

# record_virtio NAME SOURCE COMMAND: grtrace and ftrace record the same commands; the dump is in
# $CASE_TMP/NAME.csv, definitions are in NAME.defs, the trace of ftrace in NAME.trace, what COMMAND
# wrote in NAME.out.  The GPU is idle when the session begins and ends.
record_virtio()
{
	echo 0 >/sys/class/graphics/fbcon/cursor_blink 2>/dev/null || :
	sleep 1
	ftrace_begin 16384 virtio_gpu/virtio_gpu_cmd_queue virtio_gpu/virtio_gpu_cmd_response \
		dma_fence/dma_fence_emit dma_fence/dma_fence_signaled
	grtrace record --source="$2" -q -o "$CASE_TMP/$1.grt" -- sh -c "$3 && sleep 1" >"$CASE_TMP/$1.out" 2>&1 ||
		fail "record: $(cat "$CASE_TMP/$1.out")"
	ftrace_stop
	mv "$CASE_TMP/trace" "$CASE_TMP/$1.trace"
	grtrace verify "$CASE_TMP/$1.grt" || fail "verify"
	grtrace dump --format csv "$CASE_TMP/$1.grt" >"$CASE_TMP/$1.csv"
	grtrace dump --definitions "$CASE_TMP/$1.grt" >"$CASE_TMP/$1.defs"
}

# has_numbers: whether commands have numbers, from Linux 6.2 on
has_numbers() { grep -q 'seqno' "$TRACEFS/events/virtio_gpu/virtio_gpu_cmd_queue/format"; }

# What ftrace says, in our words.  A command is "n" and its number or that of its fence, or "c" and how
# many were without a number before it in its virtqueue.
virtio_expected()
{
	numbers=0
	! has_numbers || numbers=1
	awk -v numbers=$numbers -v fence_status="$2" '
		function value(name) { return match($0, " " name "=[^, ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
		function hex(text,    i, n) { sub(/^0x/, "", text); n = 0
			for (i = 1; i <= length(text); i++) n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
			return n }
		/^#/ { next }
		{ tid = $0; sub(/ *\[.*/, "", tid); sub(/.*-/, "", tid)
		  match($0, /\[[0-9]+\]/); cpu = substr($0, RSTART, RLENGTH); gsub(/: /, ":  ") }
		/: +dma_fence_emit: +driver=virtio_gpu / { emitted[cpu] = value("context") ":" value("seqno") }
		/: +virtio_gpu_cmd_(queue|response): / {
			ring = value("name"); type = hex(value("type")); is_fenced = hex(value("flags")) % 2
			is_queue = /cmd_queue/; inferred = is_fenced ? "" : " INFERRED"; guess = ""
			if (numbers) key = "n" value("seqno")
			else if (is_fenced) key = "n" value("fence_id")
			else if (is_queue) key = "c" ++queued[ring]
			else { if (answered[ring] == queued[ring]) next; key = "c" ++answered[ring]; guess = " INFERRED" }
			key = ring " " key
			if (is_queue) {
				if (is_fenced) command[emitted[cpu]] = key
				print "SUBMIT", key, tid, type, value("ctx_id")
				print "COMMIT", key
				next
			}
			status = type >= 4608 ? -5 : 0
			if (status) print "ERROR", key, "COMMAND", status, type guess
			print "END", key, status guess
			if (!is_fenced) print "COMPLETE", key, status inferred
		}
		/: +dma_fence_signaled: +driver=virtio_gpu / {
			key = value("context") ":" value("seqno")
			if (key in command) print "COMPLETE", command[key], fence_status }
	' "$CASE_TMP/$1.trace" | sort
}

# The same lines from a dump.  Commands whose END is inferred are counted; those of the cursor have none.
virtio_recorded()
{
	numbers=0
	! has_numbers || numbers=1
	awk -F, -v numbers=$numbers '
		NR == FNR && FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		NR == FNR { if (!numbers && ($at["type"] == "END" && $at["flags"] ~ /INFERRED/ || $at["ring_name"] == "cursor")) is_counted[$at["ctx"]] = 1; next }
		FNR == 1 { next }
		$at["type"] !~ /^(SUBMIT|COMMIT|ERROR|END|COMPLETE)$/ { next }
		{
			ring = $at["ring_name"]; guess = $at["flags"] ~ /INFERRED/ ? " INFERRED" : ""
			key = ring " " ($at["ctx"] in is_counted ? "c" : "n") $at["seqno"]
		}
		$at["type"] == "SUBMIT" { print "SUBMIT", key, $at["tid"], $at["command"] + 0, $at["client_id"] + 0 }
		$at["type"] == "COMMIT" { print "COMMIT", key }
		$at["type"] == "ERROR" { print "ERROR", key, $at["code"], $at["status"], $at["driver_code"] + 0 guess }
		$at["type"] ~ /^(END|COMPLETE)$/ { print $at["type"], key, $at["status"] guess }
	' "$CASE_TMP/$1.csv" "$CASE_TMP/$1.csv" | sort
}

# expect_virtio NAME LEAST [STATUS]: every event is as ftrace says, and there are at least LEAST.  STATUS
# is that of fences, which text does not tell.
expect_virtio()
{
	virtio_expected "$1" "${3-0}" >"$CASE_TMP/expected"
	virtio_recorded "$1" >"$CASE_TMP/recorded"
	echo "$1: $(wc -l <"$CASE_TMP/expected") events of ftrace, $(wc -l <"$CASE_TMP/recorded") of ours:" \
		"$(cut -d ' ' -f 1 "$CASE_TMP/recorded" | sort | uniq -c | awk '{ printf "%s%s %s", n++ ? ", " : "", $1, $2 }')"
	[ "$(wc -l <"$CASE_TMP/expected")" -ge "$2" ] || fail "$1: too few events to prove anything"
	diff "$CASE_TMP/expected" "$CASE_TMP/recorded" >"$CASE_TMP/diff" || fail "$1: $(grep "^[+-][A-Z]" "$CASE_TMP/diff" | sort -k 3,3 -s | head -n 20)"
	grep -q ' RING .*name="control" device="virtio[0-9]*" driver="virtio_gpu"' "$CASE_TMP/$1.defs" ||
		fail "$1: the ring has no device: $(grep ' RING ' "$CASE_TMP/$1.defs")"
}

# After expect_virtio of "virtio-commands 100", recorded as "commands": fences and errors are there.
virtio_commands_are_right()
{
	expect_eq "refused" "$(cat "$CASE_TMP/commands.out")" "10 commands refused"
	expect_eq "errors" "$(grep -c '^ERROR' "$CASE_TMP/recorded")" 10
	[ "$(grep -c '^COMPLETE.* 0$' "$CASE_TMP/recorded")" -ge 100 ] ||
		fail "no fences were used, so this run proves too little"
}
