#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: traces of each release are read as ever, and as a later version might write them, too
#
# A folder of golden/release has the traces that a version wrote (0.1 was the last one before the first
# release): NAME.grt, and raw streams NAME.rawN of one session. NAME.txt is what is read of them;
# GOLDEN=write in the environment writes that anew. Columns that CSV got since then are not compared.
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

releases=$golden/release
first=$build/test/make/fixture-reader-1 later=$build/test/make/later

# What grtrace reads of a trace: definitions and events, jobs, and the report.
read_all()	# trace...
{
	{
		echo "== dump" && "$grtrace" dump -d "$@" &&
			echo "== jobs" && "$grtrace" report --jobs -f csv "$@" &&
			echo "== report" && "$grtrace" report "$@"
	} > all 2> err
}

# Reads a text like that of read_all; leaves out the last columns of jobs, which the kept one lacks.
without_new_columns()	# kept text
{
	awk -F, '
		/^== / { is_jobs = $0 == "== jobs"; is_header = is_jobs }
		FNR == NR { if (is_header && !/^== /) { columns = NF; is_header = 0 } next }
		is_header && !/^== / { more = NF - columns; is_header = 0 }
		is_jobs && !/^== / { for (i = 0; i < more; i++) sub(/,[^,]*$/, "") }
		{ print }' "$1" -
}

as_kept()	# file of golden, trace...
{
	kept=$1
	shift
	read_all "$@" || return 1
	[ "${GOLDEN-}" != write ] || cp all "$kept"
	without_new_columns "$kept" < all | diff "$kept" - > out
}

# The first reader counts the events of types that it knows.
counts() { "$first" "$1" | grep "^$2 "; }
first_reads() { counts "$1" type > out && [ -s out ]; }
first_reads_same() { counts "$1" type > now && counts "$2" type | cmp - now; }
first_sees_more() { [ "$(counts "$2" unknown)" != "$(counts "$1" unknown)" ]; }

# A later version's file: all that this one knows is the same.
makes_more() { "$later" more "$1" later/"$1"; }
without_new()
{
	sed -e 's/|BIT7//; s/ flags=BIT7$//' -e 's/later_version=1\\n//' \
		-e '/ STREAM_INFO /s/ features=[^ ]*\(.*\) subbuf_bytes=.*/\1/' \
		-e '/^== report/,/^$/s/ · [0-9,]* records* of types* that [ai][rs]e* not known//'
}
reads_same()
{
	read_all "$1" && (cd later && read_all "$1") || return 1
	without_new < all > today && without_new < later/all > now && diff today now > out
}
tells() { grep -q -e "record.* not known" later/err && grep -q "chunk.* left out, of a kind that is not known" later/err; }
counts_new() { sed -n '/^== report/,$p' later/all | grep -q "^[0-9]* events lost · [0-9]* records\{0,1\} of types\{0,1\} that .* not known"; }
problems() { "$grtrace" verify -f json "$1" | sed 's/"unknown_events":[0-9]*//; s/"events":[0-9]*//; s/byte [0-9]*//g'; }
verifies_same() { problems "$1" > today; (cd later && problems "$1") > now; diff today now > out; }

# New values are shown as numbers, and nothing stumbles over them.
with_values()	# trace, then a command
{
	trace=$1
	shift
	"$later" values "$trace" values.grt && run 0 "$grtrace" "$@" values.grt
}
shows_values() { with_values "$1" dump -d && grep -Eq "(engine|order)=200 .*(engine|order)=200" out; }

# How many types of records a dump shows. It shows all but SUBBUF and STREAM_END, which only serve to read.
types_in() { sed -n 's/^ *[0-9.]* \[[0-9]*\] \([A-Z_]*\) .*/\1/p' "$1" | sort -u | wc -l; }

ok "a trace of 1.0.0 has each of its types"	[ "$(types_in "$releases/1.0.0/every.txt")" -eq 35 ]
for release in "$releases"/*/; do
	version=$(basename "$release")
	rm -rf work && mkdir -p work/later && cp "$release"/* work && cd work || exit 1
	for trace in *.grt; do
		base=${trace%.grt}
		ok "$version, $base: it is read as ever"	as_kept "$release$base.txt" "$trace"
		ok "by the first reader, too"			first_reads "$trace"
		ok "a later version writes more"		makes_more "$trace"
		ok "the rest of it is read as ever"		reads_same "$trace"
		ok "what is new is counted"			counts_new
		ok "and warned of"				tells
		ok "verify sees no more problems"		verifies_same "$trace"
		ok "the first reader reads it"			first_reads_same "$trace" "later/$trace"
		ok "and counts what is new"			first_sees_more "$trace" "later/$trace"
		ok "a slice of it can be made"			run 0 "$grtrace" slice --since 0 -o slice.grt "later/$trace"
		case $base in every | module) ;; *) continue ;; esac
		ok "new values are shown as numbers"		shows_values "$trace"
		for report in report "report --jobs" "report --memory" "report --frames" "report --idle" \
			"report --per-ring" "report -f json" timeline "export --to csv -o x.csv" \
			"export --to html -o x.html" "export --to perfetto -o x.pftrace"; do
			# shellcheck disable=SC2086
			ok "$report does not stumble over them"	with_values "$trace" $report
		done
	done
	for raw in *.raw0; do
		[ -e "$raw" ] || continue
		ok "$version, ${raw%.raw0}: streams are read as ever" as_kept "$release${raw%.raw0}.txt" "${raw%0}"*
	done
	cd .. || exit 1
done
end
