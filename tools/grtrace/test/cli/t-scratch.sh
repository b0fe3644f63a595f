#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a command ended by a signal leaves no unfinished and no temporary file behind
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

mkdir tmp || exit 1
export TMPDIR="$dir/tmp"

# Each of these prints a warning while it writes: about a CPU that begins late, or about a checksum
# that does not match.
poke() { printf '\377' | dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null; }
"$gen" dat overwritten > trace.dat && "$gen" grt 3 9000 bad.grt &&
	"$gen" boot a 1 1 boot.grt || exit 1
poke bad.grt 300000
awk 'BEGIN { for (i = 0; i < 400; i++) {
	job = sprintf("dev=a, fence=5:%d, ring=gfx, job count:0, hw job count:0, client_id:3", i)
	printf " p-9 [000] %.6f: drm_sched_job_queue: %s\n", 20 + i / 1000, job
	printf " p-9 [%03d] %.6f: drm_sched_job_done: fence=5:%d signaled\n", (i >= 200), 20.0005 + i / 1000, i
} }' > trace.txt

# A full FIFO for the warning: the command waits there for a reader that never comes.
mkfifo full && exec 3<> full || exit 1
dd if=/dev/zero of=full bs=4096 oflag=nonblock 2> /dev/null

files() { find . -name '*.grtrace-*' -o -path './tmp/?*'; }

# The caller may ignore some signals, as nohup does, and the commands would inherit that.
defaults=INT,HUP,TERM
# Finds a file of O_TMPFILE, which gets its name only when it is whole.
nameless() { find "/proc/$pid/fd" -lname "$dir/* (deleted)" 2> err; }
begins()	# the command: in the background, until it has made its file
{
	env --default-signal="$defaults" "$@" > out 2> full 3>&- &
	pid=$!
	tries=0
	until [ -n "$(files)$(nameless)" ]; do
		tries=$((tries + 1))
		[ "$tries" -lt 600 ] && kill -s 0 "$pid" 2> err && sleep 0.05 && continue
		kill -s KILL "$pid" 2> err
		return 1
	done
}

ends_by()	# signal: and leaves nothing
{
	{ wait "$pid"; } 2> err
	[ "$(kill -l $?)" = "$1" ] && [ -z "$(files)" ]
}

goes()		# signal, then the command
{
	signal=$1
	shift
	begins "$@" && kill -s "$signal" "$pid" && ends_by "$signal"
}

for signal in INT TERM HUP; do
	ok "import of text: $signal"	goes $signal "$grtrace" import -o new.grt trace.txt
	ok "of a trace.dat: $signal"	goes $signal "$grtrace" import -o new.grt trace.dat
done
ok "neither made its file"		[ ! -e new.grt ]
for command in "report -f csv" dump "slice --since 1ns" "diff trace.dat"; do
	# shellcheck disable=SC2086	# a command and its options
	ok "$command: a trace.dat"	goes INT "$grtrace" $command trace.dat
done
ok "report: text"			goes INT "$grtrace" report -f csv trace.txt
ok "slice"				goes INT "$grtrace" slice --since 1ns bad.grt
ok "merge"				goes INT "$grtrace" merge --offset 2:1000s boot.grt bad.grt

# Like ^C: the reader of a trace.dat gets the signal, too.
goes_as_a_group() { begins setsid "$@" && kill -s INT -- "-$pid" && ends_by INT; }
ok "a whole group of processes"		goes_as_a_group "$grtrace" import -o new.grt trace.dat

child_of() { grep -l "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status 2> err | cut -d / -f 3; }
takes_its_reader_along()
{
	begins "$grtrace" import -o new.grt trace.dat || return 1
	child=$(child_of "$pid")
	[ -n "$child" ] && kill -s TERM "$pid" && ends_by TERM && ! kill -s 0 "$child" 2> err
}
ok "nor is the reader left"		takes_its_reader_along

# Like nohup.
goes_on() { begins "$grtrace" import -o new.grt trace.txt && kill -s HUP "$pid" && sleep 0.2 && [ -n "$(files)$(nameless)" ]; }
defaults=INT,TERM
trap '' HUP
ok "what is ignored stays so"		goes_on
trap - HUP
kill -s TERM "$pid"
ok "until another one comes"		ends_by TERM
end
