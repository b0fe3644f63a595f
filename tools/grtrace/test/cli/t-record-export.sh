#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --export on a folder that looks like the module's: files of rows, what a killed recorder left, a full disk, a limit
# Tests call these functions through ok().
# shellcheck disable=SC2317,SC2016,SC2012
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export GRTRACE_DIR="$dir/debugfs"

module()
{
	rm -rf "$GRTRACE_DIR"
	mkdir "$GRTRACE_DIR"
	"$gen" bulk 0 2000 > "$GRTRACE_DIR/events0"
	echo 0 > "$GRTRACE_DIR/enabled"
	echo running > "$GRTRACE_DIR/control"
	printf 'buffer_size=4194304\nglobal_seq=1\n' > "$GRTRACE_DIR/config"
	printf 'version=1\nformat_version=1\n' > "$GRTRACE_DIR/version"
	: > "$GRTRACE_DIR/stats"
}

wait_until()	# command: at most ten seconds
{
	tries=200
	until "$@" > /dev/null 2>&1; do
		[ $((tries -= 1)) -gt 0 ] || return 1
		sleep 0.05
	done
}

# Its stream goes on until somebody kills $holder.
goes_on()
{
	module
	mv "$GRTRACE_DIR/events0" stream
	mkfifo "$GRTRACE_DIR/events0"
	exec 3<> "$GRTRACE_DIR/events0"
	rm -f ready
	# The first read must find the stream, and a pipe has no room for all of it.
	{ head -c 32768 stream; : > ready; tail -c +32769 stream | head -c -176; exec sleep 60; } >&3 2> /dev/null &
	holder=$!
	wait_until [ -e ready ]
}

record() { "$grtrace" record --source=module --export rows "$@"; }
says() { grep -q -e "$1" err; }
rows() { find rows -maxdepth 1 -name 'jobs-????????-??????-????.ndjson' | wc -l; }
# Without what differs between two recordings, or between a segment and a whole trace.
plain() { jq -c 'del(.segment, .trace, .day, .realtime_ns)'; }
no_segments() { [ -z "$(ls -A rows/.segments)" ]; }

module
"$grtrace" record --source=module -q -o t.grt && "$grtrace" export --to ndjson t.grt | plain > whole || exit 1
module
ok "records and exports"		run 0 record
ok "one file of rows"			[ "$(rows)" = 1 ]
ok "is told"				says "^rows: 1 file of rows\$"
ok "has the rows of the recording"	sh -c 'jq -c "del(.segment, .trace, .day, .realtime_ns)" rows/jobs-*.ndjson | diff - whole > out'
ok "only its owner reads it"		[ "$(stat -c %a rows/jobs-*.ndjson)" = 600 ]
ok "no segment is left"			no_segments
module
ok "once more"				run 0 record -q
ok "is another file"			[ "$(rows)" = 2 ]
ok "without a word"			[ ! -s err ]
module
ok "beside a flight recorder"		run 0 record --flight -o snap.grt
ok "is a third one"			[ "$(rows)" = 3 ]
ok "and the last events"		[ "$("$grtrace" dump snap-end.grt | grep -c SUBMIT)" = "$("$grtrace" dump t.grt | grep -c SUBMIT)" ]
ok "whose name is told"			says "^snap-end.grt: the last "

# --- what does not fit ---
for wrong in "--rotate 1M" "--summary" "--live" "--slower-than 1ms" "--type SUBMIT" "-M 0" "--gauges 5" "-o x.grt" "--max-size 1G"; do
	# shellcheck disable=SC2086	# several words
	ok "not with $wrong"		complains 2 "" "record -h" "$grtrace" record --export rows $wrong
