#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace record, start, stop, status and config on a folder that looks like the module's
# Tests call these functions through ok().
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export GRTRACE_DIR="$dir/debugfs"

module()	# enabled: the files of a module in that state, with two CPUs
{
	rm -rf "$GRTRACE_DIR"
	mkdir "$GRTRACE_DIR"
	"$gen" example 0 > "$GRTRACE_DIR/events0"
	"$gen" example 1 > "$GRTRACE_DIR/events1"
	echo "$1" > "$GRTRACE_DIR/enabled"
	echo running > "$GRTRACE_DIR/control"
	printf 'buffer_size=4194304\nglobal_seq=1\n' > "$GRTRACE_DIR/config"
	printf 'state=running\nseen=12345\nwritten=12000\nlost_events=5\noverruns=1\n' > "$GRTRACE_DIR/stats"
	printf 'bytes_written=1048576\nbuffer_bytes=0\n' >> "$GRTRACE_DIR/stats"
	printf 'version=%s\nformat_version=1\n' "$("$grtrace" --version | sed 's/.* //')" > "$GRTRACE_DIR/version"
}

grtrace_filter()	# the files of that module, which somebody uses
{
	echo 77,78 > "$GRTRACE_DIR/filter_pid"
	echo 0 > "$GRTRACE_DIR/filter_children"
	echo > "$GRTRACE_DIR/filter_cgroup"
	echo 1 > "$GRTRACE_DIR/filter_enabled"
}

# One CPU with more events than the examples.
bulk()		# events: a module with one CPU and so many
{
	module 0
	rm "$GRTRACE_DIR/events1"
	"$gen" bulk 0 "$1" > "$GRTRACE_DIR/events0"
}

holds() { [ "$(cat "$GRTRACE_DIR/$1")" = "$2" ]; }
same_events() { "$grtrace" dump "$1" | cmp -s - "$golden/dump/example.txt"; }
says() { grep -q -e "$1" err; }

module 1
ok "attaches to a session"		run 0 "$grtrace" record
ok "its file holds all"			same_events trace.grt
ok "it says how much and what next"	says "trace.grt: 26 events, 6 jobs of 1 process in 27 us, 10 lost"
ok "with a hint"			says "^hint: grtrace report trace.grt"
ok "a larger buffer loses less: the hint repeats the options" run 0 "$grtrace" record -d 1.5s -o 'my trace.grt'
ok "it can be pasted"			says "^hint: sudo grtrace record --output 'my trace.grt' --duration 1500000000ns --buffer 16M    # a larger"
ok "and so can the next command"	says "^hint: grtrace report 'my trace.grt'\$"
"$grtrace" record > out 2> err
ok "and leaves the session running"	holds control flush
ok "only the owner may read the file"	[ "$(stat -c %a trace.grt)" = 600 ]
ok "no new buffer for a session that runs" complains 3 "cannot be changed" "grtrace stop" \
	"$grtrace" record -b 1M -o x.grt
ok "nothing was written"		[ ! -e x.grt ]

module 0
ok "starts a session of its own, and ends as the command" run 7 "$grtrace" record -o own.grt -b 64K -- sh -c 'exit 7'
ok "and stops it"			holds control stop
ok "the size of the buffer is as before" holds config buffer_size=4194304
ok "the command's status is told"	says "'sh' ended with status 7"
ok "its file holds all"			same_events own.grt

module 0
echo "kernel=6.1" > "$GRTRACE_DIR/metadata"
ok "no adapter"				run 0 "$grtrace" record -q -o adapter.grt -- true
ok "is told at once"			says "^grtrace: warning: no adapter is loaded"
ok "with what to do"			says "^hint: sudo modprobe grtrace_drm_bridge"
module 0
echo "adapter.drm_bridge=drm_sched_job" > "$GRTRACE_DIR/metadata"
ok "with one"				run 0 "$grtrace" record -q -o adapter.grt -- true
ok "nothing is said"			[ ! -s err ]
module 0
ok "quiet"				run 0 "$grtrace" record -q -o quiet.grt -- true
ok "is quiet"				[ ! -s err ]

