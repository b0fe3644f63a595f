#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace dump prints a trace as expected, and refuses other files
# Tests call these functions through ok().
# shellcheck disable=SC2317,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

golden()	# file in golden/, options
{
	expected=$golden/dump/$1
	shift
	run 0 "$grtrace" dump "$@" || return
	[ "${GOLDEN-}" != write ] || cp out "$expected"
	diff "$expected" out > err
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
"$gen" timeline all > all.bin || exit 1
ok "an event of the kernel's tracing"	golden trace-event.txt --type TRACE_EVENT all.bin
ok "in csv"				golden trace-event.csv --format csv --type TRACE_EVENT all.bin
ok "in json"				golden trace-event.json --format json --type TRACE_EVENT all.bin
ok "joined files are the same"		golden example.txt joined
ok "standard input is the same"		golden example.txt - < joined
ok "every CSV line has all columns"	awk -F, 'NR == 1 { n = NF } /"/ { next } NF != n { exit 1 }' \
	"$golden/dump/example.csv"
ok "limit"				run 0 "$grtrace" dump -n 5 events0
ok "limit counts lines"			[ "$(wc -l < out)" -eq 5 ]
ok "a .grt"				run 0 "$grtrace" dump jobs.grt
ok "all its events"			[ "$(wc -l < out)" -ge 3000 ]
ok "no warning for a good file"		no_words
ok "a cut stream is read"		run 0 "$grtrace" dump cut.raw
ok "with a warning"			grep -q "warning: 'cut.raw' ends within a record" err
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

# Events by type, ring, process, CPU, job, time and filter.
"$gen" scene blame > blame || exit 1
"$gen" scene two-devices > devices || exit 1
lines()		# how many, a pattern that each has, options
{
	wanted=$1 pattern=$2
	shift 2
	run 0 "$grtrace" dump "$@" && [ "$(wc -l < out)" -eq "$wanted" ] &&
		[ "$(grep -c -e "$pattern" out)" -eq "$wanted" ]
}

ok "--type"			lines 4 " SUBMIT " --type SUBMIT blame
ok "--type, two, in any case"	lines 8 " SUBMIT \| COMPLETE " --type submit,Complete blame
ok "--type, a pattern"		lines 8 " COM[MP]" --type 'COM*' blame
ok "--type of a definition"	lines 2 " RING " --type RING blame
ok "--ring by name"		lines 8 "ring=2(compute)\|ctx=[23] seqno=1" --ring compute blame
ok "--ring by number"		lines 8 "ring=2(compute)\|ctx=[23] seqno=1" --ring 2 blame
ok "--ring by device and name"	lines 8 "ring=3(gfx)" --ring 0000:0c:00.0/gfx -n 8 devices
ok "--pid: also events without a process" lines 4 "ctx=2 seqno=1" --pid 8 blame
ok "--comm"			lines 4 "ctx=2 seqno=1" --comm llama blame
ok "--cpu"			lines 16 "\[000\]" --cpu 0,2-5 --type 'SUBMIT,COM*,END' blame
ok "--cpu, none of them"	lines 0 "" --cpu 3 blame
ok "--job, and who waits for it" lines 5 "ctx=2 \(dep_\)*seqno=1" --job 2:1 blame
ok "--until"			lines 6 " 1.0000[0-4]0000 " --until 45us blame
ok "--since and --until"	lines 4 " 1.0000[2-4]0000 " --since '20 us' --until 45us blame
ok "--filter"			lines 1 "ctx=3 .*tgid=9" -F 'type == SUBMIT and comm == train' blame
ok "--filter by ring"		lines 2 " COMMIT .*ring=1(gfx)" --filter 'ring == gfx && type == commit' blame
ok "--filter by time"		lines 1 " 1.000010000 " -F 'ts > 1.000000001 s and ts < 1.000020 s' blame
ok "--filter: a flag"		lines 1 "flags=DECLARED" -F 'flags == declared and ctx == 1' -n 1 blame
ok "--filter: a field that the type lacks is unknown" lines 0 "" -F 'not vmid == 7' --type SUBMIT blame
ok "--filter beside --type"	lines 1 "ctx=3" --type COMPLETE -F 'status == ok' --ring compute -n 1 blame
ok "--ts-diff"			lines 3 "" --ts-diff -n 3 blame
ok "nothing before the first"	sh -c "head -1 out | grep -q '1.000000000                \[000\]'"
ok "then the difference"	sh -c "sed -n 2p out | grep -q '1.000010000 (+0.000010000) \[000\]'"
ok "names in CSV come last"	sh -c "'$grtrace' dump -f csv --type COMMIT --ts-diff blame > out && sed 's/.*,//' out | tr '\n' ' ' > err && grep -q '^ts_diff_ns  ' err && head -2 out | tail -1 | grep -q ',compute,train,\$'"
ok "every line has as many columns as the header"	sh -c "awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' out"
ok "names in JSON"		sh -c "'$grtrace' dump -f json --type COMMIT --ts-diff -n 1 blame | grep -q '\"ring_name\":\"compute\",\"process_name\":\"train\",\"ts_diff_ns\":null}\$'"
ok "an unknown type"		complains 2 "no type 'JUMP'" "SUBMIT COMPLETE" "$grtrace" dump --type JUMP blame
ok "no list of CPUs"		complains 2 "no list of CPUs" "0,2-5" "$grtrace" dump --cpu 3-1 blame
ok "a CPU number out of range"	complains 2 "no list of CPUs" "0,2-5" "$grtrace" dump --cpu 65536 blame
ok "no job"			complains 2 "'7' is no job" "401:78" "$grtrace" dump --job 7 blame
ok "no such ring: which there are" complains 2 "no ring 'nope'" "gfx (1), compute (2)" "$grtrace" dump --ring nope blame
ok "nothing found: what there is" complains 0 "no event among" "gfx (1), compute (2); processes: .*game (7)" "$grtrace" dump --pid 4711 blame
ok "an unknown field"		complains 2 "filter, column 1: no field 'nope'" "fields: type cpu ts" "$grtrace" dump -F 'nope == 1' blame
ok "an unknown value"		complains 2 "no code 'oops'" "HANG" "$grtrace" dump -F 'code == oops' blame
ok "losses stay, whatever ring"	lines 3 " LOSS " --ring none -F 'type == LOSS' events0
ok "--type leaves out losses, but a warning counts them" sh -c "'$grtrace' dump --type SUBMIT events0 2>&1 > out | grep -q 'warning: .* missing in this trace'"
ln -s "$grtrace" parse_events
ok "parse_events is dump"	sh -c "./parse_events events0 > out && '$grtrace' dump events0 | cmp - out"

"$grtrace" dump jobs.grt 2> err | head -n 1 > out
ok "a reader that goes away is no error" no_words
run 3 "$grtrace" dump jobs.grt > /dev/null
"$grtrace" dump jobs.grt > /dev/full 2> err
ok "a full disk is an error"		[ $? -eq 3 ]
ok "the error says so"			grep -q "cannot write to standard output" err
end
