# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by the benches. Sourced, never run.

GRT_BENCH=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../tools/testing/selftests/grtrace/vm/lib.sh
. "$GRT_BENCH/../tools/testing/selftests/grtrace/vm/lib.sh"
# shellcheck disable=SC2034	# for the messages of vm/lib.sh
GRT_ME=bench/$(basename -- "$0")
readonly bench_build=$GRTRACE_BUILD/bench

# has_package PACKAGE...: whether these Debian packages are installed
has_package()
{
	local package
	for package in "$@"; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || return 1
	done
}

# make_tools TARGET...: builds programs of this folder in $bench_build
make_tools()
{
	mkdir -p "$bench_build"
	(flock 9; make -s -C "$GRT_BENCH" O="$bench_build" "$@" 9>&-) 9>"$bench_build/.lock" >&2 ||
		die "cannot build: $*"
}

need_number() { [[ $2 =~ ^[1-9][0-9]{0,9}$ ]] || usage_error "$1 takes a number above 0, not '$2'"; }

# build_module SERIES: grtrace_bench.ko in $work/share, and what vm/build says about this kernel
# shellcheck disable=SC2154	# the caller's folder
build_module()
{
	local series=$1 places folder=$GRTRACE_BUILD/$1/bench file
	places=$("$GRT_VM/build" "$series") || die "kernel $series is not ready"
	eval "$places"
	: "${KSOURCE:?}" "${KOBJ:?}"
	# as in vm/build
	mkdir -p "$folder"
	for file in "$GRT_BENCH"/module/*; do ln -sfn "$file" "$folder/"; done
	make -s -C "$KSOURCE" O="$KOBJ" M="$folder" CC=gcc-12 \
		CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT= CONFIG_DEBUG_INFO_BTF_MODULES= modules >"$work/make" 2>&1 ||
		{ cat "$work/make" >&2; die "cannot build the module of the bench"; }
	strip --strip-debug -o "$work/share/grtrace_bench.ko" "$folder/grtrace_bench.ko"
}
