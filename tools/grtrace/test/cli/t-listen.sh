#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: listen makes a file of each stream that record --to, or anything else, sends; bad senders do no harm; clocks are compared
# Tests call these functions through ok(). $$ and the like are those of the inner shells.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export GRTRACE_DIR="$dir/debugfs"

module()	# a session can be started; its streams are files
{
	rm -rf "$GRTRACE_DIR"
	mkdir "$GRTRACE_DIR"
	echo 0 > "$GRTRACE_DIR/enabled"
	echo running > "$GRTRACE_DIR/control"
	printf 'buffer_size=4194304\nglobal_seq=1\n' > "$GRTRACE_DIR/config"
	printf 'version=1\nformat_version=1\n' > "$GRTRACE_DIR/version"
	: > "$GRTRACE_DIR/stats"
}
example()
{
	module
	"$gen" example 0 > "$GRTRACE_DIR/events0"
	"$gen" example 1 > "$GRTRACE_DIR/events1"
}
record() { "$grtrace" record --source=module "$@"; }

server='' port=''
begin()		# the command: its output is in log and said, which have nothing of the one before
{
	: > log
	: > said
	"$@" > log 2> said &
	server=$!
}
listen()	# options, then the address; files are in the folder disk
{
	begin "$grtrace" listen -o disk "$@"
	for _ in $(seq 100); do
		port=$(sed -n 's/^grtrace: listens at .*:\([^:]*\)$/\1/p' said)
		[ -z "$port" ] || return 0
		kill -0 $server 2> err || return 1
		sleep 0.05
	done
	return 1
}
new()		# the same with an empty folder
{
	rm -rf disk
	mkdir disk
	listen "$@"
}
near() { new "$@" tcp:127.0.0.1:0; }
ends()		# by itself, and soon: the status is its own
{
	timeout 60 tail --pid="$server" -f /dev/null || kill -KILL "$server"
	wait "$server"
}
stop() { kill -TERM $server && ends; }
talk() { timeout 20 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$0" || exit 9; '"$1" "$port" > out 2> err; }
sends() { talk "cat $1 >&3"; }
logged()	# waits until a line is in the file log, or said
{
	for _ in $(seq 100); do
		! grep -qE -e "$1" log said || return 0
		sleep 0.05
	done
	cat log said > out
	return 1
}
the_file() { echo disk/*.grt; }
good()		# file: all rules are kept, and all events are there
{
	"$grtrace" verify "$1" > out 2> err && "$grtrace" dump "$1" > out 2> err && cmp -s out "$golden/dump/example.txt"
}
hello='printf "grtrace 1 stream host=%s boot_id=4e44a172-6d00-477e-9c86-117c3c59f91d\n"'

example
record --live > raw 2> err || exit 1
module
"$gen" bulk 0 100000 > "$GRTRACE_DIR/events0"
record --live > long 2> err || exit 1
head -c $(($(stat -c %s raw) - 500)) raw > short

# One that says nothing takes a while: it has a listener of its own, and the end of this test looks at it.
near
timeout 20 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$0"; cat <&3 > stalled' "$port" &
stalled=$!
logged "listens at"
sends raw
ok "while one stalls, others go on"	logged "^vm from .*: ended"
patient=$server

# --- record --to ---
example
near --once
ok "record --to"			run 0 "$grtrace" record --source=module --to "tcp:127.0.0.1:$port"
ok "says how much it was"		grep -q "^tcp:127.0.0.1:$port: 26 events, 6 jobs of 1 process in 27 us, 10 lost" err
ok "listen --once ends with it"		ends
ok "and says what it has"		grep -qE "^$(uname -n) from tcp:127.0.0.1:[0-9]+: ended disk/$(uname -n)-[0-9]{8}-[0-9]{6}.grt: 26 events, 6 jobs, 10 lost, 6.[0-9] KiB$" log
ok "the file is whole"			good "$(the_file)"
ok "and nobody else may read it"	[ "$(stat -c %a "$(the_file)")" = 600 ]
ok "there is nothing else"		[ "$(find disk -type f | wc -l)" -eq 1 ]
clocks()
{
	"$grtrace" dump --definitions -f json "$(the_file)" > rows 2> err
	sed -n 's/.*"PEER".*"own_ns":\([0-9]*\).*"peer_ns":\([0-9]*\).*"within_ns":\([0-9]*\).*/\1 \2 \3/p' rows > out
	# On one machine both are the same clock.
	awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > $3 || !$3 || $3 > 1e8) exit 1 } END { exit NR != 2 }' out &&
		[ "$(grep '"PEER"' rows | grep -c "$(cat /proc/sys/kernel/random/boot_id)")" -eq 2 ]
}
ok "both ends compared their clocks"	clocks

