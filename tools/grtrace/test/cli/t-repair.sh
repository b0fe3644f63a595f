#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace repair saves the intact part, says what it left out, and changes no input
# Tests call these functions through ok(). $2 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

"$gen" example 0 > events0 && "$gen" example 1 > events1 || exit 1
"$gen" grt 3 9000 trace.grt || exit 1
cat events0 events1 > joined
size=$(wc -c < trace.grt)

says() { grep -qE -e "$1" out; }
copy() { cp "$1" "$2" && chmod 600 "$2"; }
poke() { printf '\377' | dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null; }
events() { "$grtrace" dump -f csv "$@" 2> /dev/null; }
only_of() { "$grtrace" verify "$1" > verdict; [ "$(awk '/^FAILED/ { print $2 }' verdict | xargs)" = "$2" ]; }
leftover() { [ "$(find . -name '*.part-*' | wc -l)" -eq "$1" ]; }

# A recording that ended with kill -9, cut at every length: repaired, it has the events that a
# reader of the damaged file sees.
every_cut()
{
	for bytes in 704 705 1500 3000 56999 57008 90000 300001 $((size - 33)) $((size - 1)); do
		head -c "$bytes" trace.grt > cut.grt
		"$grtrace" repair cut.grt > out 2> err
		case $?:$bytes in
		4:70[45] | 4:1500) [ ! -e repaired.grt ] || return 1; continue ;;
		1:*) ;;
		*) return 1 ;;
		esac
		only_of repaired.grt "" && "$grtrace" dump repaired.grt 2>&1 | grep -q warning && return 1
		events cut.grt > a && events repaired.grt > b && cmp a b || return 1
		rm repaired.grt
	done
}

# A bad byte anywhere: at most one chunk is lost, and nothing crashes.
every_byte()
{
	at=3
	while [ "$at" -lt "$size" ]; do
		copy trace.grt bad.grt
		poke bad.grt "$at"
		run 1 "$grtrace" repair bad.grt || { cmp -s trace.grt bad.grt || return 1; }
		events repaired.grt > b && [ "$(wc -l < b)" -ge 7000 ] || return 1
		at=$((at + 8123 * every))
	done
}

ok "a whole file"		run 0 "$grtrace" repair trace.grt
ok "is copied"			cmp trace.grt repaired.grt
ok "and it says so"		says "^nothing was damaged, nothing was left out$"
ok "what was taken"		says "^repaired.grt: 9,600 events of 3 CPUs, 626.0 KiB$"
rm repaired.grt
ok "cut at any length"		every_cut
head -c 90000 trace.grt > cut.grt
ok "an unfinished file"		run 1 "$grtrace" repair -o new.grt cut.grt
ok "it tells which chunk is cut off, and counts its events" says "^cut.grt, byte 57072: no whole chunk: 32,928 bytes left out, 800 events in them$"
ok "that it was not closed"	says "^cut.grt, byte 90000: no index and trailer"
ok "what is left out"		says "^left out: 32.2 KiB, at least 800 events$"
ok "that more may be missing"	says "^the streams of 2 CPUs have no end"
ok "it is as others' files are"	[ "$(stat -c %a new.grt)" = 600 ]
copy trace.grt bad.grt
poke bad.grt 500000
ok "a bad byte in a chunk"	run 1 "$grtrace" repair bad.grt
ok "with its place and events"	says "^bad.grt, byte 483056: a chunk does not fit its checksum: 53,040 bytes left out, 800 events in them$"
ok "the trailer knows how many are missing" says "^left out: 51.8 KiB, 800 events$"
ok "only these are missing"	only_of repaired.grt "written end"
ok "and readers are told"	sh -c "'$grtrace' report repaired.grt 2> err | grep -q 'missing in the file 800'"
copy trace.grt bad.grt
poke bad.grt 30
ok "a bad header"		run 1 "$grtrace" repair bad.grt
ok "is made anew"		says "^bad.grt, byte 0: the header is damaged; it was made anew$"
ok "with all that is behind it"	sh -c "'$grtrace' dump -f csv repaired.grt | cmp - $(events trace.grt > whole; echo whole)"
copy trace.grt bad.grt
poke bad.grt 3
ok "even its first bytes"	run 1 "$grtrace" repair bad.grt
ok "nothing else is lost"	only_of repaired.grt ""
copy trace.grt bad.grt
poke bad.grt $((size - 10))
ok "a bad trailer"		run 1 "$grtrace" repair bad.grt
ok "is all that is wrong"	[ "$(grep -c '^bad.grt' out)" -eq 1 ]
ok "and mended"			cmp trace.grt repaired.grt
ok "a bad byte anywhere"	every_byte

