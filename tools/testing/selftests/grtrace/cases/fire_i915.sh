# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# For cases about i915: records what grtrace_fire_i915 does, and compares it with ftrace, for every
# source. CASE_TMP and the functions of lib.sh are there.

# With PREEMPT_RT, i915 of Linux 6.1 has only the tracepoints for displays.
[ ! -e /sys/kernel/realtime ] || skip "with PREEMPT_RT, i915 has no tracepoints for requests"

# i915_offsets: what grtrace_fire_i915 wants, after load_btf i915
i915_offsets()
{
	while read -r grt_struct grt_member; do
		grt_offset=$(offset "$grt_struct" "$grt_member")
		printf '%s,' "${grt_offset:--1}"
	done <<-END | sed 's/,$//'
		i915_request engine
		i915_request i915
		i915_request hwsp_seqno
		intel_engine_cs name
		intel_engine_cs uabi_class
		intel_engine_cs uabi_instance
		intel_engine_cs i915
		drm_i915_private drm
		i915_vma obj
		i915_vma vm
		i915_address_space i915
	END
}

# has_low_level: whether this i915 has request_execute, _in and _out
has_low_level() { [ -d "$TRACEFS/events/i915/i915_request_in" ]; }

# record_fired NAME SOURCE [PARAMETER]: grtrace and ftrace record the same; the dump is in $CASE_TMP/NAME.csv,
# and definitions are in NAME.defs.  $offsets are those of i915_offsets.  PARAMETER is for grtrace_fire_i915.
record_fired()
{
	ftrace_begin 8192 i915/i915_request_add i915/i915_request_wait_begin i915/i915_request_wait_end \
		i915/i915_gem_object_create i915/i915_gem_object_destroy i915/i915_gem_object_fault \
		i915/i915_gem_object_pwrite i915/i915_gem_object_pread i915/i915_vma_bind \
		i915/i915_vma_unbind i915/i915_gem_shrink i915/i915_gem_evict dma_fence/dma_fence_signaled
	for event in execute in out; do
		! has_low_level || echo 1 >"$TRACEFS/events/i915/i915_request_$event/enable"
	done
	# shellcheck disable=SC2086,SC2154	# no PARAMETER, no word; of the case
	grtrace record --source="$2" -q -o "$CASE_TMP/$1.grt" -- \
		modprobe grtrace_fire_i915 "offsets=$offsets" count=100 ${3-} >"$CASE_TMP/words" 2>&1 ||
		fail "record: $(cat "$CASE_TMP/words")"
	ftrace_stop
	rmmod grtrace_fire_i915
	grtrace verify "$CASE_TMP/$1.grt" || fail "verify"
	grtrace dump --format csv "$CASE_TMP/$1.grt" >"$CASE_TMP/$1.csv"
	grtrace dump --definitions "$CASE_TMP/$1.grt" >"$CASE_TMP/$1.defs"
}

