#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bench/overhead runs to its end and prints a whole table, in a size that takes some minutes. No
# time is checked.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=../../vm/lib.sh
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR source=../tap.sh
. "$GRT_SELFTESTS/t/tap.sh"
readonly bench=$GRT_ROOT/bench/overhead
readonly times='[0-9]+ ns +[0-9]+ ns +[0-9]+\.[0-9]+x +[0-9]+\.[0-9]+ +[0-9]+\.[0-9]+'

# rows COUNT PATTERN: the table has so many such rows
rows() { [ "$(grep -cE -- "$2" "$work/table")" -eq "$1" ]; }

# tracer NAME LOOPS [PROGRAM]: it has a row for each of its loops, or a reason
tracer()
{
	local values="$times +([0-9]+\.[0-9]+x|-) +[1-9][0-9]* of [1-9][0-9]*"
	[ -z "${3-}" ] || command -v "$3" >/dev/null || values="no $3 here: sudo apt-get install .+"
	check "the row of ${1//\\/}" rows "$2" "^$1 +$values\$"
}

is_refused() { "$bench" --writes 0 2>&1 | grep '^hint: '; [ "${PIPESTATUS[0]}" -eq 2 ]; }

check "bench/overhead ends well" "$bench" --rounds 1 --writes 20000
cp "$work/out" "$work/table"
sed 's/^/# /' "$work/table"
check "two turns without a tracer are compared" rows 2 "^nothing +$times +- +-\$"
for source in module bpf tracefs; do tracer "grtrace record --source=$source" 2; done
tracer "grtrace record --source=bpf, without marks" 1
tracer "grtrace record -e syscalls:sys_enter_write" 1
tracer "grtrace record --probe ksys_write" 1
tracer "ftrace, nobody reads" 2
tracer "trace-cmd record" 2 trace-cmd
tracer "perf record" 2 perf
tracer "bpftrace, count\(\)" 2 bpftrace
check "it says what the machine was" rows 1 '^machine: kernel .*, (KVM|emulated \(TCG\)),'
check "bad input is refused, with a hint" is_refused
end