ok "raw streams"		run 0 "$grtrace" repair events0 events1
ok "become one file"		only_of repaired.grt ""
ok "with the same events"	sh -c "'$grtrace' dump -f csv joined > a; '$grtrace' dump -f csv repaired.grt | cmp - a"
ok "joined ones"		run 0 "$grtrace" repair joined
ok "from a pipe"		sh -c "cat joined | '$grtrace' repair - -o piped.grt > out && cmp piped.grt repaired.grt"
head -c $(($(wc -c < joined) - 100)) joined > short
ok "a cut stream"		run 1 "$grtrace" repair short
ok "to its last whole record"	says "^short, byte 4112: the file ends within a record: 76 bytes left out$"
ok "how much that was is not made up" says "^left out: 76 bytes, an unknown number of events$"
copy joined holed
printf '\377\377' | dd of=holed bs=1 seek=$(($(wc -c < events0) - 174)) conv=notrunc 2> /dev/null
ok "damage in one stream"	run 1 "$grtrace" repair holed
ok "ends with the next stream"	says "^holed, byte [0-9]+: no record, up to the next stream: 176 bytes left out$"
ok "which is whole"		sh -c "[ \$('$grtrace' dump -f csv repaired.grt 2> err | awk -F, '\$2 == 1' | wc -l) -ge 13 ]"
copy events1 other
printf '\377' | dd of=other bs=1 seek=48 conv=notrunc 2> /dev/null
ok "another session"		run 1 "$grtrace" repair events0 other
ok "is left out"		says "^other, byte 0: a stream of another session: [0-9]+ bytes left out$"

cp trace.grt before
ok "the input is not overwritten" complains 3 "'trace.grt' is what is read" "-o" "$grtrace" repair -o trace.grt trace.grt
ln trace.grt alias.grt
ok "by no name of it"		complains 3 "'alias.grt' is what is read" "-o" "$grtrace" repair -o alias.grt trace.grt
ok "nor by any repair"		cmp before trace.grt
rm -f repaired.grt
head -c 4000 /dev/zero > zeros
head -c 3000 trace.grt | tail -c 2000 > middle
ok "zeros"			complains 4 "nothing of a trace in 'zeros'" "events0" "$grtrace" repair zeros
ok "a piece without definitions" run 4 "$grtrace" repair middle
: > empty
ok "an empty file"		complains 4 "'empty' is empty" "record again" "$grtrace" repair empty
ok "no such file"		complains 3 "'none'" "grtrace record" "$grtrace" repair none
ok "a .grt among others"	complains 4 "'trace.grt' is a whole trace" "alone" "$grtrace" repair events0 trace.grt
ok "no file"			complains 2 "name the file" "repair -h" "$grtrace" repair
ok "no folder for it"		complains 3 "cannot create 'no/" "-o" "$grtrace" repair -o no/x.grt trace.grt
ok "none of these made a file"	[ ! -e repaired.grt ]
echo precious > old.grt
ok "no room"			sh -c "ulimit -f 100; ! '$grtrace' repair -o old.grt trace.grt > out 2> err && [ \$(grep -c '^grtrace:' err) = 1 ] && grep -q \"cannot write 'old.grt'\" err"
ok "leaves what was there"	grep -q precious old.grt
ok "and no half of a file"	leftover 0
end
