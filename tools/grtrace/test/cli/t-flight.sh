#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --flight and snapshot on a folder that looks like the module's: what they refuse, and which files they keep
# Tests call these functions through ok().
# shellcheck disable=SC2317,SC2016,SC2012,SC2010
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export GRTRACE_DIR="$dir/debugfs"

module()	# STATE MODE SNAPSHOT: the files of a module in that state
{
	rm -rf "$GRTRACE_DIR"
	mkdir "$GRTRACE_DIR"
	"$gen" example 0 > "$GRTRACE_DIR/events0"
	"$gen" example 1 > "$GRTRACE_DIR/events1"
	[ "$1" != running ] || echo 1 > "$GRTRACE_DIR/enabled"
	[ "$1" = running ] || echo 0 > "$GRTRACE_DIR/enabled"
	echo "$1" > "$GRTRACE_DIR/control"
	printf 'buffer_size=4194304\nmode=discard\n' > "$GRTRACE_DIR/config"
	printf 'state=%s\nmode=%s\nsnapshot=%s\nunread_bytes=20480\n' "$1" "$2" "$3" > "$GRTRACE_DIR/stats"
	printf 'version=%s\nformat_version=1\n' "$("$grtrace" --version | sed 's/.* //')" > "$GRTRACE_DIR/version"
}

holds() { [ "$(cat "$GRTRACE_DIR/$1")" = "$2" ]; }
same_events() { "$grtrace" dump "$1" | cmp -s - "$golden/dump/example.txt"; }
says() { grep -q -e "$1" err; }

# --- snapshot ---
module running overwrite held
ok "saves the snapshot that is held"	run 0 "$grtrace" snapshot
ok "all of it"				same_events snapshot.grt
ok "says what next"			says "^hint: grtrace report snapshot.grt\$"
"$grtrace" snapshot -o again.grt > out 2> err
ok "and gives it up"			holds control release

module running overwrite none
"$grtrace" snapshot -o none.grt -q > out 2> err
ok "takes one if none is held"		[ -e none.grt ]
module running discard none
ok "not of another session"		complains 3 "no flight recorder" "sudo grtrace record" "$grtrace" snapshot -o x.grt
module idle discard none
ok "nor without one"			complains 3 "no flight recorder runs" "sudo grtrace start --flight" "$grtrace" snapshot -o x.grt
ok "no operands"			complains 2 "no operands" "" "$grtrace" snapshot x
ok "no part of a stream"		complains 2 "standard output" "" "$grtrace" snapshot --last 1s -o -
ok "and wrote nothing"			[ ! -e x.grt ]

# --- other commands ---
module running overwrite none
ok "record does not join a flight recorder" complains 3 "snapshots only" "sudo grtrace snapshot" \
	"$grtrace" record --source=module -o x.grt
ok "nor does a report"			complains 3 "snapshots only" "sudo grtrace snapshot" "$grtrace" report --live
module stopped overwrite held
ok "extract leaves snapshots alone"	complains 3 "in snapshots" "sudo grtrace snapshot" "$grtrace" extract -o x.grt
ok "a new session does not drop one"	complains 3 "nobody has read" "sudo grtrace snapshot" "$grtrace" start
module running discard none
ok "a session of another kind runs"	complains 3 "no flight recorder" "sudo grtrace stop" \
	"$grtrace" record --flight --source=module -o x.grt
module idle discard none
"$grtrace" start --flight > out 2> err
ok "start sets the mode back"		holds config mode=discard
printf 'buffer_size=4194304\n' > "$GRTRACE_DIR/config"
ok "an old module has none"		complains 3 "too old" "newer module" "$grtrace" start --flight

# --- record --flight ---
for wrong in "--rotate 1M" "--summary" "--slower-than 1ms" "--interval 1s" "-o -" "--gauges 5"; do
	# shellcheck disable=SC2086	# several words
	ok "not with $wrong"		complains 2 "file per snapshot" "" "$grtrace" record --flight $wrong
done
ok "--last needs it"			complains 2 "needs --flight" "" "$grtrace" record --last 1s
ok "so does --stop-on"			complains 2 "needs --flight" "" "$grtrace" record --stop-on sched:sched_switch
ok "a folder is no event"		complains 3 "not SYSTEM:EVENT" "" "$grtrace" record --flight --source=module --stop-on a/b:c

# --- which files are kept: the module's files hold a snapshot, and then another ---
flight()	# OPTIONS...: a recording that saves what is held, and is stopped
{
	module running overwrite held
	timeout -s INT 2 "$grtrace" record --flight --source=module -q -o old.grt "$@" > out 2> err
}
for name in old-20250101-000000 old-20250101-000000-2 old-20250101-000000-10 old-20260101-000000 \
	old-2025010-000000 old-20250101-000000-x other-20250101-000000 old; do
	echo x > $name.grt
done
flight --keep 3
ok "a file with the time"		[ "$(ls old-20[2-9]*.grt | grep -c -E '^old-[0-9]{8}-[0-9]{6}(-[0-9]+)?\.grt$')" -eq 3 ]
ok "the oldest ones are gone"		[ ! -e old-20250101-000000.grt ]
ok "of one second, by number"		[ ! -e old-20250101-000000-2.grt ]
ok "others are no files of its own"	[ -e old-2025010-000000.grt -a -e old-20250101-000000-x.grt -a -e other-20250101-000000.grt -a -e old.grt ]
end
