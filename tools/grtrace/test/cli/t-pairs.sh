#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a trace with every record and hostile names comes back whole, but for what the manual names
# Tests call these functions through ok(); patterns have backquotes and dollars.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

manual=$tools/../../Documentation/export.rst
set -f		# the exceptions have stars

# What differs on the way whose row of the manual's table begins with ``$1``, a word for each.
exceptions()
{
	awk -v way="\`\`$1\`\`" '
		/^   \* - / { is_row = index($0, "   * - " way) == 1; next }
		/^[^ ]/ { is_row = 0 }
		is_row' "$manual" | grep -o '``[A-Z_*]*\.[a-z_]*``' | tr -d '`'
}

dump() { "$grtrace" dump -d -f csv "$@"; }

comes_back()	# way, files: they have the records of before.csv
{
	way=$1
	shift
	dump "$@" > after.csv 2> err || return 1
	# shellcheck disable=SC2046
	perl "$tools/test/cli/records.pl" before.csv after.csv $(exceptions "$way") > out
}

# Prints all tables of a trace: those of all processes, then those of the selected one. The time that a report took is
# left out.
reports()
{
	while read -r options; do
		echo "$options"
		# shellcheck disable=SC2086
		"$grtrace" report $options -f csv "$1" 2> notes
		cat notes
	done <<-END | sed "/^report_/d; s|$1|FILE|g"
		--jobs
		-a --synthetic --jobs
		-a --per-ring --per-device --per-engine --per-process --per-cgroup --per-pod --per-client --per-ctx
		-a --idle --blame --hist lat,result
		-a --roots
		-a --per-second
		-a --stacks wait
		-a --frames
		-a --displays
		-a --memory
		-a --why $why
	END
}

same_reports()	# files
{
	reports "$1" > after.reports
	cmp before.reports after.reports > out || { diff before.reports after.reports | head -5 >> out; return 1; }
}

"$gen" hostile whole.grt stream.0 stream.1 || exit 1
dump whole.grt > before.csv 2> err || exit 1
why=70001:4294967294
reports whole.grt > before.reports

# --- the trace has everything: whatever is added to the format must be in it ---

# "TYPE.member" and "TYPE flag" for each of the format, less accounts of the stream, which dump leaves out.
listed()
{
	"$build/test/make/list-format" | awk '
		/^record / { type[$4] = $3 }
		/^(member|text) / { split($2, part, "."); print type[part[1]] "." part[2] }
		/^flag .* of [A-Z]/ { print $NF " " $3 }' | grep -vE '^(\.|SUBBUF|STREAM_END)' | sort -u
}

# The same for each that has another value than 0 or none in a record.
met()
{
	perl -e '
		$_ = <>; chomp; @names = split /,/;
		while (<>) {
			chomp; @cells = ();
			push @cells, $1 while /\G("(?:[^"]|"")*"|[^,]*)(?:,|$)/g;
			for $i (1 .. $#names) {
				next if $cells[$i] =~ /^(0|0x0|)$/;
				print "$cells[0].$names[$i]\n";
				if ($names[$i] eq "flags") { print "$cells[0] $_\n" for split /[|]/, $cells[$i]; }
			}
		}' before.csv | sort -u
}

listed > listed
met > met
ok "the format has members and flags"	[ "$(wc -l < listed)" -gt 200 ]
ok "all are in the trace"		sh -c "comm -23 listed met > out; [ ! -s out ]"
ok "it is correct"			run 0 "$grtrace" verify whole.grt
ok "its reports are no errors"		sh -c "! grep '^grtrace: [^w]' before.reports > out"

# --- the test would find a difference ---

sed 's/^\(SUBMIT,.*,70000,4294967293\),/\1x,/' before.csv > other.csv
ok "a member that differs is found"	sh -c "! perl '$tools/test/cli/records.pl' before.csv other.csv > out && grep -q '^SUBMIT.seqno: ' out"
grep -v '^NOTE,.*1001' before.csv > other.csv
ok "a record that is missing is found"	sh -c "! perl '$tools/test/cli/records.pl' before.csv other.csv > out && grep -q '^NOTE: ' out"
ok "an exception without need is found"	sh -c "! perl '$tools/test/cli/records.pl' before.csv before.csv 'MARK.*' > out && grep -q unused out"

# --- the ways ---

ok "raw streams"			comes_back raw stream.0 stream.1
cat stream.0 stream.1 > both
ok "raw streams in one file"		comes_back raw both

ok "repair"				run 0 "$grtrace" repair -o repaired.grt whole.grt
ok "repair: the records"		comes_back repair repaired.grt
ok "repair: the reports"		same_reports repaired.grt
ok "repair of raw streams"		run 0 "$grtrace" repair -o repaired-raw.grt stream.0 stream.1
ok "repair of raw streams: the records"	comes_back repair repaired-raw.grt

ok "slice by time"			run 0 "$grtrace" slice --since 0 -o slice.grt whole.grt
ok "slice by time: the records"		comes_back slice slice.grt
ok "slice by time: the reports"		same_reports slice.grt
ok "slice by ring"			run 0 "$grtrace" slice --ring 1,2,3,4,5,6,7,8,9 -o rings.grt whole.grt
ok "slice by ring: the records"		comes_back slice rings.grt

ok "merge"				run 0 "$grtrace" merge -o merged.grt stream.0 stream.1
ok "merge: the records"			comes_back merge merged.grt

ok "to trace.dat"			run 0 "$grtrace" export --to trace.dat -o whole.dat whole.grt
ok "from trace.dat"			run 0 "$grtrace" import -o imported.grt whole.dat
ok "trace.dat: the records"		comes_back trace.dat imported.grt
ok "trace.dat: the reports"		same_reports imported.grt
ok "trace.dat: the reports without import"	same_reports whole.dat
sizes() { "$grtrace" report --events -f csv "$1" | cut -d, -f1-4; }
sizes whole.grt > before.sizes 2> err
sizes imported.grt > after.sizes 2> err
ok "trace.dat: no record is longer"	cmp before.sizes after.sizes
ok "trace.dat: it is correct"		run 0 "$grtrace" verify imported.grt
ok "twice is as once"			run 0 "$grtrace" export --to trace.dat -o twice.dat imported.grt
ok "a second import"			run 0 "$grtrace" import -o again.grt twice.dat
dump imported.grt > before.csv 2> err
dump again.grt > after.csv 2> err
ok "has the same records"		cmp before.csv after.csv

# What a slice says of itself decides what reports may say of its beginning.
"$gen" scene foreign > scene.grt
"$grtrace" slice --since 200us -o part.grt scene.grt 2> err
"$grtrace" export --to trace.dat -o part.dat part.grt 2> err
why=7:2
reports part.grt > before.reports
ok "a slice by trace.dat: the reports"	same_reports part.dat
end
