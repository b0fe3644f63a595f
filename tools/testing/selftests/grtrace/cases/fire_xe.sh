# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# For cases about xe: records what grtrace_fire_xe does, and compares it with ftrace, for every source.
# CASE_TMP and the functions of lib.sh are there.

# Members of structs of xe, and of others that it uses, which have their own place in its BTF.  The offsets
# that grtrace_fire_xe wants are those from xe_sched_job.q on.
xe_members="xe_sched_job.drm xe_bo.ttm ttm_buffer_object.base xe_vma.gpuva xe_vm.gpuvm xe_gpu_scheduler.base
	xe_sched_job.q xe_sched_job.fence xe_exec_queue.gt xe_exec_queue.guc xe_guc_exec_queue.sched
	xe_guc_exec_queue.entity xe_guc_exec_queue.id xe_gt.tile xe_tile.xe xe_device.drm xe_device.ttm
	ttm_buffer_object.bdev xe_bo.size drm_gpuva.vm drm_gpuva.va drm_gpuva.gem xe_vm.xe drm_gpuvm.drm"

# xe_offset STRUCT.MEMBER: in bytes; nothing if there is no such member
xe_offset() { sed -n "s/^$1 //p" "$CASE_TMP/offsets"; }

# The offsets of $xe_members, in one look at all types.  xe_exec_queue.guc is in a union without a name.
find_xe_offsets()
{
	bpftool -B /sys/kernel/btf/vmlinux btf dump file /sys/kernel/btf/xe format raw >"$CASE_TMP/btf" || fail "bpftool"
	awk -v members="$xe_members" '
		BEGIN { n = split(members, word, /[ \t\n]+/); for (i = 1; i <= n; i++) { wanted[word[i]] = 1; sub(/\..*/, "", word[i]); of[word[i]] = 1 } }
		/^\[/ { id = $1; gsub(/[][]/, "", id); type = $3; gsub(/\047/, "", type); kind = $2; next }
		kind == "UNION" && $1 == "\047guc\047" { has_guc[id] = 1 }
		kind != "STRUCT" || !(type in of) || !match($0, /bits_offset=[0-9]*/) { next }
		{ at = substr($0, RSTART + 12, RLENGTH - 12) / 8; name = $1; gsub(/\047/, "", name); member = type "." name }
		(member in wanted) && !seen[member]++ { print member, at }
		type == "xe_exec_queue" && name == "(anon)" && match($0, /type_id=[0-9]*/) { union_at[substr($0, RSTART + 8, RLENGTH - 8)] = at }
		END { for (id in union_at) if (id in has_guc) print "xe_exec_queue.guc", union_at[id] }
	' "$CASE_TMP/btf" >"$CASE_TMP/offsets"
}

# load_xe: what grtrace_fire_xe wants is in $offsets
load_xe()
{
	modprobe xe || fail "there is no xe"
	find_xe_offsets
	offsets=""
	for member in $xe_members; do
		at=$(xe_offset "$member")
		case $member in
		*.drm | *.ttm | *.base | *.gpuva | *.gpuvm)
			[ -n "$offsets" ] || { expect_eq "offset of $member" "$at" 0; continue; } ;;
		esac
		offsets="$offsets${offsets:+,}${at:--1}"
	done
	echo "offsets: $offsets"
}

# fire_xe: GuC's number, and the context, of each queue are in $CASE_TMP/queues
fire_xe()
{
	dmesg -c >/dev/null
	modprobe grtrace_fire_xe "offsets=$offsets" count=100 hung=5 && rmmod grtrace_fire_xe || return
	dmesg | sed -n 's/.*grtrace_fire_xe: queue //p' >"$CASE_TMP/queues"
}

