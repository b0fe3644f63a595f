#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace verify reports which rules a trace follows, with its exit codes
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

"$gen" example 0 > events0 && "$gen" example 1 > events1 || exit 1
"$gen" grt 3 9000 trace.grt || exit 1
cat events0 events1 > joined
cp trace.grt bad.grt
printf '\377' | dd of=bad.grt bs=1 seek=500000 conv=notrunc 2> /dev/null
head -c 90000 trace.grt > cut.grt
head -c 4000 /dev/zero > zeros

says() { grep -qE -e "$1" out; }

ok "trace.grt without a name"		run 0 "$grtrace" verify
ok "every check has a line"		[ "$(grep -cE '^(ok|skipped)  ' out)" -eq 22 ]
ok "the sum"				says "^trace.grt: 9,600 events of 3 CPUs, 20 checks, 0 failed, 2 skipped$"
ok "raw streams"			run 0 "$grtrace" verify events0 events1
ok "what cannot be checked is told"	says "^skipped  checksums .*raw streams"
ok "joined streams"			run 0 "$grtrace" verify joined
ok "standard input"			run 0 "$grtrace" verify - < joined
ok "a bad byte"				run 1 "$grtrace" verify bad.grt
ok "is named with its place"		says "^FAILED   checksums +1 violation; the first: bad.grt, byte [0-9]+: the payload"
ok "so is what follows from it"		says "^FAILED   written "
ok "a file that was not closed"		run 1 "$grtrace" verify cut.grt
ok "is named"				says "^FAILED   closed .*cut.grt, byte 90000: no trailer"
ok "events twice"			run 1 "$grtrace" verify events0 events0
ok "are named"				says "^FAILED   cseq .*the event before it was 0, but it was 13"
ok "JSON"				run 1 "$grtrace" verify -f json bad.grt
ok "JSON: a check"			says '^\{"name":"time","result":"ok","violations":0,"text":"'
ok "JSON: a failed one"			says '^\{"name":"checksums","result":"failed","violations":1,"text":"bad.grt, byte'
ok "zeros are no trace"			complains 4 "'zeros' is no trace" "events0" "$grtrace" verify zeros
"$gen" dat small > trace.dat && "$gen" dat-text small > trace.txt || exit 1
for file in trace.dat trace.txt; do
	ok "$file is of another tool"	complains 4 "'$file' is a trace of another tool" "grtrace import $file" "$grtrace" verify $file
	ok "the hint can be pasted"	run 0 sh -c "PATH=$build:\$PATH; $(sed -n 's/^hint: //p' err)"
done
ok "no such file"			complains 3 "'none'" "grtrace record" "$grtrace" verify none
ok "an unknown format"			complains 2 "no format 'csv': text or json" "verify -h" "$grtrace" verify -f csv
end
