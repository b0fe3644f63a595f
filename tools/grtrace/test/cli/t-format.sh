#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: format version 1 is frozen: no number in it changes, and new ones are kept as well
# GOLDEN=write in the environment adds what is new to the list that is kept; it takes nothing away.
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

kept=$golden/format/version-1.txt
"$build/test/make/list-format" > today || exit 1
sort "$kept" > kept.sorted || exit 1

has_all()	# LIST: of what is kept
{
	sort "$1" | comm -23 kept.sorted - > out
	[ ! -s out ]
}
has_none_new() { sort today | comm -13 kept.sorted - > out && [ ! -s out ]; }
write_new()
{
	sort today | comm -13 kept.sorted - > new
	grep -xFf new today >> "$kept"
	sort "$kept" > kept.sorted
}
misses() { sed "$1" today > changed && ! cmp -s today changed && ! has_all changed; }

# The list has something of each kind, so a list that lost its end is noticed.
lines() { [ "$(grep -c "^$1 " "$kept")" -ge "$2" ]; }

ok "the list has records"		lines record 37
ok "members"				lines member 220
ok "flags"				lines flag 40
ok "and the file"			lines file 30
ok "nothing of format version 1 changed"	has_all today
[ "${GOLDEN-}" != write ] || ! has_all today || write_new
ok "what was added is kept, too (GOLDEN=write)"	has_none_new
: > out
ok "a member that moves is noticed"	misses "s/submit.ctx at 32/submit.ctx at 40/"
ok "another number of a type, too"	misses "s/^record 3 /record 24 /"
ok "another meaning of a value"		misses "s/^error 4 HANG/error 4 FAULT/"
ok "a flag that is gone"		misses "/^flag 8 NO_HW/d"
ok "and a longer shortest record"	misses "s/ submit job least 80/ submit job least 88/"
end
