# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# For cases about amdgpu: records what grtrace_fire_amdgpu does, and compares it with ftrace, for every
# source. CASE_TMP and the functions of lib.sh are there.

# amdgpu_offsets: what grtrace_fire_amdgpu wants, after load_btf amdgpu
amdgpu_offsets()
{
	tbo=$(offset amdgpu_bo tbo)
	printf '%s,' "$(offset amdgpu_ring sched)" "$(offset amdgpu_ring name)" "$(offset amdgpu_ring funcs)" \
		"$(offset amdgpu_job vmid)" "$(offset amdgpu_job num_ibs)" \
		"$(offset amdgpu_bo preferred_domains)" "$(offset amdgpu_bo allowed_domains)" \
		"$(offset amdgpu_bo flags)" $((tbo + $(offset ttm_buffer_object base))) \
		$((tbo + $(offset ttm_buffer_object resource)))
	for member in num_pages size; do
		grt_offset=$(offset ttm_resource $member)
		printf '%s,' "${grt_offset:--1}"
	done
	offset ttm_resource mem_type
}

# fire_amdgpu: ftrace records it; those who record with grtrace call this in between
fire_amdgpu()
{
	# shellcheck disable=SC2154	# of the case
	modprobe grtrace_fire_amdgpu "offsets=$offsets" count=100
	rmmod grtrace_fire_amdgpu
}

# watch_amdgpu: ftrace begins
watch_amdgpu()
{
	ftrace_begin 8192 amdgpu/amdgpu_cs_ioctl amdgpu/amdgpu_sched_run_job amdgpu/amdgpu_vm_grab_id \
		amdgpu/amdgpu_iv amdgpu/amdgpu_bo_create amdgpu/amdgpu_bo_move dma_fence/dma_fence_signaled
}

# record_amdgpu NAME SOURCE: the dump is in $CASE_TMP/NAME.csv, and definitions are in NAME.defs
record_amdgpu()
{
	watch_amdgpu
	grtrace record --source="$2" -q -o "$CASE_TMP/$1.grt" -- \
		modprobe grtrace_fire_amdgpu "offsets=$offsets" count=100 >"$CASE_TMP/words" 2>&1 ||
		fail "record: $(cat "$CASE_TMP/words")"
	ftrace_stop
	rmmod grtrace_fire_amdgpu
	grtrace verify "$CASE_TMP/$1.grt" || fail "verify"
	grtrace dump --format csv "$CASE_TMP/$1.grt" >"$CASE_TMP/$1.csv"
	grtrace dump --definitions "$CASE_TMP/$1.grt" >"$CASE_TMP/$1.defs"
}

