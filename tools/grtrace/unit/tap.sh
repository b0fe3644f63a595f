# SPDX-License-Identifier: GPL-2.0
# Sourced by the tests that are scripts: a folder to work in, and TAP.
# shellcheck shell=sh disable=SC2034
set -u
unit=$(cd "$(dirname "$0")" && pwd)
build=${GRTRACE_BUILD:-$unit/../build}
grtrace=$build/grtrace gen=$build/unit/gen
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
count=0 failed=0

ok()		# name, then a command that succeeds
{
	name=$1
	shift
	count=$((count + 1))
	if "$@"; then
		echo "ok $count - $name"
	else
		echo "not ok $count - $name"
		sed 's/^/# /' out err 2> /dev/null
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

end()		# the plan comes last, so that a test cannot be forgotten
{
	echo "1..$count"
	exit "$failed"
}