module 0
ok "a command that is not there"	complains 3 "cannot run 'no-such-program'" "path" \
	"$grtrace" record -o none.grt no-such-program
ok "leaves no file"			[ ! -e none.grt ]
ok "and no session"			holds control stop
echo precious > old.grt
ok "nor does it harm an old file"	complains 3 "cannot run 'no-such-program'" "path" \
	"$grtrace" record -o old.grt no-such-program
ok "the old file is as it was"		[ "$(cat old.grt)" = precious ]
ok "and nothing is beside it"		[ -z "$(find . -name '*.grtrace-*')" ]
module 0
ok "a folder that is not there"		complains 3 "cannot create" "-o" "$grtrace" record -o no/x.grt
ok "begins no session"			holds control running
ok "a folder"				complains 3 "it is a folder" "-o" "$grtrace" record -o .
ok "a process that is not there"	complains 3 "cannot watch process 2147483646" "ps" \
	"$grtrace" record -p 2147483646
ok "a bad time"				complains 2 "'soon' is not a time" "record -h" "$grtrace" record -d soon
ok "a bad size"				complains 2 "'big' is not a size" "record -h" "$grtrace" record -b big
ok "-p and a command"			complains 2 "not both" "record -h" "$grtrace" record -p 1 true

# Unread events of a stopped session.
unread()
{
	module 0
	echo stopped > "$GRTRACE_DIR/control"
	echo "unread_bytes=$1" >> "$GRTRACE_DIR/stats"
}
unread 5000
ok "unread events are not dropped"	complains 3 "holds 4.9 KiB that nobody has read; --discard" "sudo grtrace extract" \
	"$grtrace" record -o x.grt
ok "the session is as it was"		holds control stopped
ok "nothing was written for it"		[ ! -e x.grt ]
ok "nor by start"			complains 3 "nobody has read; --discard" "sudo grtrace extract" "$grtrace" start
ok "the session is as it was, too"	holds control stopped
ok "status tells of them"		sh -c "'$grtrace' status | grep -qx 'not read yet     4.9 KiB'"
cp trace.grt kept.grt
ok "report takes no side"		complains 2 "a session was stopped and holds events" "grtrace report trace.grt" "$grtrace" report
mv trace.grt away
ok "with nothing else, it says how"	complains 2 "with extract" "sudo grtrace extract" "$grtrace" report
mv away trace.grt
ok "extract takes them"			run 0 "$grtrace" extract -o extract.grt
ok "all of them"			same_events extract.grt
ok "and says so"			says "extract.grt: 26 events"
ok "it keeps the rules"			run 0 "$grtrace" verify extract.grt
unread 5000
ok "events may be dropped"		run 0 "$grtrace" record -q -o x.grt --discard -- true
unread 5000
ok "by start as well"			run 0 "$grtrace" start --discard
unread 0
ok "nothing is unread"			complains 3 "nothing to extract" "sudo grtrace record" "$grtrace" extract
ok "so nothing is in the way"		run 0 "$grtrace" record -q -o x.grt -- true
module 1
ok "of a session that runs"		complains 3 "a session is running" "sudo grtrace stop" "$grtrace" extract
ok "report takes no side there either"	complains 2 "a session runs: name a file, or take its events with --live" \
	"grtrace report trace.grt" "$grtrace" report
ok "report takes them when told to"	run 0 "$grtrace" report --live --jobs -f csv
ok "and says so"			says "taken out of its buffers and kept in live.grt"
ok "and keeps them"			same_events live.grt
ok "once more"				run 0 "$grtrace" report --live
ok "in another file"			same_events live-2.grt
ok "in one that is named"		run 0 "$grtrace" report --live -o mine.grt
ok "which is it"			same_events mine.grt
ok "from a file or live"		complains 2 "not both" "report -h" "$grtrace" report --live trace.grt
unread 100000000000000
ok "no room for it"			complains 3 "no room\|larger than" "" "$grtrace" extract -o huge.grt
ok "leaves nothing"			[ ! -e huge.grt ] && [ -z "$(find . -name '*.grtrace-*')" ]

