#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: probes of the C library and of a program record each call with its arguments, as a probe of ftrace that was written by hand does
# requires: mock grtrace
# kernels: 6.1
# arm64: no, the probe that is written by hand names a register of x86
cd "$CASE_TMP" || exit
outside=$TRACEFS/instances/outside
program=$(command -v workload)
libc=$(find /lib /lib64 /usr/lib -name 'libc.so.6' 2>/dev/null | head -n 1)

undo()
{
	set +e
	[ ! -d "$outside" ] || { echo 0 >"$outside/events/enable"; rmdir "$outside"; }
	echo "-:grt/by_hand" >>"$TRACEFS/dynamic_events"
	grtrace probe del --all
}

recorded() { grtrace dump --type TRACE_EVENT "$1" | sed -n 's/.*grtrace_probe:malloc bytes=\([0-9]*\).*/\1/p'; }

[ -n "$libc" ] || fail "the guest has no C library"
trap undo EXIT
grtrace probe add -x "$libc" 'mallo*' bytes >added 2>words || fail "probe add: $(cat words)"
expect_eq "functions with such an argument" "$(cat added)" grtrace_probe:malloc
grep -q "warning: .* more functions are like 'mallo\*', but have no such argument" words || fail "$(cat words)"
place=$(sed -n 's/^p:grtrace_probe\/malloc \([^ ]*\) .*/\1/p' "$TRACEFS/dynamic_events")
grtrace probe del malloc
echo "p:grt/by_hand $place bytes=%di:u64" >>"$TRACEFS/dynamic_events"
mkdir "$outside"
echo mono >"$outside/trace_clock"
echo 8192 >"$outside/buffer_size_kb"
echo 1 >"$outside/events/grt/by_hand/enable"
grtrace record -q -b 8M -o malloc.grt --probe "-x $libc malloc bytes" -- workload --scenario batch --jobs 20 >workload.txt
echo 0 >"$outside/events/grt/by_hand/enable"
recorded malloc.grt >bytes
sed -n 's/.* by_hand: .* bytes=\([0-9]*\).*/\1/p' "$outside/trace" >by_hand
# The instance began before, and ends later: what was recorded is one part of what it saw.
awk 'NR == FNR { part = part "\n" $0; n++; next } { all = all "\n" $0 }
	END { exit !(n > 10 && index(all "\n", part "\n")) }' bytes by_hand ||
	fail "$(wc -l <bytes) calls are not a part of the $(wc -l <by_hand) that ftrace saw: $(diff bytes by_hand | head -n 5)"

# A program's own function, with its first argument: argc.
grtrace record -q -o main.grt --probe "-x $program main argc=\$arg1:s32" -- workload --scenario batch --jobs 3 >workload.txt
expect_eq "calls of main" "$(grtrace dump --type TRACE_EVENT main.grt | grep -c 'grtrace_probe:main argc=5"')" 1
grtrace probe --time main -x "$program" -f csv -- workload --scenario batch --jobs 3 >took
grep -q '^,(all),1,' took || fail "main was timed: $(cat took)"
