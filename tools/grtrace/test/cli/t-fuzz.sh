#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: inputs that fuzzers found, or that once caused a failure, are read again
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

corpus=$tools/fuzz/corpus

replays()	# target: the name of each input is printed before the input is tried
{
	set -- "$build/fuzz/replay-$1" "$corpus/$1"/*
	run 0 "$@" && [ "$(wc -l < out)" -eq $(($# - 1)) ]
}

is_small()	# target: a few dozen inputs, none of them large
{
	[ "$(find "$corpus/$1" -type f | wc -l)" -le 64 ] &&
		[ -z "$(find "$corpus/$1" -type f -size +16k)" ]
}

targets=$(find "$build/fuzz" -name 'replay-*' ! -name '*.*' -printf '%f\n' | sed 's/replay-//' | sort)
ok "there are targets"			[ "$(echo "$targets" | wc -l)" -ge 5 ]
for target in $targets; do
	ok "$target: has inputs"	[ "$(find "$corpus/$target" -type f | wc -l)" -ge 2 ]
	ok "$target: replayed"		replays "$target"
	ok "$target: small"		is_small "$target"
done
ok "no input without a target"		[ "$(ls "$corpus")" = "$targets" ]
ok "all of it is below 1 MB"		[ "$(du -sk --apparent-size "$corpus" | cut -f 1)" -lt 1000 ]
ok "an input that is not there"		run 3 "$build/fuzz/replay-rules" nothing
end
