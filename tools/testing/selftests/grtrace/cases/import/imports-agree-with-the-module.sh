#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: an imported recording of trace-cmd, and those of the other sources, have the same events as the module's recording of the same workload
# kernels: 6.1
# requires: mock grtrace trace-cmd
# vm: own --icount
# timeout: 600
#
# With event probes for the keys where the kernel's events have none (before 6.17), and
# without them, when an import has to find the keys; from trace.dat and from its text.  The
# sources bpf and tracefs record at the same time as the module and trace-cmd.
#
# Each event is stamped by each of them, one after the other.  An interrupt
# that comes between the two keeps them apart, and is in the trace, too.  Two kinds of SUBMIT may
# be 15 us apart: the first of a context, since the module and BPF may describe its process and
# ring before they take its time; and those of tracefs, where the kernel measures the names in an
# event (ring, device, driver) before it takes the time.
JOBS=200

if [ -d "$TRACEFS/events/gpu_scheduler/drm_sched_job_queue" ]; then
	probes=""
else
	probes=y
fi

make_probes()
{
	# shellcheck disable=SC2016	# for the kernel to expand
	key='ctx=+32($fence):u64 seqno=+40($fence):u64'
	job="$key id=\$id:u64 ring=\$name:string queued=\$job_count:u32"
	{
		echo "e:jobs/submit gpu_scheduler.drm_sched_job $job"
		echo "e:jobs/commit gpu_scheduler.drm_run_job $job"
		echo "e:jobs/end gpu_scheduler.drm_sched_process_job $key err=+60(\$fence):s32"
	} | while read -r probe; do
		echo "$probe" >>"$TRACEFS/dynamic_events"
	done
}

undo()
{
	trace-cmd reset >/dev/null 2>&1 || :
	echo >"$TRACEFS/dynamic_events" || :
	ftrace_undo
}

# record NAME SOURCE EVENTS...: the workload by the module, into NAME.grt; by another source or
# none, into NAME.SOURCE; and by trace-cmd, into NAME.dat
record()
{
	name=$1 source=$2
	shift
	shift
	for event in "$@"; do
		set -- "$@" -e "$event"
		shift
	done
	grtrace record -q --source=module -o "$CASE_TMP/$name.grt" -- \
		${source:+grtrace record -q --source=$source -o "$CASE_TMP/$name.$source" --} \
		trace-cmd record -q -C mono -b 16384 "$@" \
		-e dma_fence:dma_fence_signaled -e irq -e timer:hrtimer_expire_entry -o "$CASE_TMP/$name.dat" \
		workload --scenario mixed --processes 3 --jobs $JOBS >"$CASE_TMP/out" 2>&1 ||
		fail "$(cat "$CASE_TMP/out")"
}

# events FILE: "KEY TS RING" of each event of a job, with all that does not depend on the clock
events()
{
	grtrace dump --format csv "$1" 2>>"$CASE_TMP/err" | awk -F , '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 !~ /^(SUBMIT|COMMIT|END|COMPLETE|DEPENDENCY)$/ { next }
	{
		flags = $at["flags"]
		gsub(/(KEY_INFERRED|NO_STATUS)\|?/, "", flags)
		sub(/\|$/, "", flags)
		key = $1 ":" $at["ctx"] ":" $at["seqno"]
		if ($1 == "DEPENDENCY")
			key = key ":" $at["dep_ctx"] ":" $at["dep_seqno"]
		if ($1 == "SUBMIT")
			key = key ":" $at["tid"]
		print key ":" flags, $at["ts"]
	}'
}