done
ok "--every needs it"			complains 2 "needs --export" "record -h" "$grtrace" record --every 1s
ok "--export-max, too"			complains 2 "needs --export" "record -h" "$grtrace" record --export-max 1G
ok "not too often"			complains 2 "100ms or more" "record -h" "$grtrace" record --export rows --every 1ms
module
ok "a folder that cannot be made"	complains 3 "cannot make 'no/rows'" "another folder" "$grtrace" record --source=module --export no/rows
ok "a file"				complains 3 "cannot make 't.grt/.segments'" "another folder" "$grtrace" record --source=module --export t.grt
ok "no session was begun"		[ "$(cat "$GRTRACE_DIR/control")" = running ]
{ flock 9; exec sleep 60; } 9< rows/.segments > /dev/null 2>&1 &
locker=$!
wait_until sh -c '! flock -n rows/.segments true'
ok "two of them"			complains 3 "another recorder exports to 'rows'" "stop it" "$grtrace" record --source=module --export rows
kill $locker

# --- killed ---
rm -rf rows
goes_on
"$grtrace" record --source=module --export rows -q > out 2> err &
recorder=$!
written() { [ -n "$(find rows/.segments -name '*.grtrace-rec-*' -size +100k)" ]; }
ok "while it records"			wait_until written
sleep 1.2
kill -9 $recorder $holder
exec 3>&-
wait $recorder 2> /dev/null
ok "no file of rows is there yet"	[ "$(rows)" = 0 ]
module
ok "after a kill -9 the next one"	run 0 record -q
ok "exports what was left, too"		[ "$(rows)" = 2 ]
first=$(ls rows/jobs-* | head -n 1)
ok "as far as it was written"		[ "$(grep -c '"row":"job"' "$first")" -gt 100 ]
ok "with a ledger"			sh -c 'tail -n 1 "$1" | grep -q "^{\"row\":\"ledger\""' sh "$first"
ok "and leaves nothing"			no_segments

# --- left in other ways ---
segment() { echo "rows/.segments/jobs-20250101-000000-$1"; }
cp t.grt "$(segment 0001.grt)"
cp t.grt "$(segment 0002.grt)" && chmod 400 "$(segment 0002.grt)"
cp t.grt "$(segment 0003-cut-a1B2c3.grt)"
echo damage > "$(segment 0004.grt)"
echo begun > "$(segment 0005-cut-a1B2c3.grt)"
module
ok "segments of all kinds"		run 0 record -q
ok "what was not exported is"		[ -s rows/jobs-20250101-000000-0001.ndjson ]
ok "what was is not again"		[ ! -e rows/jobs-20250101-000000-0002.ndjson ]
ok "what was cut is"			[ -s rows/jobs-20250101-000000-0003.ndjson ]
ok "what is no trace is told"		says "warning: 'jobs-20250101-000000-0004.grt' cannot be exported, and stays with the name .bad: .*is no trace"
ok "and kept"				[ "$(ls rows/.segments)" = jobs-20250101-000000-0004.grt.bad ]
ok "an empty one is removed"		says "warning: 'jobs-20250101-000000-0005-cut-a1B2c3.grt' was begun and has nothing that can be read: removed"
rm "$(segment 0004.grt.bad)"
cp t.grt "$(segment 0009.grt)" && echo shipped > rows/jobs-20250101-000000-0009.ndjson
module
ok "killed before it was marked"	run 0 record -q
ok "its rows stay as they are"		[ "$(cat rows/jobs-20250101-000000-0009.ndjson)" = shipped ]
ok "nothing is left"			no_segments

