#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The archive of 'make dist', of the last commit: the same bytes each time, all files, and all that a
# user needs who has no git checkout. Its own tests run there. Usage: dist.t [TEST...], names of
# files in t/; without any, all of them.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"

chmod 755 "$work"	# t-record runs the program as another user

[ -e "$GRT_ROOT/.git" ] || { echo "1..0 # SKIP this is an unpacked archive"; exit 0; }
version=$(sed -n 's/^#define GRT_VERSION[[:space:]]*"\(.*\)"/\1/p' "$GRT_ROOT/drivers/gpu/grtrace/version.h")
archive=$GRT_ROOT/build/grtrace-$version.tar.xz top=$work/grtrace-$version
tests=tools/testing/selftests/grtrace/t
# Nothing of the caller's is for the copy, such as its build folder; nor is a checkout around it.
unset GRTRACE_BUILD
export GRTRACE_CACHE GIT_CEILING_DIRECTORIES=$work CI=1

pack() { make -s -C "$GRT_ROOT" dist && mv "$archive" "$work/$1"; }
pack_twice() { pack first && pack second && cmp "$work/first" "$work/second"; }
unpack() { tar -C "$work" -xf "$work/first" && [ -d "$top" ] && ! git -C "$top" rev-parse --git-dir; }
has_all()
{
	diff <(git -C "$GRT_ROOT" ls-tree -r --name-only HEAD | LC_ALL=C sort) \
		<(cd "$top" && find . -type f -printf '%P\n' | LC_ALL=C sort)
}
has_no_path() { ! grep -rlF -e "$GRT_ROOT/" -e "$work/" "$top"; }
prints()	# TEXT COMMAND...
{
	local text=$1
	shift
	"$@" && "$@" 2>/dev/null | grep -F -e "$text"
}
refuses_dist()
{
	local said
	! said=$(make -s -C "$top" dist 2>&1) && grep "^hint: " <<<"$said"
}
lists_sources()
{
	diff <(git -C "$GRT_ROOT" ls-tree -r --name-only HEAD | LC_ALL=C sort) \
		<("$top/scripts/list-files" | tr '\0' '\n' | LC_ALL=C sort)
}

check "make dist gives the same bytes again" pack_twice
check "it unpacks, and is no checkout" unpack
check "it has each file of the commit, and no other" has_all
check "no path of this machine is in it" has_no_path
check "quickstart tells what it does" prints 'usage: ./quickstart' "$top/quickstart" -h
check "the tools build there" make -s -C "$top" tools
check "it has its version" prints "grtrace $version" "$top/tools/grtrace/grtrace" --version
check "it reads a trace of this release" prints " jobs" "$top/tools/grtrace/grtrace" report \
	"$top/tools/grtrace/test/golden/release/$version/every.grt"
check "make dist refuses to pack it again, with a hint" refuses_dist
[ $# -gt 0 ] || set -- "$top/$tests"/*.t
for name; do
	check "t/$(basename "$name")" prove -v "$top/$tests/$(basename "$name")"
done
check "after all that it knows its sources" lists_sources
end