# Pipes, with and without a reader.
module 0
ok "standard output"			sh -c "'$grtrace' record -q -o - -- echo hello 2> err | '$grtrace' dump - > out 2>> err"
ok "is the trace"			cmp -s out "$golden/dump/example.txt"
ok "the command writes elsewhere"	says hello
module 0
ok "by its other name"			sh -c "'$grtrace' record -q -o /dev/stdout -- true | '$grtrace' dump - > out 2> err"
ok "is the trace, too"			cmp -s out "$golden/dump/example.txt"
mkfifo nobody
within()	# seconds, status, command
{
	seconds=$1 wanted=$2
	shift 2
	timeout -s KILL "$seconds" "$@" > out 2> err
	[ $? -eq "$wanted" ] || { echo "not $wanted" >> err; return 1; }
}
module 0
ok "nobody reads: the time ends it"	within 5 3 "$grtrace" record -o nobody -d 500ms
ok "nobody reads: is told"		says "^grtrace: nobody reads 'nobody'"
ok "nobody reads: no session begins"	holds control running
for signal in INT TERM HUP; do
	ok "nobody reads: SIG$signal ends it" within 5 3 env --default-signal=INT sh -c \
		"'$grtrace' record -o nobody & sleep 0.5; kill -$signal \$!; wait \$!"
done
stuck()
{
	bulk 20000
	sh -c "exec sleep 20" < nobody &
	sleeper=$!
	within 15 3 "$grtrace" record -o nobody -d 500ms
	got=$?
	kill "$sleeper"
	return "$got"
}
ok "a reader that reads nothing"	stuck
ok "is told"				says "the reader of 'nobody' does not read"
module 0
ok "a reader that comes later"		sh -c "(sleep 0.5; '$grtrace' dump nobody > out) & '$grtrace' record -q -o nobody -- true; wait"
ok "gets all"				cmp -s out "$golden/dump/example.txt"

module 1
ok "status"				run 0 "$grtrace" status
ok "status: state"			grep -qx "session          running" out
ok "status: numbers"			grep -qx "events seen      12,345" out
ok "status: sizes"			grep -qx "buffer per CPU   4.0 MiB" out
ok "status as JSON"			run 0 "$grtrace" status -f json
ok "status as JSON: numbers"		grep -q '"stats":{"state":"running","seen":12345,' out
ok "config"				run 0 "$grtrace" config
ok "config: all keys"			[ "$(wc -l < out)" -eq 2 ]
ok "config: one key"			run 0 "$grtrace" config global_seq
ok "config: its value"			[ "$(cat out)" = 1 ]
ok "config: no such key"		complains 2 "no key 'colour'" "grtrace config" "$grtrace" config colour
ok "config: sets"			run 0 "$grtrace" config buffer_size=8M
ok "config: as it was given"		holds config buffer_size=8M
ok "stop"				run 0 "$grtrace" stop
ok "stop: written"			holds control stop
ok "live"				run 0 "$grtrace" dump -l
ok "live: all events"			[ "$(grep -vc LOSS out)" -eq 26 ]
ok "live: a note says that it takes them"	says "^note: the session's events are taken out of its buffers and kept in live-3.grt"
ok "live: and keeps them"		same_events live-3.grt
module 0
ok "live: some of them"			run 0 "$grtrace" dump -l -n 1 -o some.grt
ok "live: in a file with a name"	run 0 "$grtrace" verify some.grt
bulk 12000
ok "live: one of many"			run 0 "$grtrace" dump -l -n 1 -o many.grt
ok "live: none that was read is lost"	[ "$("$grtrace" dump many.grt | grep -vc LOSS)" -eq "$("$grtrace" dump "$GRTRACE_DIR/events0" | grep -vc LOSS)" ]
ok "live: for nothing else"		complains 2 "output needs --live" "dump -h" "$grtrace" dump -o x.grt trace.grt
module 0
ok "stop without a session"		run 0 "$grtrace" stop
ok "stop without a session: says so"	grep -q "no session runs" out
ok "stop without a session: writes nothing" holds control running
ok "start"				run 0 "$grtrace" start
ok "start: written"			holds control start
module 1
ok "start while one runs"		run 0 "$grtrace" start
ok "start while one runs: says so"	grep -q "a session runs already" out
ok "start while one runs: writes nothing" holds control running
module 0
ok "start takes nothing"		complains 2 "no operands" "start -h" "$grtrace" start now

