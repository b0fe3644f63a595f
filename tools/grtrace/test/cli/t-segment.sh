#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: export --segment: which of the files beside a segment are of its recording
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export GRTRACE_DIR="$dir/debugfs"

# With pauses between them, so that the recorder has time to begin the next file.
pieces()
{
	exec 3<> "$GRTRACE_DIR/events0"
	for piece in piece.*; do
		cat "$piece" >&3
		sleep 0.15
	done
	tries=300
	until grep -q stop "$GRTRACE_DIR/control" || [ $((tries -= 1)) -lt 0 ]; do sleep 0.05; done
}

# record --rotate, with files in folder $1.  Its session has the same number each time, as after a boot.
recorded()	# folder, a byte of the session's start
{
	rm -rf "$GRTRACE_DIR" piece.*
	mkdir "$GRTRACE_DIR" "$1"
	echo 0 > "$GRTRACE_DIR/enabled"
	echo running > "$GRTRACE_DIR/control"
	printf 'buffer_size=4194304\nglobal_seq=1\n' > "$GRTRACE_DIR/config"
	printf 'version=1\nformat_version=1\n' > "$GRTRACE_DIR/version"
	: > "$GRTRACE_DIR/stats"
	"$gen" bulk 0 4000 > stream
	# Byte 67 of the stream is one of start_ns: the first record is the STREAM_INFO.
	printf %b "$2" | dd of=stream bs=1 seek=67 conv=notrunc 2> /dev/null
	split -b 70000 stream piece.
	mkfifo "$GRTRACE_DIR/events0"
	pieces > /dev/null 2>&1 &
	sleep 0.2
	run 0 "$grtrace" record --source=module -q --rotate 64K -d 2 -o "$1/node.grt" && wait
}
session() { "$grtrace" dump -d "$1/node-0001.grt" | grep -o -m 1 ' session_id=[0-9]*'; }
segment() { run 0 "$grtrace" export --to ndjson --segment "$@" room/node-0002.grt && mv out "$rows"; }
waits() { complains 3 "goes on in 'room/node-0003.grt', which is not there$1" "add --last" "$grtrace" export --to ndjson --segment room/node-0002.grt; }

ok "a recording"			recorded old '\073'
ok "of three files or more"		[ -e old/node-0003.grt ]
ok "and another one after a boot"	recorded new '\074'
ok "too"				[ -e new/node-0003.grt ]
ok "with the same session number"	[ "$(session old)" = "$(session new)" ]

mkdir room
cp new/node-000[123].grt room
rows=whole
ok "a file is exported"			segment
rm room/node-0003.grt
ok "not without the next one"		waits '$'
cp old/node-0003.grt room
ok "nor with that of another session"	waits ': the file of that name is of another recording$'
rows=last
ok "but as the last one"		segment --last
cp new/node-0003.grt room
rows=again
ok "when the recorder has finished it"	segment
ok "the rows are the same"		cmp whole again
rm room/node-0001.grt
rows=first
ok "without the one before"		segment
cp old/node-0001.grt room
rows=again
ok "and with that of another session"	segment
ok "they are the same, too"		cmp first again
end
