#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A whole session with control files and the command: the steps of grtrace_smoke, as a user would do
# them. TAP; exit 0 passed, 1 failed, 4 nothing could be tested.
here=$(cd -- "$(dirname -- "$0")" && pwd)
PATH="$here/workload:$here/../../../grtrace:$PATH"
GRT_DIR=/sys/kernel/debug/grtrace
JOBS=40
RESULTS=9

skip_all()
{
	printf 'TAP version 13\n1..0 # SKIP %s\n' "$*"
	exit 4
}
[ "$(id -u)" = 0 ] || skip_all "only root may look into debugfs"
[ -d $GRT_DIR ] || skip_all "module grtrace is not loaded, or debugfs is not mounted"
[ "$(cat $GRT_DIR/control)" != running ] || skip_all "a session runs, which is not ours to stop"
command -v grtrace >/dev/null || skip_all "no program 'grtrace'"

tmp=$(mktemp -d)
leave()
{
	echo stop 2>/dev/null >$GRT_DIR/control
	echo reset >$GRT_DIR/control
	while read -r pair; do
		echo "$pair" 2>/dev/null >$GRT_DIR/config
	done <"$tmp/config"
	rm -rf "$tmp"
}
cat $GRT_DIR/config >"$tmp/config"
trap leave EXIT

number=0 failed=0
# result STATUS WHAT
result()
{
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
		return
	fi
	echo "not ok $number - $2"
	{ cat $GRT_DIR/error; head -n 20 "$tmp/out"; } 2>/dev/null | sed 's/^/# /'
	failed=$((failed + 1))
}
skipped() { number=$((number + 1)); echo "ok $number - $1 # SKIP no mock GPU: modprobe grtrace_mock"; }

has_mock() { [ -d /sys/module/grtrace_mock ] && command -v workload >/dev/null; }
value() { sed -n "s/^$1=//p" $GRT_DIR/stats; }
# rows TYPE [FLAG]: in the dump
rows()
{
	awk -F, -v type="$1" -v flag="${2-}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == type && (flag == "" ? $at["flags"] !~ /SYNTHETIC/ : $at["flags"] ~ flag) { n++ }
		END { print n + 0 }' "$tmp/csv"
}
by_hand()
{
	for type in submit commit end complete; do
		echo "$type 7 GRAPHICS 1000 1 count=$JOBS" >$GRT_DIR/emit || return 1
	done
	echo "mark 0 OTHER 0 0 text=smoke" >$GRT_DIR/emit
}
# each SUBMIT, COMMIT, END and COMPLETE has so many rows
has_jobs()
{
	for type in SUBMIT COMMIT END COMPLETE; do
		[ "$(rows $type "$1")" -eq $JOBS ] || return 1
	done
}

begin() { echo profile=default >$GRT_DIR/config && echo start >$GRT_DIR/control; }

echo "TAP version 13"
echo "1..$RESULTS"
begin
result $? "a session starts"
by_hand
result $? "events are written by hand"
if has_mock; then
	workload --scenario batch --jobs $JOBS >"$tmp/out" 2>&1
	result $? "real jobs are run"
else
	skipped "real jobs are run"
fi
echo stop >$GRT_DIR/control && [ "$(cat $GRT_DIR/control)" = stopped ]
result $? "it stops"
cat $GRT_DIR/trace_pipe >"$tmp/pipe" && grtrace verify -s 1s "$tmp/pipe" >"$tmp/out" 2>&1
result $? "all CPUs are read, and grtrace verify finds nothing wrong"
grtrace dump --format csv "$tmp/pipe" >"$tmp/csv" 2>"$tmp/out" && has_jobs SYNTHETIC && [ "$(rows MARK SYNTHETIC)" -eq 1 ]
result $? "each event by hand is there once"
if has_mock; then
	has_jobs ""
	result $? "each real job has its four events"
else
	skipped "each real job has its four events"
fi
sum=$(awk -F, 'NR > 1 { for (i = 4; i <= NF; i++) sum += $i } END { print sum + 0 }' $GRT_DIR/events_by_type)
[ "$sum" -eq "$(value seen)" ] && [ "$(value written)" -ge $((4 * JOBS)) ]
result $? "fates sum to what was seen"
grtrace report --synthetic "$tmp/pipe" >"$tmp/out" 2>&1 && grep -q "ring1000 .* $JOBS " "$tmp/out"
result $? "grtrace report tells of them"
[ $failed -eq 0 ] && [ $number -eq $RESULTS ]
