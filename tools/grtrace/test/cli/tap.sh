# SPDX-License-Identifier: GPL-2.0
# Sourced by the tests that are scripts: a folder to work in, and TAP output.
# shellcheck shell=sh disable=SC2034
set -u
tools=$(cd "$(dirname "$0")/../.." && pwd)
golden=$tools/test/golden
build=${GRTRACE_BUILD:-$tools/build}
grtrace=$build/grtrace gen=$build/test/make/gen
# A search for leaks at the end of a command takes longer than the command: t/soak/leaks.t asks for it.
# To see where memory came from that a command misused, run it without malloc_context_size=0.
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=0:malloc_context_size=0}"
# With sanitizers a command takes three times as long. A test that does one thing with many inputs takes
# each fourth of them there, since the plain build has all; t/soak/leaks.t has all with sanitizers.
every=1
case $build in
*/asan)	every=${GRTRACE_EVERY:-4} ;;
esac
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
count=0 failed=0
unset COLUMNS		# tables fit it

turns=0
has_turn()	# whether this one of many inputs is taken
{
	turns=$((turns + 1))
	[ $((turns % every)) -eq 0 ]
}

ok()		# name, then a command that succeeds
{
	name=$1
	shift
	count=$((count + 1))
	if "$@"; then
		echo "ok $count - $name"
	else
		echo "not ok $count - $name"
		for said in out err; do
			sed 's/^/# /' "$said" 2> /dev/null | cut -b 1-2000 | head -n 200
		done
		failed=1
	fi
}

run()		# expected exit code, then the command
{
	code=$1
	shift
	"$@" > out 2> err
	got=$?
	[ "$got" -eq "$code" ] || { echo "exit code $got, not $code" >> err; return 1; }
}

complains()	# exit code, cause, hint, then the command
{
	wanted=$1 cause=$2 hint=$3
	shift 3
	run "$wanted" "$@" && grep -q -e "^grtrace: .*$cause" err &&
		grep -q -e "hint: .*$hint" err
}

fault_preload()	# what LD_PRELOAD needs for a disk that fails: see fixture-fault.c
{
	# The library of a sanitizer must be the first.
	ldd "$grtrace" | awk -v fault="$build/test/make/fixture-fault.so" '
		/lib[a-z]*san[.]so/ { printf "%s:", $3 }
		END { print fault }'
}

end()		# the plan comes last, so that a test cannot be forgotten
{
	echo "1..$count"
	exit "$failed"
}