example
new --once unix:socket
ok "through a socket file"		run 0 "$grtrace" record --source=module --to unix:socket
ends
ok "all is there, too"			good "$(the_file)"
ok "and the socket file is gone"	[ ! -e socket ]
begin "$grtrace" listen -o disk unix:socket
logged "listens at unix:socket"
ok "which only its user may open"	[ "$(stat -c %a socket)" = 600 ]
ok "and only one may have"		complains 3 "cannot listen on 'unix:socket': Address already in use" "ss -lxp" timeout 10 "$grtrace" listen unix:socket
kill -KILL $server
wait $server 2> err
ok "one of a dead process is replaced"	new unix:socket
stop

example
near --once
record --to "127.0.0.1:$port" -- sh -c 'echo said by the command; exit 7' > out 2> err
ok "the status of a command"		[ $? = 7 ]
ok "its output goes where it went"	grep -q "said by the command" out
ends
example
touch ran && rm ran
ok "nobody listens"			complains 3 "nobody listens at '127.0.0.1:1'" "grtrace listen 127.0.0.1:1" "$grtrace" record --source=module --to 127.0.0.1:1 -- touch ran
ok "and nothing was begun"		sh -c '[ ! -e ran ] && [ "$(cat "$GRTRACE_DIR/control")" = running ]'
for options in "-o x.grt" "-o -" "--rotate 1M" "--max-size 1M" "--summary" "--flight"; do
	# shellcheck disable=SC2086	# options are words
	ok "no $options"		complains 2 "--to writes to a socket and takes no --" "record -h" "$grtrace" record --to 127.0.0.1:1 $options
done
ok "one of --live and --to"		complains 2 "--live writes to standard output and takes no --to" "record -h" "$grtrace" record --live --to 127.0.0.1:1
for address in "" 80 :80 ::1:80 "[::1]" 127.0.0.1:99999 unix: vsock:1 vsock:x:1 vsock:1:x; do
	ok "no address: '$address'"	complains 2 "is no address" "." "$grtrace" listen "$address"
done

# --- --clock-from ---
example
near
ok "a file with the clock of a peer"	run 0 "$grtrace" record --source=module --clock-from "127.0.0.1:$port" -o disk/own.grt
ok "on this machine it is the same"	clocks
ok "the file keeps all rules"		good disk/own.grt
ok "no clock, no recording"		complains 3 "nobody listens" "grtrace listen" "$grtrace" record --source=module --clock-from 127.0.0.1:1 -- touch ran
ok "not where there is no file"		complains 2 "clock-from takes no" "record -h" "$grtrace" record --summary --clock-from 127.0.0.1:1
ok "the time, asked for by hand"			talk 'printf "grtrace 1 time host=x boot_id=\n" >&3; read -r answer <&3; echo "$answer"
	for _ in 1 2 3; do echo time >&3; read -r ns <&3; echo "$ns"; done; date +%s >&2'
ok "its answer"				grep -qE "^grtrace 1 host=$(uname -n) boot_id=$(cat /proc/sys/kernel/random/boot_id)$" out
ok "its time only grows"		sh -c 'sed 1d out > ns && sort -cun ns && [ "$(grep -cE "^[0-9]+ [0-9]+$" ns)" -eq 3 ]'
ok "with the time of day"		sh -c 'awk -v now="$(cat err)" "{ if (now - \$2 / 1e9 > 3 || \$2 / 1e9 - now > 1) exit 1 }" ns'
between()
{
	perl -MTime::HiRes=clock_gettime,CLOCK_MONOTONIC -MIO::Socket::INET -e '
		$s = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $ARGV[0]) or exit 1;
		print $s "grtrace 1 time host=x boot_id=\n"; $s->flush; <$s>;
		$before = clock_gettime(CLOCK_MONOTONIC); print $s "time\n"; $s->flush; ($ns) = split / /, <$s>;
		exit !($before <= $ns / 1e9 + 1e-6 && $ns / 1e9 <= clock_gettime(CLOCK_MONOTONIC) + 1e-6)' "$port"
}
if perl -MTime::HiRes -MIO::Socket::INET -e 1 2> err; then
	ok "and lies between ours"	between
else
	ok "and lies between ours # SKIP no perl" true
fi
ok "another question"			talk 'printf "grtrace 1 time host=x boot_id=\ndate\n" >&3; cat <&3'
ok "is refused"				logged "refused: it may ask for the time only"
stop

