#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --live writes a stream that every command reads; it waits for no reader, and tells what it dropped
# Tests call these functions through ok().
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export GRTRACE_DIR="$dir/debugfs"

module()	# a session can be started; the streams are files, which the caller writes
{
	rm -rf "$GRTRACE_DIR"
	mkdir "$GRTRACE_DIR"
	echo "${1-0}" > "$GRTRACE_DIR/enabled"
	echo running > "$GRTRACE_DIR/control"
	printf 'buffer_size=4194304\nglobal_seq=1\n' > "$GRTRACE_DIR/config"
	printf 'version=1\nformat_version=1\n' > "$GRTRACE_DIR/version"
	: > "$GRTRACE_DIR/stats"
}

example()
{
	module "$@"
	"$gen" example 0 > "$GRTRACE_DIR/events0"
	"$gen" example 1 > "$GRTRACE_DIR/events1"
}

bulk()		# events
{
	module
	"$gen" bulk 0 "$1" > "$GRTRACE_DIR/events0"
}

live() { "$grtrace" record --source=module --live "$@"; }
says() { grep -q -e "$1" err; }
same() { cmp -s "$1" "$golden/dump/example.txt"; }

example
ok "record writes to standard output"	sh -c '"$0" record --source=module --live > raw 2> err' "$grtrace"
ok "which is no file with an index"	[ "$(head -c 2 raw | od -A n -t x1 | tr -d ' ')" = 00ff ]
ok "it keeps the rules"			run 0 "$grtrace" verify raw
"$grtrace" dump raw > out
ok "and has all events"			same out
example
live 2> err | "$grtrace" dump - > out
ok "through a pipe"			same out
ok "how much it was"			says "^standard output: 26 events, 6 jobs of 1 process in 27 us, 10 lost"
example
live -- sh -c 'echo said by the command; exit 7' > raw 2> err
got=$?
ok "the status of the command"		[ $got = 7 ]
ok "whose output is not in the stream"	sh -c 'grep -q "^said by the command" err && "$0" verify raw > out' "$grtrace"
example 1
ok "a session that runs"		sh -c '"$0" record --source=module --live > raw 2> err' "$grtrace"
ok "goes on"				[ "$(cat "$GRTRACE_DIR/control")" != stop ]

# One round has 400,000 events; the reader begins when all of them came.
bulk 400000
live 2> err | { sleep 1; cat > raw; }
dropped=$(sed -n 's/^\([0-9,]*\) events dropped, because the reader of standard output was too slow$/\1/p' err | tr -d ,)
ok "a slow reader gets a part"		[ "${dropped:-0}" -gt 100000 ]
ok "and is told so"			says "^standard output: 400,000 events"
ok "the stream keeps the rules"		run 0 "$grtrace" verify raw
"$grtrace" dump -f csv raw > out 2> err
ok "what is missing is counted to the unit" [ $(($(grep -cvE '^(type|LOSS)' out) + dropped)) = 400000 ]
"$grtrace" report -f json raw > out 2> err
ok "and the reason is told"		sh -c 'grep -q "\"buffer_full\":'"$dropped"'[,}]" out'
bulk 400000
live 2> err | head -c 100 > out
ok "a reader that ends is no error"	[ $? = 0 ]
ok "but ends the recording"		says "^the reader of standard output is gone: the recording is over"
bulk 400000
mkfifo pipe
sh -c 'exec sleep 30' < pipe &
sleeper=$!
ok "record ends, although nobody reads from its pipe" timeout 20 sh -c '"$0" record --source=module --live > pipe 2> err' "$grtrace"
kill $sleeper
ok "and it says so"			says "^the reader did not read the last 8"

example
ok "a terminal is refused"		sh -c 'script -qec "$0 record --source=module --live" out < /dev/null > /dev/null; grep -q "a terminal cannot show a stream" out && grep -q "hint: sudo grtrace record --live | grtrace top -" out' "$grtrace"
for options in "-o x.grt" "--rotate 1M" "--max-size 1M" "--summary" "--flight"; do
	# shellcheck disable=SC2086	# options are words
	ok "no $options"		complains 2 "--live writes to standard output and takes no --" "record -h" "$grtrace" record --live $options
done
end
