#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the module, BPF programs and tracefs record the same events of a workload
# requires: mock grtrace
# timeout: 300
# kernels: 6.1 7.x
# events FILE TYPE: the events of that type in a dump, without what belongs to the recording
events()
{
	awk -F, -v type="$2" '
		function col(name) { return $at[name] }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		col("type") != type { next }
		type == "PROCESS" { print col("tgid"), col("comm"), col("cgroup_id"), col("pidns"), col("start_ns"); next }
		type == "RING" { print col("name"), col("device"), col("driver"), col("engine"), col("order"), col("credit_limit"), col("pci_id"); next }
		{
			flags = col("flags")
			# The fence may be signalled between the two looks at it.
			if (type == "DEPENDENCY")
				sub(/\|(BLOCKED|SIGNALED)/, "", flags)
			print type, flags, col("ctx") ":" col("seqno"), col("ring_name"), col("tgid"), col("tid"),
		  col("credits"), col("client_id"), col("status"), col("dep_ctx") ":" col("dep_seqno"), col("code"),
		  col("hw_done_ns")
		}' "$1"
}

# order FILE: in which order each ring got its jobs, from a dump
order()
{
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "COMMIT" { print $at["ring_name"], $at["ctx"] ":" $at["seqno"] }' "$1" | sort -s -k 1,1
}

# tracefs_knows TYPE: of the events on stdin, what tracefs can know.  It also sees who waits, and
# so names more processes than those that submit.
tracefs_knows()
{
	case $1 in
	PROCESS) cut -d ' ' -f 1,2 | awk 'NR == FNR { submits[$5] = 1; next } $1 in submits' "$CASE_TMP/submits" - ;;
	*)	cat ;;
	esac
}

# differ WHAT: say so if the files of the module and of the other source do
differ()
{
	diff "$CASE_TMP/m" "$CASE_TMP/o" | head -20 >"$CASE_TMP/diff"
	[ ! -s "$CASE_TMP/diff" ] || { echo "$1:"; cat "$CASE_TMP/diff"; bad="${bad-} $1"; }
}

# compare SOURCE WORKLOAD TYPE...: the events of these types, which must be there
compare()
{
	source=$1 load=$2 dump=$CASE_TMP/$2.$1.csv
	shift 2
	events "$CASE_TMP/$load.module.csv" SUBMIT >"$CASE_TMP/submits"
	lost=$(sed -n 's/.* \([0-9]*\) events* lost.*/\1/p; s/^\([0-9]*\) events* lost.*/\1/p' "$CASE_TMP/report")
	# A BPF program cannot run while it runs already, nor a probe of tracefs while another one runs on
	# that CPU: such an event is lost, and counted.
	if [ "$lost" != 0 ]; then
		[ "$source" = bpf ] || expect_eq "$load: events that $source lost" "$lost" \
			"$(sed -n 's/.*\\nmissed=\([0-9]*\).*/\1/p' "$dump")"
		echo "$load: $source lost events and says so: not compared"
		return
	fi
	for type; do
		events "$CASE_TMP/$load.module.csv" "$type" >"$CASE_TMP/all.m"
		events "$dump" "$type" >"$CASE_TMP/all.o"
		[ -s "$CASE_TMP/all.m" ] || fail "$load: no $type, so this run proves nothing"
		for who in m o; do
			case $source in
			tracefs) tracefs_knows "$type" <"$CASE_TMP/all.$who" | sort -u ;;
			*)	sort "$CASE_TMP/all.$who" ;;
			esac >"$CASE_TMP/$who"
		done
		echo "$load, $source, $type: $(wc -l <"$CASE_TMP/m") and $(wc -l <"$CASE_TMP/o")"
		differ "$load, $source, $type"
	done
	order "$CASE_TMP/$load.module.csv" >"$CASE_TMP/m"
	order "$dump" >"$CASE_TMP/o"
	differ "$load, $source, order of COMMIT"
}

# record_all NAME COMMAND...: the command with all sources at once
record_all()
{
	load=$1
	shift
	session_start
	grtrace record --source=tracefs -q -o "$CASE_TMP/$load.tracefs" -- \
		grtrace record --source=bpf -q -o "$CASE_TMP/$load.bpf" -- "$@" >/dev/null
	session_stop
	cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/$load.module"
	expect_eq "source of the first screen" "$(grtrace report "$CASE_TMP/$load.module" | sed -n 2p)" "source: module"
}

# compare_all NAME TYPE...: the recordings, which must have these types
compare_all()
{
	load=$1
	shift
	for source in module bpf tracefs; do
		grtrace dump --format csv --definitions "$CASE_TMP/$load.$source" >"$CASE_TMP/$load.$source.csv"
	done
	for source in bpf tracefs; do
		grtrace verify -s 1s "$CASE_TMP/$load.$source" || fail "$load: verify"
		grtrace report "$CASE_TMP/$load.$source" | tee "$CASE_TMP/report"
		expect_eq "source of the first screen" "$(sed -n 2p "$CASE_TMP/report")" "source: $source"
		compare $source "$load" RING PROCESS SUBMIT COMMIT END COMPLETE "$@"
	done
}

# run NAME FAULTS TYPE...: a scenario, and what it must have besides jobs
run()
{
	load=$1
	record_all "$load" workload --scenario "$load" --jobs 300 --processes 3 --faults "$2"
	shift 2
	compare_all "$load" "$@"
}

run mixed 0 DEPENDENCY
run foreign 0 DEPENDENCY FENCE_SIGNALED
run hang 6 ERROR
for script in killed-in-the-queue failing-job; do
	record_all $script workload --script "$0/../scenarios/$script.txt" --unit-ms 400
	compare_all $script
done
[ -z "${bad-}" ] || fail "these differ:$bad"