# record_xe NAME SOURCE: grtrace and ftrace record the same; the dump is in $CASE_TMP/NAME.csv, and
# definitions are in NAME.defs
record_xe()
{
	dmesg -c >/dev/null
	ftrace_begin 8192 xe/xe_sched_job_timedout xe/xe_sched_job_ban xe/xe_exec_queue_scheduling_enable \
		xe/xe_exec_queue_scheduling_disable xe/xe_exec_queue_reset xe/xe_exec_queue_memory_cat_error \
		xe/xe_bo_move xe/xe_bo_cpu_fault xe/xe_vma_bind xe/xe_vma_unbind
	! has_create || echo 1 >"$TRACEFS/events/xe/xe_bo_create/enable"
	grtrace record --source="$2" -q -o "$CASE_TMP/$1.grt" -- \
		modprobe grtrace_fire_xe "offsets=$offsets" count=100 hung=5 >"$CASE_TMP/words" 2>&1 ||
		fail "record: $(cat "$CASE_TMP/words")"
	ftrace_stop
	rmmod grtrace_fire_xe
	dmesg | sed -n 's/.*grtrace_fire_xe: queue //p' >"$CASE_TMP/queues"
	expect_eq "queues" "$(wc -l <"$CASE_TMP/queues")" 3
	grtrace verify "$CASE_TMP/$1.grt" || fail "verify"
	grtrace dump --format csv "$CASE_TMP/$1.grt" >"$CASE_TMP/$1.csv"
	grtrace dump --definitions "$CASE_TMP/$1.grt" >"$CASE_TMP/$1.defs"
}

# has_create: whether this xe has the event; 6.12 has not
has_create() { [ -d "$TRACEFS/events/xe/xe_bo_create" ]; }

