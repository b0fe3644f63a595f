#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the first reader can read today's traces, and today's reader can read later ones
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

first=$build/test/make/fixture-reader-1
names="SUBMIT COMPLETE CTX_SWITCH COMMIT START END IRQ SYNC_WAIT_ENTER SYNC_WAIT_EXIT ERROR DEPENDENCY"
names="$names FENCE_SIGNALED MEMORY VBLANK FREQUENCY MARK SUSPEND IOCTL JOB WINDOW"

# Makes the fixture's output from the output of the commands.
todays()
{
	"$grtrace" dump -f csv "$@" > lines.csv && "$grtrace" dump "$@" > lines || return 1
	at=0
	for event in $names; do
		events=$(grep -c "^$event," lines.csv)
		[ "$events" -eq 0 ] || echo "type $at $events"
		at=$((at + 1))
	done
	sed -n 's/^.* SUBMIT .* ring=[0-9]*(\(.*\)) tgid=.*/\1/p' lines | sort | uniq -c | awk '{
		count = $1; sub(/^ *[0-9]+ /, ""); print "ring " $0 " " count }'
	"$grtrace" verify -f json "$@" | sed -n 's/.*"unknown_events":\([0-9]*\).*/unknown \1/p'
	sed -n 's/.* LOSS .*reason=[A-Z_]* count=\([0-9]*\).*/\1/p' lines | awk '{ sum += $1 } END { print "lost " sum + 0 }'
}
agree()		# files
{
	"$first" "$@" > counted.raw 2> err || return 1
	todays "$@" > expected.raw 2> err || return 1
	sort counted.raw > counted
	sort expected.raw > expected
	[ -s counted ] && diff counted expected > err
}
has() { grep -qx "$1" counted; }
only_unknown() { ! grep -v -e "warning: .* of types that are not known\$" -e "^hint: use a newer grtrace\$" err; }

"$gen" grt 4 20000 today.grt && "$gen" example 0 > events0 && "$gen" example 1 > events1 || exit 1
"$gen" future future.grt future0 future1 || exit 1
ok "a .grt of today"			agree today.grt
ok "it has jobs"			has "type 0 5000"
ok "raw streams of today"		agree events0 events1
ok "they have losses"			has "lost 20"
ok "a .grt of tomorrow"			agree future.grt
ok "it has unknown records"		has "unknown 12"
ok "and jobs"				has "type 0 1200"
ok "raw streams of tomorrow"		agree future0 future1
ok "they are the same"			has "type 0 1200"
ok "today's reader has no other complaint" only_unknown
ok "verify has none either"		run 0 "$grtrace" verify future.grt

# The version is at byte 40 of STREAM_INFO.
cp events0 newer
printf '\002' | dd of=newer bs=1 seek=40 conv=notrunc 2> /dev/null
ok "another version"			complains 4 "format version 2, this grtrace (.*) reads up to 1" \
	"the grtrace that recorded it, or a newer one" "$grtrace" dump newer
ok "for verify as well"			complains 4 "format version 2, this grtrace (.*) knows up to 1" \
	"the grtrace that recorded it, or a newer one" "$grtrace" verify newer
run 4 "$first" newer
ok "and for the first reader"		grep -q "has format version 2, this program reads 1" err
end
