#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: ftrace, trace-cmd and perf see each record of a session as one event grtrace:*, with the same ids, in the same order
# arm64: no, Debian's perf brings 30 packages, with Perl and Python, and what it reads is the same
# requires: mock grtrace trace-cmd perf
# vm: own --programs perf
# timeout: 400
# kernels: 6.1 7.x
#
# In one run, so that all of them see the same jobs.  A job that hangs, foreign fences and events
# that are written by hand bring every type.
TYPES="SUBMIT DEPENDENCY COMMIT START END COMPLETE FENCE_SIGNALED CTX_SWITCH ERROR"
here=$TRACEFS/instances/mirror

undo()
{
	trace-cmd reset >/dev/null 2>&1 || :
	[ ! -d "$here" ] || { echo 0 >"$here/events/enable"; rmdir "$here"; }
}

ftrace_on()
{
	mkdir "$here"
	echo mono >"$here/trace_clock"
	echo 8192 >"$here/buffer_size_kb"
	echo 1 >"$here/events/grtrace/enable"
}

# ftrace_off FILE
ftrace_off()
{
	cat "$here/trace" >"$1"
	if grep -h -E '^(overrun|dropped events): [1-9]' "$here"/per_cpu/cpu*/stats; then
		fail "ftrace lost events, so this run proves nothing"
	fi
	echo 0 >"$here/events/enable"
	rmdir "$here"
}

# events FILE: "CPU EVENT: FIELDS" of each event of a job in a text of one of the tools; the name
# behind the number of an error is left out
events()
{
	sed -n -E 's/^.*\[0*([0-9]+)\][^:]* [0-9.]+: *(grtrace:)?([a-z_]+): +(.*)$/\1 \3: \4/p' "$1" |
		grep -v ' clock_sync: ' | sed -E 's/ status=(-[0-9]+) \([A-Z]+\)/ status=\1/; s/ *$//' | sort -s -n -k 1,1
}

# records TRACE: the same of the records
records()
{
	grtrace dump -d --format csv "$1" >"$CASE_TMP/defs.csv"
	awk -F, -v types="$TYPES" '
	function text(name) { return $at[name] }
	function flags() { return " flags=" (text("flags") == "" ? "none" : text("flags")) }
	function key() { return "ctx=" text("ctx") " seqno=" text("seqno") }
	function ring(    nr) {
		nr = text("ring")
		return (nr in ring_of ? ring_of[nr] : "driver=- dev=- ring=- engine=-") " " key()
	}
	function status() { return " status=" (text("flags") ~ /NO_STATUS/ ? "-" : text("status")) }
	FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 == "RING" {
		ring_of[text("ring")] = "driver=" text("driver") " dev=" text("device") \
			" ring=" text("name") " engine=" text("engine")
		next
	}
	index(" " types " ", " " $1 " ") && FNR < NR {
		rest = ring()
		if ($1 == "SUBMIT")
			rest = rest " pid=" text("tgid") " tid=" text("tid")
		if ($1 == "DEPENDENCY")
			rest = key() " dep_ctx=" text("dep_ctx") " dep_seqno=" text("dep_seqno")
		if ($1 == "FENCE_SIGNALED")
			rest = key()
		if ($1 == "ERROR")
			rest = rest " code=" text("code")
		if ($1 ~ /^(END|COMPLETE|FENCE_SIGNALED|ERROR)$/)
			rest = rest status()
		print text("cpu"), tolower($1) ": " rest flags()
	}' "$CASE_TMP/defs.csv" "$CASE_TMP/dump.csv" | sort -s -n -k 1,1
}

# expect_same WHO: its events are our records, on each CPU in the same order
expect_same()
{
	events "$CASE_TMP/$1" >"$CASE_TMP/$1.events"
	if ! diff "$CASE_TMP/records" "$CASE_TMP/$1.events" >"$CASE_TMP/diff"; then
		head -n 10 "$CASE_TMP/diff"
		fail "the events that $1 saw (>) are not the records (<)"
	fi
	if grep -E '0x[0-9a-f]{6,}|ffff[0-9a-f]{8}' "$CASE_TMP/$1.events"; then
		fail "$1 shows an address"
	fi
	echo "$1: $(wc -l <"$CASE_TMP/$1.events") events agree"
}

cat >"$CASE_TMP/work" <<'EOS'
set -e
workload --scenario mixed --processes 3 --jobs 150 --faults 9
workload --scenario hang --jobs 40
fences row 20 3 7 9
emit=/sys/kernel/debug/grtrace/emit
echo "start 100 GRAPHICS 40 1" >$emit
echo "ctx_switch 100 GRAPHICS 40 1 from_ctx=99 vmid=3 flags=PREEMPTED" >$emit
echo "complete 100 GRAPHICS 40 1 flags=NO_STATUS" >$emit
echo "complete 100 GRAPHICS 40 2 status=-125 flags=RULE1|RULE8" >$emit
EOS