# What ftrace says, in our words, sorted.  Its events of objects name none, so their sizes tell which they
# are.  -v blind=1: as it looks without offsets.  -v bridge=1: somebody sees that a timeout was handled.
xe_expected()
{
	awk -v blind="$([ "$1" != blind ] || echo 1)" -v bridge="$([ "$2" != bridge ] || echo 1)" '
		function value(name) { return match($0, "[ ,]" name "[=:][^, ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
		function hex(text,    i, n) { sub(/^0x/, "", text); n = 0
			for (i = 1; i <= length(text); i++) n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
			return sprintf("%.0f", n) }
		function ring(is_known) { return is_known ? ring_of[value("guc_id")] : "-" }
		function job(code) { print "ERROR", code, ctx[value("guc_id")], value("seqno"), ring(1) }
		function object(number) { return (number - 1) % 4 + 1 }
		function placement(name) { return name == "system" ? 0 : name == "gtt" ? 1 : name == "vram0" ? 2 : name == "vram1" ? 3 : name }
		function bind(op,    from) { from = hex(value("start"))
			if (blind) { print "MEMORY", op, "-", "-", 0, 0, 0, 0, "-"; return }
			print "MEMORY", op, from / 4294967296 % 5 ? object(from / 4294967296) : "-", 1, from, hex(value("end")) - from + 1, 0, 0, "-" }
		BEGIN { ring_of[7] = "rcs7"; ring_of[8] = "bcs8"; ring_of[9] = "ccs9" }
		NR == FNR { ctx[$1] = $2; next }
		/^#/ { next }
		/: xe_sched_job_timedout: / { job("TIMEOUT"); if (bridge) print "ERROR", "RECOVERED", 0, 0, ring(1) }
		/: xe_sched_job_ban: / { job("HANG") }
		/: xe_exec_queue_scheduling_enable: / { if (!blind) print "CTX_SWITCH", 0, ctx[value("guc_id")], ring(1) }
		/: xe_exec_queue_scheduling_disable: / { if (!blind) print "CTX_SWITCH", ctx[value("guc_id")], 0, ring(1) }
		/: xe_exec_queue_reset: / { print "ERROR", "HANG", 0, 0, ring(!blind) }
		/: xe_exec_queue_memory_cat_error: / { print "ERROR", "FAULT", 0, 0, ring(!blind) }
		/: xe_bo_create: / { print "MEMORY", "CREATE", object(value("size") / 4096), "-", 0, value("size"), 0, 0, "-" }
		/: xe_bo_cpu_fault: / { print "MEMORY", "FAULT", object(value("size") / 4096), "-", 0, value("size"), 0, 0, "ACCESS_UNKNOWN" }
		/: xe_bo_move: / { size = $0; sub(/.*\[size /, "", size); sub(/\].*/, "", size)
			from = $0; sub(/.* from /, "", from); sub(/ .*/, "", from)
			to = $0; sub(/.* to /, "", to); sub(/ .*/, "", to)
			print "MEMORY", "MOVE", object(size / 4096), "-", 0, size,
				/move_lacks_source:yes/ ? 4294967295 : placement(from), placement(to), "-" }
		/: xe_vma_bind: / { bind("BIND") }
		/: xe_vma_unbind: / { bind("UNBIND") }
	' "$CASE_TMP/queues" "$CASE_TMP/trace" | LC_ALL=C sort
}

# The same lines from a dump.  Objects get their numbers in the order of first sight.
xe_recorded()
{
	awk -F, '
		function number(kind, id) { if (id == "" || id == 0) return "-"
			if (!((kind, id) in numbers)) numbers[kind, id] = ++count[kind]
			return numbers[kind, id] }
		function get(name) { return $at[name] == "" ? "-" : $at[name] }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "ERROR" { print "ERROR", $at["code"], $at["ctx"] + 0, $at["seqno"] + 0, get("ring_name") }
		$at["type"] == "CTX_SWITCH" { print "CTX_SWITCH", $at["from_ctx"] + 0, $at["ctx"] + 0, get("ring_name") }
		$at["type"] == "MEMORY" { print "MEMORY", $at["op"], number("object", $at["object_id"]), number("vm", $at["vm_id"]),
			$at["offset_bytes"], $at["bytes"], $at["from_domain"], $at["to_domain"], get("flags") }
	' "$1" | LC_ALL=C sort
}

# xe_as_ftrace NAME bridge|jobs|alone blind|full.  With jobs alone nobody sees that a timeout was handled.  Without
# the bridge a ring is known from its first error on.
xe_as_ftrace()
{
	xe_expected "$3" "$2" >"$CASE_TMP/expected"
	xe_recorded "$CASE_TMP/$1.csv" >"$CASE_TMP/recorded"
	[ "$2" != alone ] || sed -i 's/^\(CTX_SWITCH .*\) .*/\1/' "$CASE_TMP/expected" "$CASE_TMP/recorded"
	echo "$1: $(wc -l <"$CASE_TMP/expected") events of ftrace, $(wc -l <"$CASE_TMP/recorded") of ours"
	# 5 timeouts, 11 bans, 13 other errors, and of each of 100 objects 4 events
	[ "$(wc -l <"$CASE_TMP/expected")" -ge 429 ] || fail "that is too few to prove anything"
	for line in 'ERROR TIMEOUT:5' 'ERROR HANG:16' 'ERROR FAULT:8' 'MEMORY MOVE:100' 'MEMORY BIND:100'; do
		expect_eq "${line%:*}" "$(grep -c "^${line%:*} " "$CASE_TMP/expected")" "${line#*:}"
	done
	diff "$CASE_TMP/expected" "$CASE_TMP/recorded" >"$CASE_TMP/diff" ||
		fail "$1: ftrace (<) and we (>) differ: $(head -n 20 "$CASE_TMP/diff")"
}

# xe_is_right NAME [DEVICE]: what ftrace does not tell of a recording that knows the jobs
xe_is_right()
{
	for ring in 'engine=GRAPHICS order=FIRMWARE .*name="rcs7"' 'engine=COPY order=FIRMWARE .*name="bcs8"' \
		'engine=COMPUTE order=FIRMWARE .*name="ccs9"'; do
		grep ' RING ' "$CASE_TMP/$1.defs" | grep -q "$ring device=\"${2-grtrace_fire}\" driver=\"xe\"" ||
			fail "no ring is $ring: $(grep ' RING ' "$CASE_TMP/$1.defs")"
	done
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ job = $at["ctx"] ":" $at["seqno"] }
		$at["type"] == "ERROR" && $at["code"] == "TIMEOUT" { timeouts[job]++; if ($at["status"] != -62) { print; bad++ } }
		$at["type"] == "COMPLETE" { jobs++; if ($at["status"] == -62 && timeouts[job]-- != 1) { print "timeouts:", job; bad++ } }
		$at["type"] == "MEMORY" && !$at["tgid"] { print; bad++ }
		END { print jobs + 0, "jobs"; for (job in timeouts) left += timeouts[job]
			exit bad > 0 || left || jobs != 105 }' "$CASE_TMP/$1.csv" >"$CASE_TMP/wrong" ||
		fail "wrong: $(tail -n 5 "$CASE_TMP/wrong")"
}

# xe_has_address NAME: every MEMORY names the GPU, which is 0001:03:02.1; the number is one more
xe_has_address()
{
	awk -F, -v address=$(((1 << 16 | 3 << 8 | 2 << 3 | 1) + 1)) '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "MEMORY" { seen++; if ($at["pci_address"] != address) { print; bad++ } }
		END { exit bad > 0 || !seen }' "$CASE_TMP/$1.csv" >"$CASE_TMP/wrong" || fail "wrong: $(head -n 3 "$CASE_TMP/wrong")"
}
