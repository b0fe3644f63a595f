#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Proves that kernel 'debug' finds errors: each error that a module makes on purpose must be
# reported by the matching checker of the kernel, and fail the run.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"

guest()
{
	"$GRT_VM/run" --kernel debug --timeout 900 --share "$work" --log "$work/log" --verdict "$work/verdict" "$@" \
		>"$work/out" 2>"$work/err"
}

# told TEXT PATTERN: the kernel's report must have words that fail a run
told()
{
	if grep -E -- "$2" "$work/log" | grep -E -f "$GRT_SELFTESTS/cases/trouble.regex" >/dev/null; then
		result ok "$1"
	else
		result "not ok" "$1"
	fi
}

# faults KERNEL-ARGUMENTS FAULT...: makes all of them in one guest, which must fail
faults()
{
	local arguments=$1
	shift
	: >"$work/log"
	guest --no-load --gpu none --append "$arguments" -- \
		"for fault in $*; do insmod /share/grtrace_faults.ko fault=\$fault && rmmod grtrace_faults || exit; done"
	if [ "$(cat "$work/verdict")" = "warned 0" ]; then
		result ok "a guest with faults does not pass: $*"
	else
		result "not ok" "a guest with faults does not pass: $*"
	fi
}

build_faults()
{
	local places
	places=$("$GRT_VM/build" debug) && eval "$places" &&
		cp "$GRT_VM"/faults/* "$work" && make -s -C "${KSOURCE:?}" M="$work" CC=gcc-12 modules
}

if ! build_faults >"$work/out" 2>"$work/err"; then
	result "not ok" "the modules and the guest are built"
	end
	exit 1
fi
if guest -- 'modprobe -a grtrace_cpu grtrace_filter && workload --jobs 20 >/dev/null &&
	grep -E "^ debug_locks: +1$" /proc/lockdep_stats'; then
	result ok "a guest without a fault stays clean, and lockdep is on to its end"
else
	result "not ok" "a guest without a fault stays clean, and lockdep is on to its end"
fi
# KASAN reports only once, and switches lockdep off
faults kasan_multi_shot behind-the-end behind-pages after-the-end
told "a write behind the end of an object" 'BUG: KASAN: slab-out-of-bounds in'
told "a write behind the end of mapped pages" 'BUG: KASAN: vmalloc-out-of-bounds in'
told "a write to what was freed" 'BUG: KASAN: use-after-free in'
# lockdep reports only once
faults "" sleep-with-a-spinlock look-without-a-lock forget both-orders
told "a sleep with a spinlock held" 'BUG: sleeping function called from invalid context'
told "a look at what RCU protects, outside of RCU" 'WARNING: suspicious RCU usage'
told "an object that nobody points to" 'kmemleak: [0-9]+ new suspected memory leaks'
told "two locks in both orders" 'WARNING: possible circular locking dependency detected'
end