trap undo EXIT
ftrace_on
trace-cmd record -q -C mono -b 8192 -e grtrace -o "$CASE_TMP/dat" \
	perf record -q -a -m 1024 -k CLOCK_MONOTONIC -o "$CASE_TMP/data" -e 'grtrace:*' \
	grtrace record -q --source=module -o "$CASE_TMP/grt" -- sh "$CASE_TMP/work" \
	>"$CASE_TMP/out" 2>&1 || fail "$(cat "$CASE_TMP/out")"
ftrace_off "$CASE_TMP/ftrace"
trace-cmd report "$CASE_TMP/dat" >"$CASE_TMP/trace-cmd" 2>"$CASE_TMP/err" || fail "$(cat "$CASE_TMP/err")"
perf script -i "$CASE_TMP/data" >"$CASE_TMP/perf" 2>"$CASE_TMP/err" || fail "$(cat "$CASE_TMP/err")"
grtrace dump --format csv "$CASE_TMP/grt" >"$CASE_TMP/dump.csv" || fail "dump"
records >"$CASE_TMP/records" "$CASE_TMP/grt"
for type in $TYPES; do
	name=$(echo "$type" | tr '[:upper:]' '[:lower:]')
	grep -q "^[0-9]* $name: " "$CASE_TMP/records" || fail "no $type, so this run proves little"
done
if grep -q 'LOSS' "$CASE_TMP/dump.csv"; then
	fail "grtrace lost events, so this run proves nothing"
fi
for who in ftrace trace-cmd perf; do
	expect_same $who
done

# Imports give the same records: all of them from the file of trace-cmd, but for what texts leave out.
for file in dat perf; do
	grtrace import -o "$CASE_TMP/imported.grt" "$CASE_TMP/$file" 2>"$CASE_TMP/err" || fail "$(cat "$CASE_TMP/err")"
	grtrace dump --format csv "$CASE_TMP/imported.grt" >"$CASE_TMP/dump.csv" || fail "dump"
	records "$CASE_TMP/imported.grt" >"$CASE_TMP/imported.events"
	diff "$CASE_TMP/records" "$CASE_TMP/imported.events" >"$CASE_TMP/diff" || {
		head -n 10 "$CASE_TMP/diff"
		fail "the records that an import makes of $file (>) are not those of the module (<)"
	}
done

# The clocks: at the start, every ten seconds and at the stop; by ftrace's clock, which is mono.
ftrace_on
grtrace record -q --source=module -o "$CASE_TMP/clocks" -- sleep 11
ftrace_off "$CASE_TMP/ftrace"
grtrace dump -d --format csv "$CASE_TMP/clocks" >"$CASE_TMP/defs.csv"
awk '
	FNR == 1 && FILENAME ~ /csv$/ { split($0, name, ","); for (i in name) at[name[i]] = i; next }
	FILENAME ~ /csv$/ {
		split($0, field, ",")
		if (field[1] == "CLOCK") offset = field[at["real_ns"]] - field[at["mono_ns"]]
		next
	}
	/ clock_sync: / {
		for (i = 1; i <= NF; i++)
			if ($i == "clock_sync:") stamp = $(i - 1)
		for (i = 1; i <= NF; i++) { split($i, part, "="); value[part[1]] = part[2] }
		off = stamp - value["mono_ns"] / 1e9
		if (off < 0 || off > 0.05) { print "its time differs by " off " s: " $0; exit 1 }
		off = (value["real_ns"] - value["mono_ns"] - offset) / 1e9
		if (!offset || off < -0.01 || off > 0.01) { print "CLOCK differs by " off " s: " $0; exit 1 }
		if (value["tai_ns"] < value["real_ns"] || value["boot_ns"] < value["mono_ns"]) { print; exit 1 }
		count++
	}
	END { if (count != 3) { print count + 0 " of 3 events"; exit 1 } }
' "$CASE_TMP/defs.csv" "$CASE_TMP/ftrace" || fail "clock_sync is wrong"

# Only what is written: policies hold for the events, too; without a session there are none.
ftrace_on
mock_run_jobs 50
! grep -q ': submit: ' "$here/trace" || fail "there are events without a session"
session_start sampling=50
mock_run_jobs 200
session_stop
ftrace_off "$CASE_TMP/ftrace"
for type in SUBMIT COMMIT END COMPLETE; do
	written=$(column $type written)
	if [ "$written" -eq 0 ] || [ "$written" -ge 200 ]; then
		fail "sampling kept $written of 200, so this proves nothing"
	fi
	name=$(echo "$type" | tr '[:upper:]' '[:lower:]')
	expect_eq "events $name" "$(grep -c ": $name: " "$CASE_TMP/ftrace")" "$written"
done