# Ends in any case: a failed test must not leave it waiting.
until_stopped()
{
	tries=300
	until holds control stop || [ $((tries -= 1)) -lt 0 ]; do sleep 0.05; done
}

# A stream that goes on until somebody writes stop: a pipe instead of the file.
session()
{
	exec 3<> "$GRTRACE_DIR/events0"
	"$gen" example 0 >&3
	: > ready
	until_stopped
}
goes_on()
{
	rm "$GRTRACE_DIR/events0" "$GRTRACE_DIR/events1"
	mkfifo "$GRTRACE_DIR/events0"
	rm -f ready
	session &
	# The first read must find the stream, as with the module.
	tries=200
	until [ -e ready ] || [ $((tries -= 1)) -lt 0 ]; do sleep 0.05; done
}
status=0
ended_by()	# what ends it, options of record: exits with $status, and the file is whole
{
	how=$1
	shift
	module 0
	grtrace_filter
	goes_on
	"$grtrace" record -o "$how.grt" "$@" 2> err &
	pid=$!
	case $how in
	INT|TERM|HUP) sleep 0.5; kill "-$how" "$pid" ;;
	esac
	wait "$pid"
	[ $? -eq "$status" ] && wait && "$grtrace" dump "$how.grt" > out 2>> err &&
		! grep -q "^grtrace:" err && [ "$(grep -vc LOSS out)" -eq 13 ]
}
for signal in INT TERM HUP; do
	ok "ends well on SIG$signal"	ended_by $signal
done
ok "ends after a time"			ended_by time -d 300ms
sleep 4 &
ok "ends with a process"		ended_by process -p $!
ok "ends with a command"		ended_by command sleep 0.5
status=143
ok "a signal reaches the command"	ended_by TERM sleep 30
status=0
ok "and that is told"			says "'sleep' was ended by signal 15"

count() { "$grtrace" dump "$1" 2> /dev/null | grep -vc LOSS; }

module 0
ok "an alert"				run 1 "$grtrace" record -o alert.grt --alert "lost>9"
ok "is told once"			[ "$(grep -c "^grtrace: alert: 10 events lost, more than 9" err)" -eq 1 ]
ok "and the file is whole"		same_events alert.grt
module 0
ok "no alert"				run 0 "$grtrace" record -o alert.grt --alert "lost>10"
module 1
for cpu in 0 1; do
	"$gen" example $cpu | head -c -176 > "$GRTRACE_DIR/events$cpu"	# without STREAM_END
done
ok "a session whose last losses nobody counts" run 1 "$grtrace" record -o alert.grt --alert "lost>100"
ok "is an alert, too"			says "^grtrace: alert: 2 CPUs lost an unknown number of events at the end"
module 1
ok "nor is there one where all is counted" run 0 "$grtrace" record -o alert.grt --alert "lost>10"
ok "a bad alert"			complains 2 "no alert" "record -h" "$grtrace" record --alert "jobs>1"
ok "neither size nor time"		complains 2 "neither a size nor a time; write it like 64M" "record -h" "$grtrace" record --rotate 10
ok "too small a file"			complains 2 "too small" "record -h" "$grtrace" record --rotate 1K
ok "keep without rotate"		complains 2 "needs --rotate" "record -h" "$grtrace" record --keep 3
ok "only nothing"			complains 2 "only needs a command" "record -h" "$grtrace" record -F
ok "a summary has no file"		complains 2 "writes no file" "record -h" "$grtrace" record --summary -o x.grt
ok "format of nothing"			complains 2 "format needs --summary" "record -h" "$grtrace" record -f csv
while read -r one two; do
	# shellcheck disable=SC2086	# options are words
	ok "no $two beside $one"	complains 2 "${one%%=*} .*takes no ${two%% *}$" "record -h" "$grtrace" record $one $two