# --- other senders ---
near
ok "a plain stream"			sends raw
ok "is taken"				logged "^vm from .*: ended"
ok "as a whole file"			good "$(the_file)"
stop
near
ok "a hello and a stream"		talk "$hello node-1 >&3; read -r answer <&3; echo \"\$answer\"; cat raw >&3"
ok "is answered"			grep -q "^grtrace 1 host=$(uname -n) boot_id=" out
ok "and taken"				logged "^node-1 from .*: ended disk/node-1-"
ok "under its name"			good "$(echo disk/node-1-*.grt)"
ok "a name with slashes and the like"	talk "$hello $(printf "'../../e\t\033[31mvil;x'") >&3; read -r answer <&3; cat raw >&3"
ok "is taken"				logged "vil;x from .*: ended disk/_"
ok "without what does harm"		sh -c 'find . -name "*vil*" > found; [ "$(wc -l < found)" -eq 1 ] && grep -qE "^./disk/_[.]_[.]{2}_e___31mvil_x-[0-9-]+[.]grt$" found'
ok "also where it is printed"		sh -c '! grep -q "$(printf "\033")" log'
ok "a stream that breaks off"		sends short
ok "is kept"				logged "^vm from .*: cut disk/vm-.*: it ends within a record$"
cut_is_kept()
{
	cut=$(sed -n 's/.*: cut \([^:]*\):.*/\1/p' log) && "$grtrace" report "$cut" > out 2> err && grep -q "cut" out err || return 1
	"$grtrace" dump "$cut" 2> err | grep -vc LOSS > events
	head -c $(($(stat -c %s short) / 8 * 8)) short > aligned
	"$grtrace" dump short 2> err | grep -vc LOSS | cmp -s - events && [ "$(cat events)" -gt 10 ] && [ "$(cat events)" -lt 27 ]
}
ok "with all that came"			cut_is_kept
ok "its events are counted"		grep -q "cut .*: $(cat events) events" log
stop

near
talk "$hello same >&3; read -r answer <&3; cat raw >&3; sleep 1" &
first=$!
talk "$hello same >&3; read -r answer <&3; cat raw >&3; sleep 1" &
wait $first $!
logged "begins.*-2.grt"
stop
ok "two at once"			[ "$(grep -c ': ended ' log)" -eq 2 ]
two_files()
{
	for file in disk/same-*.grt; do
		good "$file" || return 1
	done
	[ "$(find disk -type f | wc -l)" -eq 2 ]
}
ok "have two files"			two_files

# The next second may have begun: names of all near ones exist.
near
begin=$(date +%s)
for i in $(seq 0 20); do
	echo mine > "disk/old-$(date -u -d "@$((begin + i))" +%Y%m%d-%H%M%S).grt"
done
talk "$hello old >&3; read -r answer <&3; cat raw >&3"
ok "no file is replaced"		logged "from .*: ended disk/old-[0-9-]*-2.grt"
ok "not one"				[ "$(cat disk/old-*[0-9][0-9][0-9].grt | sort -u | grep -c mine)" -eq 1 ]
stop

# --- bad ones ---
near
ok "garbage"				talk 'head -c 4096 /dev/zero >&3; cat <&3'
ok "is refused in a line"		logged "^grtrace: warning: tcp:127.0.0.1:[0-9]*: refused: what comes is no stream of grtrace$"
ok "and told so"			grep -qa "^grtrace 1 refused what comes is no stream" out
talk 'echo grtrace 2 stream host=x boot_id= >&3; cat <&3'
ok "another version"			grep -q "^grtrace 1 refused it does not speak version 1" out
talk 'printf "g%0400d" 1 >&3; cat <&3'
ok "a long line"			grep -q "^grtrace 1 refused its first line is too long" out
talk 'echo grtrace 1 stream host=x boot_id=../.. >&3; cat <&3'
ok "a bad boot id"			grep -q "^grtrace 1 refused its boot_id is not a UUID" out
talk 'echo grtrace 1 host=x boot_id= >&3; cat <&3'
ok "another listener"			grep -q "^grtrace 1 refused it listens, too" out
ok "nothing"				talk :
ok "half a hello"			talk 'printf "grtrace 1 str" >&3'
ok "is told, too"			logged "refused: it ended before it said what it is"
ok "garbage after a hello"		talk "$hello x >&3; read -r answer <&3; seq 1 1000 >&3; cat <&3"
ok "is refused"				logged "refused: the stream has bytes that are no record"
{ cat raw; seq 1 1000; } > bad
ok "garbage behind a stream"		sends bad
ok "ends it"				logged "^vm from .*: cut disk/vm-.*: the stream has bytes that are no record"
ok "but not its file"			sh -c '"$0" verify disk/vm-*.grt > out 2> err' "$grtrace"
ok "only streams left files"		[ "$(find disk -type f | wc -l)" -eq 1 ]
# More connections than it takes, all silent: a new one still is served.
crowd()
{
	timeout 20 bash -c 'for i in $(seq 300); do exec {fd}<>"/dev/tcp/127.0.0.1/$0" || exit 1; done; cat raw >&$fd; exec {fd}>&-; sleep 1' "$port" > out 2> err
}
ok "a crowd"				crowd
ok "does not keep others away"		sh -c 'for i in $(seq 80); do [ "$(grep -c "ended disk/vm" log)" -lt 1 ] || exit 0; sleep 0.1; done; exit 1'
ok "and the oldest are told"		grep -q "refused: there are too many connections" said
ok "SIGTERM ends it"			stop

