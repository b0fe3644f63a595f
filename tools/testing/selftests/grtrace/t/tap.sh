# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by tests in bash, after vm/lib.sh: a folder for files, and TAP. A failed step shows its
# output, $work/out and $work/err.
work=$(mktemp -d "${TMPDIR:-/tmp}/grtrace-test.XXXXXX")
trap 'rm -rf "$work"' EXIT
touch "$work/out" "$work/err"
number=0
echo "TAP version 13"

result()	# ok|"not ok" TEXT
{
	number=$((number + 1))
	echo "$1 $number - $2"
	[ "$1" = ok ] || sed 's/^/# /' "$work/err" "$work/out" | tail -n 60
}

# check TEXT COMMAND...: the command must succeed
check()
{
	local text=$1 word=ok
	shift
	"$@" >"$work/out" 2>"$work/err" || word="not ok"
	result "$word" "$text"
}

# is TEXT ACTUAL EXPECTED
is()
{
	if [ "$2" = "$3" ]; then
		result ok "$1"
	else
		result "not ok" "$1"
		echo "# got '$2', expected '$3'"
	fi
}

end() { echo "1..$number"; }