done <<END
--summary --alert lost>1
--slower-than=1s --summary
--slower-than=1s --type SUBMIT
--event=irq --slower-than 1s
--stacks=user --slower-than 1s
--cpus=0 --summary
--flight --interval 1s
--export=rows --gauges 5
--clock-from=127.0.0.1:1 --flight
--to=127.0.0.1:1 --clock-from 127.0.0.1:1
END
ok "the default name is a name, too"	complains 2 "writes no file and takes no --output" "record -h" "$grtrace" record --summary -o trace.grt
ok "no such format"			complains 2 "no format .xml.; text, csv or json" "record -h" "$grtrace" record --summary -f xml
ok "the module cannot sum up"		complains 3 "it cannot sum up" "--source=bpf" "$grtrace" record --summary --source=module
ok "no list of CPUs"			complains 2 "no list of CPUs; write it like" "record -h" "$grtrace" record -M 1-
ok "no cgroup"				complains 3 "'/nowhere' is no cgroup of version 2" "/sys/fs/cgroup" "$grtrace" record --cgroup /nowhere
ok "children of nobody"			complains 2 "children needs" "record -h" "$grtrace" record -c
ok "no such type"			complains 2 "no type .START_UP.; names like SUBMIT" "record -h" "$grtrace" record --type SUBMIT,START_UP
ok "no such engine"			complains 2 "no engine class .tensor." "record -h" "$grtrace" record --engine gfx,tensor

module 0
ok "an old module cannot filter"	complains 3 "this module cannot filter: it has no key .filter_type_mask. for --type" \
	"load a newer module" "$grtrace" record --type SUBMIT -o x.grt
filters()
{
	module 0
	printf "filter_type_mask=0\nfilter_engine_mask=7\nfilter_ring_id=0\n" > "$GRTRACE_DIR/config";
	goes_on
}
filters
ok "types"				run 0 "$grtrace" record --type complete,SUBMIT -o x.grt -- cp "$GRTRACE_DIR/config" set
ok "are a mask"				[ "$(cat set)" = filter_type_mask=3 ]
ok "that is taken back"			holds config filter_type_mask=0
filters
ok "engines"				run 0 "$grtrace" record --engine sdma,COMPUTE -o x.grt -- cp "$GRTRACE_DIR/config" set
ok "are a mask, too"			[ "$(cat set)" = filter_engine_mask=6 ]
ok "the one before comes back"		holds config filter_engine_mask=7
filters
ok "a ring"				run 0 "$grtrace" record --ring 12 -o x.grt -- cp "$GRTRACE_DIR/config" set
ok "is a number"			[ "$(cat set)" = filter_ring_id=12 ]
filters
ok "rings"				run 0 "$grtrace" record --ring gfx,dev0/copy -o x.grt -- cp "$GRTRACE_DIR/config" set
ok "are names"				[ "$(cat set)" = filter_ring_id=gfx,dev0/copy ]
ok "a process without grtrace_filter"	complains 3 "grtrace_filter, which chooses jobs, is not loaded" "modprobe grtrace_filter" \
	"$grtrace" record --source=module -p $$
