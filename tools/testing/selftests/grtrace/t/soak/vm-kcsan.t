#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Data races of grtrace with itself: cases in which many write at once, on kernel 'kcsan'. First a
# race that is made on purpose, which that kernel must find. It slows jobs down as it likes, so no
# case here compares times with those of the mock's log.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"

readonly cases=(agrees-with-ftrace cpus-agree-on-order reader-races-with-writers statistics-add-up
	rings-come-and-go jobs-in-flight-are-listed policies-keep-the-law pairs-of-policies-keep-the-law
	rules-act aggregator-sums-agree sampling-adapts filter-by-owner snapshot-storm-tears-nothing
	hang-is-kept-without-reader timeouts-are-told trace-events-mirror-records stress)
readonly modules="grtrace_aggregator grtrace_filter grtrace_perf_mon grtrace_sampling"

# For the guest's shell. Only races between two functions of such modules are told: the kernel
# has many of its own. A module that is loaded again has new addresses, so this is done anew.
# shellcheck disable=SC2016	# expanded there
readonly look_for_races='
look_for_races()	# MODULE-PATTERN
{
	echo off >/sys/kernel/debug/kcsan
	sed -n "s/^[0-9a-f]* [tT] \([^ \t]*\)\t\[\($1\)\]\$/!\2:\1/p" /proc/kallsyms >/tmp/functions
	while read -r function; do echo "$function" >/sys/kernel/debug/kcsan; done </tmp/functions
	echo whitelist >/sys/kernel/debug/kcsan
	echo on >/sys/kernel/debug/kcsan
}'

guest()	# OPTION... -- COMMAND
{
	"$GRT_VM/run" --kernel kcsan --mem 2048 --timeout 3600 --log "$work/log" --verdict "$work/verdict" "$@" \
		>"$work/said" 2>"$work/complaints"
}

build_faults()
{
	local places
	places=$("$GRT_VM/build" kcsan) && eval "$places" &&
		cp "$GRT_VM"/faults/* "$work" && make -s -C "${KSOURCE:?}" M="$work" CC=gcc-12 modules
}

# The fault lasts for seconds, so its functions can be named meanwhile.
finds_a_race()
{
	: >"$work/log"
	guest --share "$work" --no-load --gpu none -- "$look_for_races"'
		insmod /share/grtrace_faults.ko fault=race &
		sleep 3
		look_for_races grtrace_faults
		wait'
	grep -E 'BUG: KCSAN: data-race in write_plainly' "$work/log" && [ "$(cat "$work/verdict")" = "warned 0" ]
}

finds_none()	# CASE
{
	guest --programs perf -- "$look_for_races
		modprobe -a $modules && look_for_races 'grtrace[a-z_]*' &&
		CASE_SLOWNESS=6 GRTRACE_STRICT=1 GRTRACE_SECONDS=60 /grtrace/cases/run $1" || { cat "$work/said" "$work/complaints"; return 1; }
	grep -q '^ok 1 - ' "$work/said" && ! grep '# SKIP' "$work/said"
}

check "the kernel, the modules and a race on purpose are built" build_faults
check "a race that is made on purpose is found" finds_a_race
for case in "${cases[@]}"; do
	check "no data race in $case" finds_none "$case"
done
end
