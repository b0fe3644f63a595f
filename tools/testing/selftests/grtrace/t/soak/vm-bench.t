#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Both benches run to their end and print whole tables, in a size that takes seconds. No time is
# checked.
set -uo pipefail
cd -- "$(dirname -- "$0")/../../../../../../bench" || exit 3
number=0
echo "TAP version 13"
out=$(mktemp)
trap 'rm -f "$out"' EXIT

result()	# STATUS TEXT: shows what the bench said if it is not 0
{
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed 's/^/# /' "$out"
	fi
}

# has TEXT PATTERN: the table has such a line
has()
{
	grep -qE -- "$2" "$out"
	result $? "$1"
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

./event-cost --boots 1 --events 300 >"$out" 2>&1
result $? "event-cost ends well"
for row in SUBMIT COMPLETE 'COMPLETE, filtered' 'fence of somebody'; do
	has "event-cost: $row has a cost and a verdict" "^$row +[0-9]+\.[0-9] +[0-9]+ (within|OVER)"
done
for row in SUBMIT DEPENDENCY COMMIT END COMPLETE 'fence of somebody'; do
	has "event-cost: $row beside ftrace" "^$row +[0-9]+\.[0-9].* [0-9]+\.[0-9] +[0-9]+\.[0-9]x"
done
has "event-cost: a tracepoint that is off costs next to nothing" '^COMPLETE, not tracing +[0-3]\.'
has "event-cost: the clock counts instructions" '100 nops = 100\.00$'
has "event-cost: the share of a CPU" '^10000 jobs/s: 0\.[0-9]+ % of one CPU'
if installed clang-14 && installed libbpf-dev; then
	has "event-cost: SUBMIT beside BPF" '^SUBMIT +([^ ]+ +){7}[0-9]+\.[0-9] +[0-9]+\.[0-9]x *$'
else
	echo "ok $((number += 1)) - event-cost: beside BPF # SKIP no clang-14, libbpf-dev"
fi

./report --events 100000 --jobs 300 --runs 1 >"$out" 2>&1
result $? "report ends well"
rate='[0-9]+ +[0-9]+ ms +[0-9]+ ms +[0-9]+\.[0-9]+ M +[0-9]+\.[0-9] MiB$'
for how in declared popped; do
	has "report: the large trace, $how" "^grtrace report +$how +$rate"
done
has "report: the budget, met or not" '^budget of grtrace report on one core: .*: (met|missed: .+)$'
if installed trace-cmd; then
	for row in 'grtrace report' 'grtrace dump' 'grtrace, trace.dat' 'grtrace import' 'trace-cmd report'; do
		has "report: $row on the same jobs" "^$row +same jobs +$rate"
	done
	has "report: a ratio" '^  beside trace-cmd report +[0-9]+\.[0-9]x +[0-9]+\.[0-9]x +[0-9]+\.[0-9]+x$'
else
	echo "ok $((number += 1)) - report: beside trace-cmd # SKIP no trace-cmd"
fi

./event-cost --events 0 >"$out" 2>&1
[ $? -eq 2 ] && grep -q '^hint: ' "$out"
result $? "bad input is refused, with a hint"
echo "1..$number"