ok "the module has no CPUs"		complains 3 "not only those of --cpus" "--source=bpf" "$grtrace" record --source=module -M 0
chooses()	# enabled: a module with grtrace_filter, which somebody uses
{
	filters
	grtrace_filter
	echo "$1" > "$GRTRACE_DIR/filter_enabled"
}
chooses 1
ok "only a command"			run 0 "$grtrace" record --source=module -F -o x.grt -- sh -c "echo \$\$; cat $GRTRACE_DIR/filter_pid"
ok "is a filter of its process"		[ "$(sed -n 1p out)" = "$(sed -n 2p out)" ]
ok "that is taken back, too"		holds filter_pid 77,78
chooses 1
ok "with its children"			run 0 "$grtrace" record --source=module -F -c -o x.grt -- sh -c "echo \$PPID; cat $GRTRACE_DIR/filter_pid; echo; cat $GRTRACE_DIR/filter_children"
ok "is a filter of all below record"	[ "$(sed -n 1p out) $(sed -n 3p out)" = "$(sed -n 2p out) 1" ]
chooses 0
ok "a filter that is switched off"	complains 3 "grtrace_filter is switched off" "filter_enabled" "$grtrace" record --source=module -p $$
ok "stays as it was"			holds filter_pid 77,78
filters
ok "filters of a command that is not there" complains 3 "cannot run" "path" "$grtrace" record --ring 12 -o x.grt no-such-program
ok "are taken back as well"		holds config filter_ring_id=0
module 1
ok "no filters for a session that runs"	complains 3 "filters cannot be changed" "grtrace stop" "$grtrace" record --ring 1

module 0
goes_on
ok "the session hangs on record"	run 0 "$grtrace" record -o hold.grt -- cp "$GRTRACE_DIR/control" set
ok "as the module is told"		[ "$(cat set)" = "start hold" ]
"$grtrace" dump -d hold.grt > out 2> err
ok "clocks at start and stop"		[ "$(grep -c " CLOCK .*mono_ns=.*tai_ns=" out)" -eq 2 ]
ok "counters at stop"			grep -q " STATS .*lost_events=5" out

bulk 20000
ok "a maximum"				run 0 "$grtrace" record -o max.grt --max-size 500K
ok "is told"				says "stopped at --max-size 500.0 KiB; the last events did not fit"
ok "and kept"				[ "$(stat -c %s max.grt)" -le 512000 ]
ok "and nearly reached"			[ "$(stat -c %s max.grt)" -gt 200000 ]
ok "what is missing is counted"		run 0 "$grtrace" dump max.grt
ok "by the reader"			grep -q "LOSS .*reason=WRITTEN" out
ok "and by record"			says "events are missing in this trace although they were written"

limited() { (ulimit -f 700; "$grtrace" record -o full.grt); }
bulk 20000
ok "no room"				complains 3 "cannot write .full.grt.: File too large" "ulimit" limited
ok "is told once"			[ "$(grep "^grtrace:" err | grep -vc "^grtrace: warning:")" -eq 1 ]
ok "and where the file is"		says "^grtrace: warning: what was recorded is in 'full.grt'"
ok "the session is stopped"		holds control stop
ok "the file can be read"		run 0 "$grtrace" dump full.grt
ok "it was closed properly"		[ "$("$grtrace" verify full.grt | grep -cE "^ok +(closed|checksums|chunks|index) ")" -eq 4 ]
ok "what is missing is counted, too"	grep -q "LOSS .*reason=WRITTEN" out

