#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a time that a driver may have noticed late is shown as an upper bound everywhere
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

late=$golden/bounds/retire-only.txt
one=$golden/import/i915-coalesced-last.txt
exact=$golden/import/sched-617.txt

shows() { "$grtrace" report "$@" > out 2> err; }
# Each time of a row that names a process has the sign; there are this many.
all_marked()
{
	[ "$(grep "\[934\]\\|\[999\]" out | grep -o "<=[0-9]" | wc -l)" -eq "$1" ] &&
		! grep "\[934\]\\|\[999\]" out | grep -q " [0-9][0-9.]* m\{0,1\}s"
}

shows "$late"
ok "the first screen and the worst jobs: each total"	all_marked 9
ok "the screen says what the sign means"	grep -q "^ <= at most: " out
shows --per-ring "$late"
ok "quantiles, sum and mean of a ring"		[ "$(grep -c 'total  *4  *<=1.604 s .* <=2.0 ms  *<=401.0 ms' out)" -eq 1 ]
ok "which the table says"			grep -q "^ <= at most: " out
shows --jobs "$late"
ok "each job"					[ "$(grep -c '^2[01]:.* <=[0-9.]* m\{0,1\}s' out)" -eq 4 ]
shows --jobs "$one"
ok "END from a later job: the run is a bound"	grep -q '^20:10 .* <=2.0 ms  *<=2.0 ms .* <=2.1 ms' out
ok "that of the later job is none"		sh -c "grep '^20:11 ' out | grep -qv '<='"
shows "$exact"
ok "no bound, no sign"				sh -c "! grep -q '<=' out"
end