# compare WHAT: ours and theirs, with the stamps of all events of both
compare()
{
	awk -v jobs=$JOBS -v what="$1" -v late="$late" '
	function interrupted(a, b,    i) {
		for (i = 1; i <= stamps; i++)
			if ((stamp[i] > a && stamp[i] < b) || (stamp[i] > b && stamp[i] < a))
				return ++interrupts
		return 0
	}
	function add(list, key) {
		split(key, part, ":")
		if (!(key in apart))
			list[part[1]] = list[part[1]] " " part[2] ":" part[3]
	}
	FILENAME ~ /stamps$/ { stamp[++stamps] = $1; next }
	FILENAME ~ /ours$/ {
		ours[$1] = $2
		our_key[++count] = $1
		next
	}
	{
		their_key[++theirs] = $1
		split($1, part, ":")
		types[part[1]]++
		if (!($1 in ours)) {
			print what ": the module did not record " $1
			bad++
			next
		}
		off = $2 - ours[$1]
		off = off < 0 ? -off : off
		if (off <= ($1 ~ late ? 15000 : 2000))
			next
		if (interrupted($2, ours[$1])) {
			apart[$1] = 1
			next
		}
		print what ": " $1 " differs by " off " ns"
		bad++
	}
	END {
		if (count != theirs) {
			print what ": " theirs " events, the module recorded " count
			bad++
		}
		# What another thread did between the two stamps of an event may come before or after it.
		for (i = 1; i <= count; i++)
			add(order, our_key[i])
		for (i = 1; i <= theirs; i++)
			add(their_order, their_key[i])
		for (key in order)
			if (order[key] != their_order[key]) {
				print what ": another order of " key
				bad++
			}
		for (i = split("SUBMIT COMMIT END COMPLETE", type, " "); i; i--)
			if (types[type[i]] != jobs) {
				print what ": " types[type[i]] " " type[i] " of " jobs " jobs"
				bad++
			}
		if (!types["DEPENDENCY"]) {
			print what ": no DEPENDENCY, so this proves little"
			bad++
		}
		print what ": " theirs " events agree, stamps within 2 us but for " interrupts + 0 \
			" with an interrupt between them"
		if (interrupts > theirs / 50) {
			print what ": these are too many"
			bad++
		}
		exit bad > 0
	}' "$CASE_TMP/stamps" "$CASE_TMP/ours" "$CASE_TMP/theirs"
}

# agree OURS THEIRS WHAT [IMPORTED]: the same events, at times that differ by 2 us at most;
# IMPORTED has interrupts, if THEIRS has none
agree()
{
	grtrace verify "$2" >"$CASE_TMP/out" || fail "$(grep FAILED "$CASE_TMP/out")"
	events "$1" >"$CASE_TMP/ours"
	events "$2" >"$CASE_TMP/theirs"
	for file in "$1" "$2" ${4:+"$4"}; do
		grtrace dump --format csv "$file" | awk -F , '
			NR == 1 { for (i = 1; $i != "ts"; i++); next }
			{ print $i }'
	done | sort -n >"$CASE_TMP/stamps"
	compare "$3" >"$CASE_TMP/agree" || fail "$(head -n 20 "$CASE_TMP/agree")"
	cat "$CASE_TMP/agree"
}

# imported_agree OURS FOREIGN WHAT: a file that has to be imported
imported_agree()
{
	grtrace import "$2" -o "$CASE_TMP/imported.grt" 2>"$CASE_TMP/err" ||
		fail "$(cat "$CASE_TMP/err")"
	agree "$1" "$CASE_TMP/imported.grt" "$3"
}

late='^SUBMIT:[0-9]*:1:'
trap undo EXIT
record plain bpf gpu_scheduler
imported_agree "$CASE_TMP/plain.grt" "$CASE_TMP/plain.dat" "trace.dat"
agree "$CASE_TMP/plain.grt" "$CASE_TMP/plain.bpf" "bpf" "$CASE_TMP/imported.grt"
record interrupts tracefs
grtrace import "$CASE_TMP/interrupts.dat" -o "$CASE_TMP/imported.grt" 2>"$CASE_TMP/err" || fail "$(cat "$CASE_TMP/err")"
late=^SUBMIT: agree "$CASE_TMP/interrupts.grt" "$CASE_TMP/interrupts.tracefs" "tracefs" "$CASE_TMP/imported.grt"
if [ -n "$probes" ]; then
	grtrace dump --format csv "$CASE_TMP/plain.dat" | grep -q KEY_INFERRED ||
		fail "keys that were inferred are not flagged"
	make_probes
	record probed "" jobs gpu_scheduler:drm_sched_job_wait_dep
	imported_agree "$CASE_TMP/probed.grt" "$CASE_TMP/probed.dat" "event probes"
	if grtrace dump --format csv "$CASE_TMP/probed.dat" | grep -q KEY_INFERRED; then
		fail "keys that were read are flagged as inferred"
	fi
fi
trace-cmd report -t "$CASE_TMP/plain.dat" >"$CASE_TMP/text" 2>/dev/null
imported_agree "$CASE_TMP/plain.grt" "$CASE_TMP/text" "text"