# What ftrace says, in our words: the addresses of objects and address spaces become their numbers in
# the order of first sight.  -v blind=1: as it looks without offsets.
expected()
{
	awk -v blind="$1" -v source="$2" '
		function value(name) { return match($0, name "=[^, ]*") ? substr($0, RSTART + length(name) + 1, RLENGTH - length(name) - 1) : "" }
		function hex(text,    i, n) { sub(/^0x/, "", text); n = 0
			for (i = 1; i <= length(text); i++) n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
			return sprintf("%.0f", n) }
		function number(kind, address) { if (address == "" || address ~ /^0*$|null/) return "-"
			if (!((kind, address) in numbers)) numbers[kind, address] = ++count[kind]
			return numbers[kind, address] }
		function job(type, rest) { print type, value("ctx"), value("seqno"), ring(), rest }
		function ring(    part, classes) { if (blind) return "-"
			split("rcs bcs vcs vecs ccs", classes); split(value("engine"), part, ":")
			ring_of[value("ctx") ":" value("seqno")] = classes[part[1] + 1] part[2]
			return classes[part[1] + 1] part[2] }
		function memory(op, object, vm, offset, bytes, domain, flags) {
			print "MEMORY", op, object, vm, offset, bytes, domain, flags == "" ? "-" : flags }
		function obj() { return number("object", value("obj")) }
		function vm() { return number("vm", value("vm")) }
		/^#/ { next }
		{ tid = $0; sub(/ *\[.*/, "", tid); sub(/.*-/, "", tid) }
		/: i915_request_add: / { job("SUBMIT", tid) }
		/: i915_request_execute: / { job("COMMIT", "-") }
		# With GuC, on device 1, a request does not start then.  The first one comes before that is known.
		/: i915_request_in: / { if (value("dev") == 0 || !guc++) job("START", "-") }
		/: i915_request_out: .*completed\?=1/ { if (!blind) job("END", "-") }
		/: i915_request_wait_begin: / { job("SYNC_WAIT_ENTER", tid); waits[value("ctx") ":" value("seqno")] = 1 }
		/: i915_request_wait_end: / { key = value("ctx") ":" value("seqno")
			job("SYNC_WAIT_EXIT", tid (key in over ? "" : " NO_STATUS")) }
		/: dma_fence_signaled: driver=i915 / { key = value("context") ":" value("seqno"); over[key] = 1
			print "COMPLETE", value("context"), value("seqno"), blind ? "-" : ring_of[key], "-" }
		/: i915_gem_object_create: / { o = obj(); size[o] = hex(value("size")); memory("CREATE", o, "-", 0, size[o], 0) }
		/: i915_gem_object_destroy: / { o = obj(); memory("DESTROY", o, "-", 0, source == "tracefs" ? 0 : size[o], 0) }
		/: i915_gem_object_pwrite: / { memory("PWRITE", obj(), "-", hex(value("offset")), hex(value("len")), 0) }
		/: i915_gem_object_pread: / { memory("PREAD", obj(), "-", hex(value("offset")), hex(value("len")), 0) }
		/: i915_gem_object_fault: / { memory("FAULT", obj(), "-", value("index") * 4096, 0, / GTT /? 64 : 1,
			/writable/ ? "WRITE" : "") }
		/: i915_vma_(un)?bind: / { op = /_unbind: / ? "UNBIND" : "BIND"
			memory(op, blind ? "-" : obj(), blind ? "-" : vm(), hex(value("offset")), hex(value("size")), 0,
				/mappable/ ? "MAPPABLE" : "") }
		/: i915_gem_shrink: / { memory("SHRINK", "-", "-", 0, value("target") * 4096, 0) }
		/: i915_gem_evict: / { memory("EVICT", "-", vm(), 0, hex(value("size")), 0, /mappable/ ? "MAPPABLE" : "") }
	' "$CASE_TMP/trace"
}

# The same lines from a dump.
recorded()
{
	awk -F, '
		function number(kind, id) { if (id == "" || id == 0) return "-"
			if (!((kind, id) in numbers)) numbers[kind, id] = ++count[kind]
			return numbers[kind, id] }
		function get(name) { return $at[name] == "" ? "-" : $at[name] }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "MEMORY" { print "MEMORY", get("op"), number("object", $at["object_id"]), number("vm", $at["vm_id"]),
			$at["offset_bytes"], $at["bytes"], $at["to_domain"], get("flags"); next }
		$at["type"] ~ /^(SUBMIT|SYNC_WAIT_ENTER|SYNC_WAIT_EXIT)$/ {
			print $at["type"], $at["ctx"], $at["seqno"], get("ring_name"),
				$at["tid"] ($at["flags"] ~ /NO_STATUS/ ? " NO_STATUS" : ""); next }
		$at["type"] ~ /^(COMMIT|START|END|COMPLETE)$/ { print $at["type"], $at["ctx"], $at["seqno"], get("ring_name"), "-" }
	' "$1"
}

# expect_as_ftrace NAME BLIND [SOURCE]: ftrace tells no size of an object that is destroyed
expect_as_ftrace()
{
	expected "$2" "${3-}" >"$CASE_TMP/expected"
	recorded "$CASE_TMP/$1.csv" >"$CASE_TMP/recorded"
	echo "$1: $(wc -l <"$CASE_TMP/expected") events of ftrace, $(wc -l <"$CASE_TMP/recorded") of ours"
	[ "$(wc -l <"$CASE_TMP/expected")" -ge 1300 ] || fail "that is too few to prove anything"
	diff "$CASE_TMP/expected" "$CASE_TMP/recorded" >"$CASE_TMP/diff" || fail "$1: $(head -n 20 "$CASE_TMP/diff")"
	expect_rows i915 "$CASE_TMP/$1.grt" "i915_request_add QUEUE" "i915_gem_object_create GEM_CREATE" \
		"i915_gem_object_destroy GEM_FREE" "i915_gem_object_pwrite PWRITE" "i915_gem_object_pread PREAD" \
		"i915_gem_object_fault FAULT" "i915_vma_bind VMA_BIND" "i915_vma_unbind VMA_UNBIND" \
		"i915_gem_shrink SHRINK" "i915_gem_evict EVICT"
}

# expect_switches NAME: each third request of the first context is preempted by one of the second
expect_switches()
{
	has_low_level || return 0
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "START" { first = first ? first : $at["ctx"] }
		$at["type"] != "CTX_SWITCH" { next }
		$at["flags"] ~ /PREEMPTED/ { if ($at["from_ctx"] != first || $at["ctx"] != first + 1) { print; bad++ }; away++; next }
		$at["from_ctx"] == first + 1 { back++ }
		END { print away, back; exit bad > 0 || away != 33 || back != 33 }' "$CASE_TMP/$1.csv" >"$CASE_TMP/switches" ||
		fail "switches: $(tail -n 5 "$CASE_TMP/switches")"
}

# i915_is_right NAME: what ftrace does not tell of a recording that knows the engines
i915_is_right()
{
	for ring in 'engine=GRAPHICS order=UNKNOWN .*name="rcs0"' 'engine=VIDEO_DECODE order=UNKNOWN .*name="vcs1"'; do
		grep ' RING ' "$CASE_TMP/$1.defs" | grep -q "$ring device=\"grtrace_fire\" driver=\"i915\"" ||
			fail "no ring is $ring: $(grep ' RING ' "$CASE_TMP/$1.defs")"
	done
	# The device is 0001:03:02.1; the number in the record is one more.
	address=$(((1 << 16 | 3 << 8 | 2 << 3 | 1) + 1))
	awk -F, -v address=$address '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "COMPLETE" && $at["flags"] !~ /UPPER_BOUND/ { print; bad++ }
		$at["type"] == "SUBMIT" && !$at["tgid"] { print; bad++ }
		$at["type"] == "MEMORY" && ($at["pci_address"] != address || !$at["tgid"]) { print; bad++ }
		END { exit bad > 0 }' "$CASE_TMP/$1.csv" >"$CASE_TMP/wrong" || fail "wrong events: $(head -n 5 "$CASE_TMP/wrong")"
	expect_switches "$1"
}
