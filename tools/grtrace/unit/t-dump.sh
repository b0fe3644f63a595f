#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace dump prints a trace as it always did, and refuses what is none
# The functions are called through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

golden()	# file in golden/, options
{
	expected=$unit/golden/$1
	shift
	run 0 "$grtrace" dump "$@" && diff "$expected" out > err
}

one_error() { [ "$(grep -c '^grtrace:' err)" -eq 1 ] && [ ! -s out ]; }
no_words() { [ ! -s err ]; }

"$gen" example 0 > events0 && "$gen" example 1 > events1 || exit 1
cat events1 events0 > joined
"$gen" grt 3 3000 jobs.grt || exit 1
: > empty
head -c 4000 /dev/zero > zeros
printf 'grtfile\0' > short
head -c 2000 events0 > cut.raw

ok "text"				golden example.txt events0 events1
ok "text with definitions"		golden definitions.txt -d events0 events1
ok "csv"				golden example.csv --format csv events0 events1
ok "json"				golden example.json --format json events0 events1
ok "joined files are the same"		golden example.txt joined
ok "standard input is the same"		golden example.txt - < joined
ok "every CSV line has all columns"	awk -F, 'NR == 1 { n = NF } /"/ { next } NF != n { exit 1 }' \
	"$unit/golden/example.csv"
ok "limit"				run 0 "$grtrace" dump -n 5 events0
ok "limit counts lines"			[ "$(wc -l < out)" -eq 5 ]
ok "a .grt"				run 0 "$grtrace" dump jobs.grt
ok "all its events"			[ "$(wc -l < out)" -ge 3000 ]
ok "no warning for a good file"		no_words
ok "a cut stream is read"		run 0 "$grtrace" dump cut.raw
ok "and it is told"			grep -q "warning: 'cut.raw' ends within a record" err
ok "no file: trace.grt"			complains 3 "'trace.grt'" "grtrace record" "$grtrace" dump
ok "an empty file"			complains 4 "'empty' is empty" "record" "$grtrace" dump empty
ok "it says one thing"			one_error
ok "zeros are no trace"			complains 4 "'zeros' is no trace" "events0" "$grtrace" dump zeros
ok "a header that is cut"		complains 4 "'short' ends within" "record" "$grtrace" dump short
ok "a folder"				complains 3 "folder" "name a file" "$grtrace" dump "$dir"
ok "no such file"			complains 3 "'none'" "grtrace record" "$grtrace" dump none
ok "a .grt is not joined"		complains 4 "joined" "alone" "$grtrace" dump jobs.grt events0
ok "an unknown format"			complains 2 "no format 'xml': text, csv or json" "dump -h" "$grtrace" dump -f xml events0
ok "an unknown option"			complains 2 "no option '--nope'" "grtrace dump -h" "$grtrace" dump --nope
ok "a bad number"			complains 2 "not a number" "grtrace dump -h" "$grtrace" dump -n many
ok "live and files"			complains 2 "no files" "grtrace dump -h" "$grtrace" dump -l events0
ok "an unknown command"			complains 2 "no command 'dmup'" "grtrace dump" "$grtrace" dmup
ok "a far-off command"			complains 2 "no command" "grtrace -h" "$grtrace" frobnicate

"$grtrace" dump jobs.grt 2> err | head -n 1 > out
ok "a reader that goes away is no error" no_words
run 3 "$grtrace" dump jobs.grt > /dev/null
"$grtrace" dump jobs.grt > /dev/full 2> err
ok "a full disk is"			[ $? -eq 3 ]
ok "and it is told"			grep -q "cannot write to standard output" err
end