# What ftrace says, in our words, sorted.  $1 = bridge: the scheduler's events are recorded, too, so the
# kernel's jobs have a SUBMIT.  $2 = blind: as it looks without offsets.
amdgpu_expected()
{
	awk -v bridge="$([ "$1" != bridge ] || echo 1)" -v blind="$([ "$2" != blind ] || echo 1)" '
		function value(name) { return match($0, "[ ,]" name "[=:] *[^, ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) + 0 : "" }
		function text(name) { return match($0, "[ ,]" name "=[^, ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
		function key(    part) { if (match($0, "fence=[0-9]*:[0-9]*")) {
				split(substr($0, RSTART + 6, RLENGTH - 6), part, ":"); ctx = part[1]; seqno = part[2] }
			else { ctx = value("context"); seqno = value("seqno") }
			return ctx " " seqno }
		/^#/ { next }
		{ tid = $0; sub(/ *\[.*/, "", tid); sub(/.*-/, "", tid) }
		/: amdgpu_cs_ioctl: / { k = key(); is_job[ctx] = 1; is_sent[k] = 1; sender = tid
			print "SUBMIT", k, text("timeline"), tid, blind ? 0 : value("num_ibs") }
		/: amdgpu_vm_grab_id: / { vmid[text("ring")] = value("id") }
		/: amdgpu_sched_run_job: / { k = key(); is_job[ctx] = 1; ring = text("timeline")
			if (k in has_run) next
			has_run[k] = 1
			print "COMMIT", k, ring
			print "END", k, ring
			if (bridge && !(k in is_sent)) print "SUBMIT", k, ring, sender, 0
			if (last[ring] != ctx) print "CTX_SWITCH", k, ring, last[ring] + 0, blind ? 0 : vmid[ring]
			last[ring] = ctx }
		/: dma_fence_signaled: driver=drm_sched / { k = key(); if (is_job[ctx]) print "COMPLETE", k, text("timeline") }
		/: amdgpu_iv: / { words = $0; sub(/.*src_data: /, "", words)
			print "IRQ", value("ih"), value("client_id"), value("src_id"), value("ring"), value("vmid"), value("timestamp"), value("pasid"), words }
		/: amdgpu_bo_create: / { flags = value("visible")
			print "MEMORY CREATE", blind ? 0 : value("pages") * 4096, 0, 0,
				blind ? "0 0" : value("preferred") + value("prefered") " " value("allowed"), !blind && flags % 2 }
		/: amdgpu_bo_move: / { to = value("to"); size = blind ? 0 : value("size")
			print "MEMORY", to < 0 ? "DESTROY" : "MOVE", size, value("from"), to < 0 ? 0 : to, "0 0 0" }
	' "$CASE_TMP/trace" | sed 's/ *$//' | LC_ALL=C sort
}

# The same lines from a dump.
amdgpu_recorded()
{
	awk -F, '
		function hex(number,    text, i) { text = ""
			for (i = 0; i < 8; i++) { text = substr("0123456789abcdef", number % 16 + 1, 1) text; number = int(number / 16) }
			return text }
		function get(name) { return $at[name] + 0 }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ job = $at["ctx"] " " $at["seqno"] " " $at["ring_name"] }
		$at["type"] == "SUBMIT" { print "SUBMIT", job, $at["tid"], get("num_ibs") }
		$at["type"] ~ /^(COMMIT|END|COMPLETE)$/ { print $at["type"], job }
		$at["type"] == "CTX_SWITCH" { print "CTX_SWITCH", job, get("from_ctx"), get("vmid") }
		$at["type"] == "IRQ" { print "IRQ", get("ih"), get("irq_client"), get("irq_source"), get("irq_ring"), get("vmid"),
			$at["gpu_stamp"], get("pasid"), hex($at["data0"]), hex($at["data1"]), hex($at["data2"]), hex($at["data3"]) }
		$at["type"] == "MEMORY" { print "MEMORY", $at["op"], get("bytes"), get("from_domain"), get("to_domain"),
			get("preferred_domains"), get("allowed_domains"), ($at["flags"] ~ /VISIBLE/) }
	' "$1" | LC_ALL=C sort
}

# amdgpu_as_ftrace NAME bridge|driver blind|full
amdgpu_as_ftrace()
{
	amdgpu_expected "$2" "$3" >"$CASE_TMP/expected"
	amdgpu_recorded "$CASE_TMP/$1.csv" >"$CASE_TMP/recorded"
	echo "$1: $(wc -l <"$CASE_TMP/expected") events of ftrace, $(wc -l <"$CASE_TMP/recorded") of ours"
	# Each of 80 jobs of user space and 20 of the kernel; 3 more are killed; 100 interrupts, 225 of memory.
	[ "$(wc -l <"$CASE_TMP/expected")" -ge 750 ] || fail "that is too few to prove anything"
	diff "$CASE_TMP/expected" "$CASE_TMP/recorded" >"$CASE_TMP/diff" ||
		fail "$1: ftrace (<) and we (>) differ: $(head -n 20 "$CASE_TMP/diff")"
	# A move to nowhere is the end of an object.
	expect_rows amdgpu "$CASE_TMP/$1.grt" "amdgpu_bo_create BO_CREATE" "amdgpu_iv INTERRUPT" \
		"amdgpu_bo_move BO_(MOVE|DESTROY)"
}

# amdgpu_is_right NAME: what ftrace does not tell
amdgpu_is_right()
{
	for ring in 'engine=GRAPHICS order=FIFO .*name="gfx_0.0.0"' 'engine=COPY order=FIFO .*name="sdma0"'; do
		grep ' RING ' "$CASE_TMP/$1.defs" | grep -q "$ring device=\"grtrace_fire\" driver=\"amdgpu\"" ||
			fail "no ring is $ring: $(grep ' RING ' "$CASE_TMP/$1.defs")"
	done
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ job = $at["ctx"] ":" $at["seqno"] }
		$at["type"] == "COMMIT" { commit[job] = $at["ts"] }
		$at["type"] == "END" { ends++; failed += $at["status"] == -5
			if ($at["hw_done_ns"] < commit[job] || $at["hw_done_ns"] > $at["ts"]) { print "done at another time:", $0; bad++ } }
		$at["type"] == "COMPLETE" { killed += $at["status"] == -3 }
		END { print ends, "jobs,", failed, "failed,", killed, "killed"
			exit bad > 0 || ends != 100 || failed != 14 || killed != 3 }' "$CASE_TMP/$1.csv" >"$CASE_TMP/wrong" ||
		fail "wrong: $(tail -n 5 "$CASE_TMP/wrong")"
}