# A stream that arrives in pieces of any size: all files together have the same records.
pieces()
{
	exec 3<> "$GRTRACE_DIR/events0"
	for piece in piece.*; do cat "$piece" >&3; sleep 0.15; done
	until_stopped
}
rotated()	# options of record
{
	bulk 20000
	mv "$GRTRACE_DIR/events0" stream
	rm -f piece.* trace-*.grt
	split -b 331000 stream piece.
	mkfifo "$GRTRACE_DIR/events0"
	pieces &
	sleep 0.2
	run 0 "$grtrace" record "$@" -d 3 && wait
}
sum() { total=0; for f in trace-*.grt; do total=$((total + $(count "$f"))); done; [ "$total" -eq "$1" ]; }
each() { for f in trace-*.grt; do run 0 "$grtrace" "$@" "$f" && [ ! -s err ] || return 1; done; }
ok "files of a size"			rotated --rotate 256K
ok "of which the hint names the first"	says "^hint: grtrace report [^ ]*-0001.grt    # the first of [0-9]* files\$"
ok "are several"			[ "$(find . -name "trace-*.grt" | wc -l)" -ge 4 ]
ok "each can be read by itself"		each dump
ok "each keeps the rules"		each verify
ok "each has its rings"			each report
ok "no event is lost at the seams"	sum "$(count stream)"
ok "together they keep the rules"	run 0 "$grtrace" verify trace-*.grt
losses() { "$grtrace" dump "$1" 2> err | sed -n 's/.* LOSS .* count=\([0-9]*\) .*/\1/p' | tr '\n' ' '; }
merged()	# events that are missing, or nothing; files
{
	missing=$1
	shift
	rm -f all.grt
	run 0 "$grtrace" merge -o all.grt "$@" && [ "$(losses all.grt)" = "${missing:+$missing }" ]
}
without_second()
{
	mkdir -p apart
	mv trace-0002.grt apart
	merged "$(count apart/trace-0002.grt)" trace-*.grt
	result=$?
	mv apart/trace-0002.grt .
	return "$result"
}
ok "merged, nothing is missing"		merged "" trace-*.grt
ok "but with a file left out"		without_second
ok "the last is kept"			rotated --rotate 256K --keep 2
ok "the first that is left"		says "^hint: grtrace report [^ ]*-[0-9]*[2-9].grt    # the first of 2 files\$"
ok "and the one before"			[ "$(find . -name "trace-*.grt" | wc -l)" -eq 2 ]
ok "files of a time"			rotated --rotate 500ms
ok "no event is lost there"		sum "$(count stream)"

# The process ends at once, its child a second later.
wait
begun=$(date +%s%N)
module 0
goes_on
ok "children"				run 0 "$grtrace" record -c -o c.grt -- sh -c "(sleep 1.5) & exit 0"
ok "are waited for"			[ $(($(date +%s%N) - begun)) -gt 1500000000 ]

# The process ends after half a second, its child a second later.
module 0
grtrace_filter
goes_on
sh -c "sleep 1.5 & sleep 0.5" &
begun=$(date +%s%N)
ok "children of a process"		run 0 "$grtrace" record -c -o c.grt -p $!
ok "are waited for, too"		[ $(($(date +%s%N) - begun)) -gt 1300000000 ]

module 0
goes_on
ok "a line of counts every interval"	run 0 "$grtrace" record -q -o lines.grt -s 100ms -d 650ms
ok "so many lines"			[ "$(wc -l < err)" -ge 4 ] && [ "$(wc -l < err)" -le 6 ]
ok "of which each counts"		[ "$(grep -cE '^ +0\.[0-9] s   (0|13) events   [0-9.]+ (bytes|KiB)   [0-9]+ k/s   [0-9]+ lost$' err)" -eq "$(wc -l < err)" ]
wait
module 0
ok "too short an interval"		complains 2 "interval is 10ms or more" "record -h" "$grtrace" record -s 1ms
ok "too high a priority"		complains 2 "priority is 1 to 99" "record -h" "$grtrace" record -r 100

