#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: untrusted names cannot control a terminal or a spreadsheet
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# Bytes that may control a terminal: control characters except line ends, C1, and characters that
# change the direction of text.
obeyed='[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]'

harmless()	# file
{
	! LC_ALL=C grep -qaP "$obeyed" "$1" && iconv -f utf-8 -t utf-8 "$1" > /dev/null 2>&1
}

# both of its outputs, with whatever it ends
both() { "$grtrace" "$@" > out 2> err; harmless out && harmless err; }

each()		# command and options, of every file that has its turn
{
	for file in *.grt; do
		has_turn || continue
		"$grtrace" "$@" "$file" >> all.out 2>> all.err
	done
	mv all.out out && mv all.err err && [ -s out ] && harmless out && harmless err
}

written()	# a command that writes a file: run on every file, then report reads the result
{
	for file in name-*.grt; do
		has_turn || continue
		rm -f written.grt
		both "$1" -o written.grt "$file" || return 1
		both report written.grt || return 1
		both dump -d written.grt || return 1
	done
	rm -f written.grt
}

refused()	# names in errors and hints
{
	both report --ring "$evil" base.grt && both report --pid "$evil" base.grt &&
		both dump "$evil.none" && both "$evil" && both report --"$evil" && both dump -f "$evil" &&
		both slice --ring "$evil" base.grt && both report --filter "$evil" base.grt &&
		both merge base.grt "$evil.none" && both report -w "$evil" base.grt
}

cp "$golden"/names/*.grt . && "$gen" pair base.grt || exit 1
evil=$(printf 'a\033]0;b\007\302\233c\342\200\256d')
cp name-esc.grt "$evil.grt"

ok "the test would find an escape"	sh -c "! printf 'a\\033b' | LC_ALL=C grep -qvaP '$obeyed'"
for format in text csv json; do
	ok "report: $format"		each report -f "$format"
	ok "jobs: $format"		each report -f "$format" --jobs
	ok "groups: $format"		each report -f "$format" --per-ring --per-device \
		--per-engine --per-process --per-client --per-ctx
	ok "idle and blame: $format"	each report -f "$format" --idle --blame
	ok "histograms: $format"	each report -f "$format" --hist lat
	ok "sizes and results: $format" each report -f "$format" --hist size
	ok "results: $format"		each report -f "$format" --hist result
	ok "overhead: $format"		each report -f "$format" --overhead
	ok "why: $format"		each report -f "$format" --why 7:1
	ok "frames: $format"		each report -f "$format" --frames
	ok "frames of all: $format"	each report -f "$format" --frames --per-process --refresh 60
	[ "$format" = json ] || ok "timeline: $format" each timeline -f "$format" --width 160
	ok "dump: $format"		each dump -f "$format" -d
	ok "dump, events: $format"	each dump -f "$format"
	ok "diff: $format"		each diff -f "$format" base.grt
done
ok "verify: text"			each verify
ok "verify: json"			each verify -f json
ok "timeline: a job"			each timeline --around 7:1 --ascii
ok "timeline: latencies"		each timeline --latency-only
ok "timeline: a list"			each timeline --list
ok "slice"				written slice
ok "repair"				written repair
ok "merge"				written merge
ok "errors and hints"			refused

cells()		# pattern, options: so many lines of CSV have such a text
{
	pattern=$1
	shift
	turns=0		# the same files each time
	for file in name-*.grt; do
		has_turn || continue
		"$grtrace" dump -f csv -d "$@" "$file" 2> err
		"$grtrace" report -f csv --jobs "$@" "$file" 2> err
		"$grtrace" report -f csv --per-process --blame --idle "$@" "$file" 2> err
		"$grtrace" diff -f csv "$@" "$file" base.grt 2> err
	done | grep -cE "(^|,)\"?$pattern"
}

exact()		# a name comes back from CSV as it was
{
	"$grtrace" dump -f csv -d name-esc.grt 2> err > out
	grep -q '\\x1b]52;c;' out || return 1
	"$grtrace" dump -f csv -d name-csvq.grt 2> err > out
	grep -q ',"a"",""b,\\n=1",' out
}

# A minus and digits are a number.
formula='([=+@]|-[^0-9]|-[0-9]+[^0-9,])'
ok "formulas are in the traces"		[ "$(cells "$formula")" -gt 0 ]
ok "a spreadsheet gets none"		[ "$(cells "$formula" --csv-safe)" -eq 0 ]
ok "but texts"				[ "$(cells "'$formula" --csv-safe)" -eq "$(cells "$formula")" ]
ok "CSV is exact"			exact
ok "a row is a line"			sh -c "'$grtrace' dump -f csv -d name-nl.grt 2> err |
	grep -vqE '^[A-Z_]+,[0-9]+,|^type' && exit 1 || exit 0"
end
