#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record is killed when it begins to wait: all that it has read is in its file
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export GRTRACE_DIR="$dir/debugfs"
preload=$(fault_preload)

# A folder that looks like the module's, with streams that go on: a pipe has room for all of one.
events_of() { "$grtrace" dump --format csv "$1" 2> err | grep -E '^(SUBMIT|COMMIT|END|COMPLETE),' | cut -d , -f 1-5; }
"$gen" bulk 0 800 | head -c -176 > events
events_of events > all
# The other CPU has none.
"$gen" bulk 1 0 | head -c -176 > no-events
module()
{
	rm -rf "$GRTRACE_DIR" rows k*.grt* k.out
	mkdir "$GRTRACE_DIR"
	mkfifo "$GRTRACE_DIR/events0" "$GRTRACE_DIR/events1"
	echo 0 > "$GRTRACE_DIR/enabled"
	echo running > "$GRTRACE_DIR/control"
	printf 'buffer_size=4194304\nglobal_seq=1\n' > "$GRTRACE_DIR/config"
	printf 'version=1\nformat_version=1\n' > "$GRTRACE_DIR/version"
	: > "$GRTRACE_DIR/stats"
	exec 3<> "$GRTRACE_DIR/events0"
	exec 4<> "$GRTRACE_DIR/events1"
	cat events >&3
	cat no-events >&4
}

# killed_at NTH FILES COMMAND...: at the NTH wait, counted from 1; FILES have all events
killed_at()
{
	nth=$1 files=$2
	shift 2
	module
	LD_PRELOAD="$preload" FAULT="poll $nth -9" "$grtrace" "$@" > k.out 2> err
	[ $? -eq 137 ] || return 1
	exec 3>&- 4>&-
	# shellcheck disable=SC2086	# a pattern
	for file in $files; do events_of "$file"; done | cmp all -
} 2> /dev/null

recorded()	# NTH FILES OPTIONS...
{
	nth=$1 files=$2
	shift 2
	killed_at "$nth" "$files" record --source=module -q "$@"
}

ok "there are events"			[ "$(wc -l < all)" -ge 800 ]
ok "a pipe has room for them"		[ "$(wc -c < events)" -lt 65536 ]
# The first wait is behind the begin of the file, the others are behind a tick and behind the begin of another file.
for nth in 1 2 3; do
	ok "wait $nth: a file"		recorded $nth "k.grt.*" -o k.grt
	ok "wait $nth: files"		recorded $nth "k-*" --rotate 100ms -o k.grt
	ok "wait $nth: --export"	recorded $nth "rows/.segments/*" --export rows --every 100ms
	ok "wait $nth: with --flight"	recorded $nth "rows/.segments/*" --export rows --every 100ms --flight -o k.grt
	ok "wait $nth: a pipe"		recorded $nth k.out -o -
	ok "wait $nth: --live"		recorded $nth k.out --live
done
end