# Tests that need root: another user behind sudo, and missing rights.
if [ "$(id -u)" -eq 0 ]; then
	module 0
	if chrt -f 1 true 2> err; then
		"$grtrace" record -q -o prio.grt -r 7 -- sh -c 'chrt -p $PPID; chrt -p $$' > out 2> err
		ok "it has the priority"	grep -q "policy: SCHED_FIFO" out
		ok "of that number"		grep -q "priority: 7$" out
		ok "the command has not"	grep -q "policy: SCHED_OTHER" out
	else
		ok "a priority that cannot be had" complains 3 "real-time priority 7: Operation not permitted" "chrt" \
			"$grtrace" record -r 7 -o prio.grt
		ok "begins no session"		holds control running
	fi
	module 0
	goes_on		# or record may be through before the command has said a word
	chmod 711 . && mkdir home && chown 65534:65534 home
	as_sudo() { SUDO_UID=65534 SUDO_GID=65534 "$grtrace" "$@"; }
	as_sudo record -q -o home/sudo.grt -- id -u > out 2> err
	ok "the command runs as the user behind sudo"	[ "$(cat out)" = 65534 ]
	ok "who owns the file"		[ "$(stat -c %u:%g home/sudo.grt)" = 65534:65534 ]
	module 0
	echo victim > victim && chmod 600 victim
	ok "nothing is written where that user may not" complains 3 "Permission denied" "-o" \
		as_sudo record -q -o victim
	ln -s .. home/up
	ok "nor through a link"		complains 3 "Permission denied" "-o" as_sudo record -q -o home/up/x.conf
	ok "nor by an import"		complains 3 "Permission denied" "-o" as_sudo import -o home/up/x.conf "$golden/import/fences.txt"
	ok "nor by others"		complains 3 "Permission denied" "-o" as_sudo slice --since 0 -o home/up/x.conf own.grt
	ok "what was there is there"	[ "$(cat victim)" = victim ]
	ok "nothing else came"		[ ! -e x.conf ]
	ok "where that user may, it is that user's" run 0 as_sudo slice --since 0 -o home/s.grt own.grt
	ok "all of it"			[ "$(stat -c %u:%g home/s.grt)" = 65534:65534 ]
	chmod 700 .
	ok "not root"			complains 3 "no source works here" "sudo grtrace record" \
		setpriv --reuid=65534 --clear-groups env HOME=/ "$grtrace" record
	ok "not root: status"		complains 3 "Permission denied" "run it with sudo" \
		setpriv --reuid=65534 --clear-groups "$grtrace" status
fi

rm -rf "$GRTRACE_DIR"
ok "no module: record"			complains 3 "not loaded" "sudo modprobe grtrace" "$grtrace" record --source=module
ok "no such source"			complains 2 "no source 'kprobes'" "one of: auto module" "$grtrace" record --source kprobes
# Root may have BPF programs, nobody else.
as_nobody() { "$@"; }
[ "$(id -u)" != 0 ] || as_nobody() { setpriv --reuid=65534 --clear-groups "$@"; }
ok "no source works"			complains 3 "no source works here" "sudo grtrace record\|sudo modprobe" as_nobody "$grtrace" record
ok "each says why"			grep -q '^  bpf  *[a-z]' err
ok "tracefs, too"			grep -q '^  tracefs  *[a-z]' err
ok "tracefs alone"			complains 3 "source tracefs does not work here" sudo as_nobody "$grtrace" record --source=tracefs
for source in module bpf; do
	ok "$source has no -e"		complains 3 "source $source does not work here: it cannot record other events (-e)" --source=tracefs \
		"$grtrace" record --source=$source -e irq
done
ok "-e takes tracefs, and no other source is tried" complains 3 "source tracefs does not work here" sudo as_nobody "$grtrace" record -e irq
ok "-v needs an -e before it"		complains 2 "-v needs an -e before it" "record -h" "$grtrace" record -v -e irq
ok "and one behind it"			complains 2 "another behind it" "record -h" "$grtrace" record -e irq -v
ok "--type leaves out what -e records"	complains 2 "--type without TRACE_EVENT" "record -h" "$grtrace" record -e irq --type SUBMIT
ok "sums have no other events"		complains 2 "--event records events and takes no --summary" "record -h" "$grtrace" record -e irq --summary
many=$(seq -f '-e irq:%.0f' 65)
# shellcheck disable=SC2086	# words
ok "at most 64 -e"			complains 2 "option --event: at most 64" "record -h" "$grtrace" record $many
for command in start stop status config; do
	ok "no module: $command"	complains 3 "not loaded" "sudo modprobe grtrace" "$grtrace" $command
done
ok "no module: live"			complains 3 "not loaded" "sudo modprobe grtrace" "$grtrace" dump -l
ok "help needs no module"		run 0 "$grtrace" start -h
end