# --- what the module still holds ---
# A stopped session with unread events: $1 is a byte of its start, \073 that of the segment.
holds_session()
{
	module
	echo stopped > "$GRTRACE_DIR/control"
	printf 'unread_bytes=100000\nsession_id=%s\n' "$("$grtrace" dump -d t.grt | sed -n 's/.* session_id=\([0-9]*\).*/\1/p' | head -n 1)" > "$GRTRACE_DIR/stats"
	printf %b "$1" | dd of="$GRTRACE_DIR/events0" bs=1 seek=67 conv=notrunc 2> /dev/null
	rm -f rows/.segments/*
	cp cut.grt "$(segment 0001.grt)"
}
# A stream: definitions, three sub-buffers of one size, and the END_OF_STREAM record.
module
defs=$(($("$gen" bulk 0 0 | wc -c) - 176)) bytes=$(wc -c < "$GRTRACE_DIR/events0")
subbuf=$(((bytes - 176 - defs) / 3))
cp "$GRTRACE_DIR/events0" stream
head -c $((defs + subbuf + subbuf / 2)) stream > "$GRTRACE_DIR/events0"
"$grtrace" record --source=module -q -o part.grt 2> err
# The file of a recorder that was killed after it had read a part of the second one.
head -c -8 part.grt > cut.grt
# What the module still holds: the sub-buffers from that number on.
holds_from() { { head -c "$defs" stream; tail -c +$((defs + subbuf * ($1 - 1) + 1)) stream; } > "$GRTRACE_DIR/events0"; }
events_of() { "$grtrace" dump --format csv "$1" 2> err | awk -F, '$1 ~ /^(SUBMIT|COMMIT|END|COMPLETE)$/' | cut -d , -f 1-5; }
missing_of() { "$grtrace" export --to ndjson --segment --last "$1" 2> err | sed -n 's/.*"row":"ledger".*"missing":\([0-9]*\).*/\1/p'; }
events_of t.grt > all
events_of cut.grt > some
refuses() { complains 3 "holds .* that nobody has read" "grtrace extract" "$grtrace" record --source=module --export rows; }
holds_session '\074'
ok "events of another session of the same id"	refuses
ok "are not taken"			cmp cut.grt "$(segment 0001.grt)"
# The files of a test do not know that their events were read, so it is refused as well.
ok "a recorder was killed in the middle"	[ "$(wc -l < some)" -gt 800 -a "$(wc -l < some)" -lt 1600 ]
holds_session '\073'
holds_from 2
ok "those of the session of the segments"	refuses
ok "are written behind them"		[ "$(ls -A rows/.segments)" = jobs-20250101-000000-0001.grt ]
events_of "$(segment 0001.grt)" > now
ok "all of them, once"			cmp all now
ok "in a whole file"			run 0 "$grtrace" verify "$(segment 0001.grt)"
ok "none is missing"			[ "$(missing_of "$(segment 0001.grt)")" = 0 ]
holds_session '\073'
holds_from 3
ok "what it had read and not written"	refuses
ok "is missing, and counted"		[ "$(missing_of "$(segment 0001.grt)")" = $((1600 - $(wc -l < some))) ]
# The next segment was just begun: it has an account, and no event.
for module in t.grt part.grt; do
	holds_session '\073'
	holds_from 2
	cp "$module" "$(segment 0001.grt)"
	"$grtrace" slice --until 0 -o "$(segment 0002-cut-a1B2c3.grt)" t.grt > out 2> err
	ok "one that was just begun"	refuses
	ok "is removed"			[ "$(ls -A rows/.segments)" = jobs-20250101-000000-0001.grt ]
	events_of "$(segment 0001.grt)" > now
	ok "the one before it goes on"	cmp all now
done
rm -f rows/.segments/*

# --- limits ---
rm -rf rows && mkdir rows
for day in 1 2 3; do head -c 400000 /dev/zero > rows/jobs-2025010$day-000000-0001.ndjson; done
echo mine > rows/other.ndjson
module
ok "a limit"				run 0 record --export-max 1M
ok "removes the oldest"			[ ! -e rows/jobs-20250101-000000-0001.ndjson -a -e rows/jobs-20250103-000000-0001.ndjson ]
ok "counts them"			says "warning: removed the oldest file.* in 'rows' for --export-max: [12] so far"
ok "says what to do"			says "^hint: take the files out"
ok "leaves others alone"		[ "$(cat rows/other.ndjson)" = mine ]
rm -rf rows && mkdir rows

# --- a full disk ---
preload=$(fault_preload)
mkdir disk
# With a limit, because without modes it once went on for ever.
faulty() { run "$1" timeout 20 env LD_PRELOAD="$preload" FAULT="$2" "$grtrace" record --source=module --export disk/rows; }
module
ok "no room for rows"			faulty 3 "linkat 1 28"
ok "is told"				says "warning: 'jobs-[^ ]*' cannot be exported now: .*No space left on device"
ok "once"				[ "$(grep -c 'No space' err)" = 1 ]
ok "the segment waits"			says "^grtrace: 1 segment is not exported, and waits in 'disk/rows/.segments'\$"
ok "for the next one"			says "^hint: the next record --export exports"
ok "no rows are there"			[ -z "$(ls disk/rows)" ]
module
ok "which exports it"			run 0 "$grtrace" record --source=module --export disk/rows
ok "with its own"			says "^disk/rows: 2 files of rows\$"
ok "and leaves nothing"			[ -z "$(ls -A disk/rows/.segments)" ]
rm -r disk/rows
module
ok "no room for a segment"		faulty 3 "writev 3 28 once"
ok "is told once"			[ "$(grep -c 'warning: cannot write .*No space left on device; the recording goes on' err)" = 1 ]
ok "and its end, too"			says "warning: there is room again: 2,400 events were lost\$"
"$grtrace" merge -o all.grt disk/rows/.segments/*.grt > out 2> err
ok "the next segment says how many"	sh -c '"$0" dump all.grt 2> /dev/null | grep "LOSS .*reason=WRITTEN" | grep -q count=2400' "$grtrace"
module
ok "the next recorder exports them"	run 0 "$grtrace" record --source=module --export disk/rows
ok "both"				says "^disk/rows: 3 files of rows\$"
ok "even where nothing happened"	sh -c 'cat disk/rows/*.ndjson | jq -s -e "[.[] | select(.row == \"ledger\" and .from_ns >= .segment and .to_ns >= .from_ns)] | length == 3"'
rm -r disk/rows

# --- the next recorder is killed, too, or its disk fails, while it takes what was left ---
left=disk/rows/.segments
mkdir -p rows/.segments
takes()		# fault
{
	holds_session '\073'
	holds_from 2
	rm -rf disk/rows
	mkdir -m 700 disk/rows "$left"
	cp cut.grt "$left"/jobs-20250101-000000-0001.grt
	LD_PRELOAD="$preload" FAULT="$1 once" FAULT_LOG=calls "$grtrace" record --source=module --export disk/rows > out 2> err
}
# What was there still is, and the one after it makes it whole.
nothing_is_lost()
{
	events_of "$(find "$left" -name '*0001*')" > now
	head -n "$(wc -l < some)" now | cmp some - || return 1
	"$grtrace" record --source=module --export disk/rows > out 2> err
	events_of "$left"/jobs-20250101-000000-0001.grt | cmp all -
}
killed_at_each_call()
{
	nth=1
	while : > calls; takes "any $nth -9"; [ "$nth" -le "$(wc -l < calls)" ]; do
		nothing_is_lost || return 1
		nth=$((nth + every))
	done 2> /dev/null
	[ "$nth" -gt 8 ]
}
ok "a kill before each call loses nothing" killed_at_each_call
for fault in "renameat2 1 5" "fallocate 1 28" "ftruncate 1 5" "writev 1 28" "writev 2 5" "fdatasync 1 5"; do
	takes "$fault"
	ok "nor does $fault"		nothing_is_lost
done
rm -r disk/rows

# --- a file system without modes ---
for errno in 1 0; do
	module
	ok "chmod fails with $errno"	faulty 3 "chmod 1 $errno"
	ok "so the folder is refused"	says "^grtrace: 'disk/rows' is on a file system without modes"
	ok "and another one is asked for" says "^hint: name a folder on another file system"
	ok "no file is left"		[ -z "$(find disk -type f)" ]
	ok "no session was begun"	[ "$(cat "$GRTRACE_DIR/control")" = running ]
done
module
ok "chmod fails later"			faulty 3 "chmod 2 5"
ok "is told"				says "warning: cannot mark 'disk/rows/.segments/jobs-[^ ]*' as exported"
ok "once"				[ "$(grep -c "cannot mark" err)" = 1 ]
ok "the rows are there"			[ "$(find disk/rows -name '*.ndjson' | wc -l)" = 1 ]
module
ok "and are not made again"		run 0 "$grtrace" record --source=module --export disk/rows
ok "the segment is not needed any more"	[ -z "$(ls -A disk/rows/.segments)" ]
end