# --- limits ---
near --max-size 100K --once
sends long
ends
ok "a file that reaches its size"	[ $? = 1 ]
ok "is told"				grep -q "^vm from .*: cut .*: it reached --max-size$" log
ok "it is smaller"			[ "$(stat -c %s "$(the_file)")" -le 102400 ]
ok "and can be read"			sh -c '"$0" dump disk/*.grt 2> err | grep -vc LOSS > n; [ "$(cat n)" -gt 100 ]' "$grtrace"
near --keep-free 1000000G
ok "a disk without space"		talk "$hello x >&3; cat <&3"
ok "takes no stream"			grep -q "^grtrace 1 refused the disk has less space than --keep-free" out
ok "record tells it"			complains 3 "refused: the disk has less space" "" "$grtrace" record --source=module --to "127.0.0.1:$port"
stop
full()
{
	rm -rf disk
	mkdir disk
	begin env LD_PRELOAD="$(fault_preload)" FAULT="writev 8 28" "$grtrace" listen -o disk --once tcp:127.0.0.1:0
	logged "listens at"
	port=$(sed -n 's/^grtrace: listens at .*:\([^:]*\)$/\1/p' said)
	sends long
	ends
	[ $? = 1 ]
}
ok "a disk that is full"		full
ok "ends the stream"			grep -q "^vm from .*: cut .*: no room for it$" log
ok "the file can be read"		sh -c '"$0" report disk/*.grt > out 2> err' "$grtrace"
ok "no folder"				complains 3 "cannot write to 'nowhere'" "-o" "$grtrace" listen -o nowhere 127.0.0.1:0
ok "no file for a folder"		complains 3 "'raw' is no folder" "-o" "$grtrace" listen -o raw 127.0.0.1:0
ok "no streams"				complains 2 "count is 1 or more" "listen -h" "$grtrace" listen --count 0 127.0.0.1:0
new 0.0.0.0:0
ok "an address for all"			grep -q "^grtrace: warning: streams over the network are neither encrypted nor authenticated" said
stop
near
ok "one for this machine needs no warning" sh -c '! grep -q warning said'

# --- ends ---
talk "$hello x >&3; read -r answer <&3; cat raw >&3; sleep 20" &
sender=$!
logged begins
stop
ok "the end of listen"			grep -q "^x from .*: cut disk/x-.*: grtrace listen was ended$" log
ok "keeps what came"			sh -c '"$0" dump disk/x-*.grt | grep -vc LOSS > n; [ "$(cat n)" -eq 26 ]' "$grtrace"
kill $sender
near
talk "$hello x >&3; read -r answer <&3; cat long >&3; sleep 20" &
sender=$!
logged begins
sleep 1
kill -KILL $server
wait $server 2> err
kill $sender
listen tcp:127.0.0.1:0
sends raw
logged "ended disk/vm"
stop
ok "after kill -9, what was written is found" grep -q "a recording was killed; what it had written is in 'disk/x-.*-cut-" said
ok "and can be read"			sh -c '"$0" dump disk/x-*-cut-*.grt 2> err | head -n 100 | grep -c SUBMIT > n; [ "$(cat n)" -gt 10 ]' "$grtrace"
module
"$gen" bulk 0 100000 > "$GRTRACE_DIR/events0"
near --max-size 1M
unkept="at most [0-9,]* events were sent, and it is not known how many of them were kept"
ok "record ends when the listener has enough" complains 3 "'127.0.0.1:$port' ended the stream (it reached --max-size): $unkept" "grtrace listen" timeout 20 "$grtrace" record --source=module --to "127.0.0.1:$port"
ok "and says so"			grep -q "^the reader of 127.0.0.1:$port is gone: the recording is over" err
ok "but not that nothing is lost"	sh -c '! grep -E "[0-9] lost" err'
stop

# --- a listener that goes away ---
# Starts a recorder in the background, as process $recorder.  It records until file descriptor 7 is closed, and
# leaves its exit code in "ended".
mkfifo hold
recorder_begins()
{
	example
	near
	{ record --to "127.0.0.1:$port" -- sh -c 'read -r _ < hold' > out 2> err; echo $? > ended; } &
	recorder=$!
	exec 7> hold
	logged begins
}
recorder_begins
kill -KILL $server
wait $server 2> killed
wait $recorder
ok "killed: recording ends"		[ "$(cat ended)" = 3 ]
ok "what was kept is not known"		grep -q "^grtrace: '127.0.0.1:$port' went away: $unkept$" err
exec 7>&-
recorder_begins
stop
wait $recorder
ok "ended: the recording ends, too"	[ "$(cat ended)" = 3 ]
ok "and is told why"			grep -q "^grtrace: '127.0.0.1:$port' ended the stream (grtrace listen was ended): $unkept$" err
exec 7>&-
example
near
rm -rf disk
ok "no file, no recording"		complains 3 "refused: cannot create 'disk/.*No such file" "" "$grtrace" record --source=module --to "127.0.0.1:$port" -- touch ran
ok "and nothing was begun there"	sh -c '[ ! -e ran ] && [ "$(cat "$GRTRACE_DIR/control")" = running ]'
stop

# --- who takes what ---
# All places of those that ask for the time; the oldest must go.
near
asks_often()
{
	timeout 60 bash -c 'for i in $(seq 300); do exec {fd}<>"/dev/tcp/127.0.0.1/$0" && echo "grtrace 1 time host=x boot_id=" >&$fd && read -r _ <&$fd || exit 1; done
		exec 3<>"/dev/tcp/127.0.0.1/$0"; '"$hello"' real >&3; read -r answer <&3; echo "$answer"; cat raw >&3; exec 3>&-; sleep 1' "$port" > out 2> err
}
ok "a crowd that asks for the time"	asks_often
ok "does not keep streams away"		logged "^real from .*: ended disk/real"
stop
recorder_begins
asks_often
exec 7>&-
wait $recorder
ok "a recorder whose clock was sent away" [ "$(cat ended)" = 0 ]
stop
rm disk/real-*.grt
ok "asks again"				clocks

# Nobody reads what it prints: lines are long enough to fill a pipe soon.
rm -rf disk
mkfifo lines
folder=disk/$(printf '%0200d' 0)/$(printf '%0200d' 0)
mkdir -p "$folder"
exec 8<> lines
: > said
"$grtrace" listen -o "$folder" tcp:127.0.0.1:0 > lines 2> said &
server=$!
logged "listens at"
port=$(sed -n 's/^grtrace: listens at .*:\([^:]*\)$/\1/p' said)
come()		# so many streams, till so many files are there
{
	timeout 60 bash -c 'for i in $(seq "$1"); do exec 3<>"/dev/tcp/127.0.0.1/$0" && cat raw >&3 && exec 3>&- || exit 1; done' "$port" "$1" > out 2> err
	for _ in $(seq 200); do
		[ "$(find disk -name '*.grt' | wc -l)" -lt "$2" ] || return 0
		sleep 0.05
	done
	return 1
}
ok "nobody reads its lines"		come 160 160
timeout 1 cat <&8 > first
ok "who reads later is told"		grep -qE "^[0-9]+ lines were dropped, because nobody read them$" first
ok "others come"			come 90 250
ok "it can be ended then"		stop
ok "and says what was not read"		grep -q "warning: nobody read [0-9]* lines of standard output" said
timeout 1 cat <&8 > rest
exec 8<&-
counted()
{
	dropped=$(sed -n 's/^\([0-9]*\) lines were dropped, because nobody read them$/\1/p' first rest | awk '{ sum += $1 } END { print sum + 0 }')
	unread=$(sed -n 's/.*nobody read \([0-9]*\) lines.*/\1/p' said)
	read=$(cat first rest | grep -c "^vm from")
	echo "dropped $dropped, unread $unread, read $read" > out
	[ $((dropped + unread + read)) -eq 500 ]
}
ok "each line is read or counted"	counted
wait $stalled
ok "one that stalls must go"		grep -q "^grtrace 1 refused it does not say what it is" stalled
kill $patient && wait $patient
end
