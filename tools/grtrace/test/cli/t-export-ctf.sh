#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace export --to ctf: babeltrace2 prints all events with all fields, losses and jobs of a trace
# Tests call these functions through ok(). $2 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

lines=$tools/test/cli/ctf-lines.awk

# A sanitizer needs twice the memory, and time: fewer of everything, and no limits.
fewer=1
! grep -q __asan_init "$grtrace" || fewer=50

export_to()	# folder, then options and files
{
	to=$1
	shift
	rm -rf "$to"
	run 0 "$grtrace" export --to ctf --all-time -o "$to" "$@"
}

# In UTC, with the numbers of the clock instead of dates; what it says of losses is in lost.txt.
read_ctf() { babeltrace2 --clock-cycles --no-delta "$1" > ctf.txt 2> lost.txt; }

# Events of both as lines: the same, whatever their order between CPUs.
same()		# file, then options of the time
{
	file=$1
	shift
	export_to x.ctf "$@" "$file" || return
	read_ctf x.ctf || { cat lost.txt >> err; return 1; }
	"$grtrace" dump -f csv -d "$@" "$file" 2> err | awk -f "$lines" | LC_ALL=C sort > a
	grep -v ' grtrace:JOB_DONE: ' ctf.txt | awk -f "$lines" | LC_ALL=C sort > b
	[ -s a ] && diff a b >> err
}

same_jobs()
{
	"$grtrace" report --all-time --jobs -f csv "$1" 2> err | awk -f "$lines" | LC_ALL=C sort > a
	grep ' grtrace:JOB_DONE: ' ctf.txt | awk -f "$lines" | LC_ALL=C sort > b
	[ -s a ] && diff a b >> err
}

# What babeltrace2 says of losses is what report says.
same_losses()
{
	"$grtrace" report --all-time -f json "$1" 2> err |
		jq ".trace.lost | .missing + .buffer_full + .oversize" > a
	sed -n 's/.*Tracer discarded \([0-9]*\) event.*/\1/p' lost.txt | awk '{ n += $1 } END { printf "%.0f\n", n }' > b
	cmp a b >> err
}

whole()		# file
{
	same "$@" && same_jobs "$1" && same_losses "$1"
}

"$gen" timeline all > all.bin && "$gen" example 0 > events0 && "$gen" example 1 > events1 &&
	"$gen" policy 0 > policy && "$gen" grt 3 9000 plain.grt && "$gen" wild > wild &&
	"$gen" boot heron 1700000000 100 boot.grt || exit 1
cat events1 events0 > joined

scenes()
{
	"$gen" scenes | while read -r scene job; do
		has_turn || continue
		"$gen" scene "$scene" > scene && whole scene && continue
		echo "scene $scene, with job $job" >> err
		return 1
	done
}

sims()
{
	for class in 0 1 2 3 4 5 6 7 8 9 10 11 12; do
		has_turn || continue
		"$gen" sim "$class" 7 > sim && whole sim && continue
		echo "class $class" >> err
		return 1
	done
}

ok "an event of every type"	whole all.bin
ok "there is one of every type"	[ "$(cut -d ' ' -f 1 b | sort -u | wc -l)" -eq 1 ]
same all.bin
# t-snapshot.sh has the SNAPSHOT.
types=$("$grtrace" help types | awk '{ print $1 }' | grep -vcE 'SUBBUF|STREAM_END|LOSS|POLICY|CLOCK|STATS|STACK_TEXT|SNAPSHOT|NOTE|MACHINE|CGROUP|PEER')
ok "of each that it has"	[ "$(cut -d ' ' -f 1 b | sort -u | wc -l)" -eq "$types" ]
ok "with the kernel's own names" grep -q ' sched:sched_switch: .* prev_pid = 10, next_pid = 11, .*prev_comm = ' ctf.txt
ok "scenes"			scenes
ok "simulated schedules"	sims
ok "CPUs with losses"		whole joined
ok "there are losses"		[ "$(cat b)" -gt 0 ]
ok "policies"			whole policy
ok "many jobs"			whole plain.grt
ok "a time of it"		same plain.grt --since 1ms --until 3ms
ok "of a trace with losses"	same joined --since 12us --until 21us
ok "up to an event"		same joined --until 22100ns

# The first instant that is known on both clocks gives the date.
dated()
{
	date=$(babeltrace2 --clock-gmt --clock-date x.ctf 2> err | sed -n '1s/^\[\([^.]*\)\..*/\1/p')
	echo "date $date" >> err
	[ "$date" = "$1" ]
}
export_to x.ctf boot.grt
ok "real dates"			dated "2023-11-14 22:15:00"

whole_but_jobs() { same "$1" && same_losses "$1"; }
ok "wild times, texts and names" whole_but_jobs wild
ok "with a warning"		sh -c "'$grtrace' export --to ctf -o y.ctf wild 2>&1 | grep -q 'events have another time in the CTF trace'"
obeyed='[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]'
harmless() { ! LC_ALL=C grep -qaP "$obeyed" "$1" && iconv -f utf-8 -t utf-8 "$1" > /dev/null 2>&1; }
names()
{
	for file in "$golden"/names/*.grt; do
		has_turn || continue
		export_to x.ctf "$file" && read_ctf x.ctf && harmless ctf.txt && harmless lost.txt && continue
		echo "$file" >> err
		return 1
	done
}
ok "no name controls a terminal" names

# More CPUs than packets are collected at a time.
"$build/test/make/gen-scale" cpus $((2000 / fewer)) cpus.grt || exit 1
ok "many CPUs"			same cpus.grt
ok "a file for each"		[ "$(find x.ctf -name 'cpu*' | wc -l)" -eq $((2000 / fewer)) ]

# babeltrace2 opens a trace that was cut between two packets, and refuses others.
export_to plain.ctf plain.grt && cp -r plain.ctf cut.ctf
truncate -s -1 cut.ctf/cpu1
ok "cut within a packet"	sh -c "! babeltrace2 cut.ctf > ctf.txt 2> lost.txt"
ok "repair"			run 1 "$grtrace" repair cut.ctf -o repaired.ctf
ok "says what is lost"		grep -qE '^cpu1, byte [0-9]+: no whole packet: [0-9,]+ bytes left out$' out
at=$(sed -n 's/^cpu1, byte \([0-9]*\):.*/\1/p' out)
ok "not all of it is"		[ "$at" -gt 100000 ]
ok "babeltrace2 reads it"	read_ctf repaired.ctf
ok "the other CPUs are whole"	[ "$(grep -c 'cpu_id = [02] ' ctf.txt)" -eq 6400 ]
ok "the start of that one, too"	sh -c "n=\$(grep -c 'cpu_id = 1 ' ctf.txt); [ \$n -gt 1000 ] && [ \$n -lt 3200 ]"
cp ctf.txt repaired.txt
truncate -s "$at" cut.ctf/cpu1
ok "cut between two packets"	read_ctf cut.ctf
ok "it has the same events"	cmp ctf.txt repaired.txt
ok "nothing to repair"		run 0 "$grtrace" repair plain.ctf -o same.ctf
ok "a whole trace stays"	diff -r plain.ctf same.ctf
ok "no folder is replaced"	complains 3 "the folder 'same.ctf' is not empty" "-o" "$grtrace" repair cut.ctf -o same.ctf
mkdir foreign && echo '/* CTF 1.8 */' > foreign/metadata
ok "other tracers' folders"	complains 4 "no whole metadata of grtrace" "only traces of grtrace" "$grtrace" repair foreign -o f.ctf
ok "nothing is left of it"	[ -z "$(find . -name 'f.ctf*')" ]

ok "an empty folder"		sh -c "mkdir empty && '$grtrace' export --to ctf -o empty/ joined > out 2>&1 && [ -s empty/metadata ]"
ok "a folder with files"	complains 3 "the folder 'empty' is not empty" "-o" "$grtrace" export --to ctf -o empty joined
ok "a file"			complains 3 "'events0' exists and is no folder" "-o" "$grtrace" export --to ctf -o events0 joined
ok "standard output"		complains 3 "cannot go to standard output" "grtrace export --to ctf -o" "$grtrace" export --to ctf -o - joined
ok "in no folder"		complains 3 "cannot make 'no/x.ctf'" "-o" "$grtrace" export --to ctf -o no/x.ctf joined
ok "filters of jobs"		complains 2 "no filters of jobs" "slice" "$grtrace" export --to ctf --pid 7 joined
ok "the name of the trace"	sh -c "'$grtrace' export --to ctf plain.grt > out 2>&1; rm -rf plain.ctf; '$grtrace' export --to ctf plain.grt > out 2>&1 && [ -s plain.ctf/metadata ]"

# What a killed command left has no name that anybody opens, and the next one removes it.
mkdir x2.ctf.grtrace-part-a1B2c3 && echo > x2.ctf.grtrace-part-a1B2c3/cpu0
ok "after one that was killed"	run 0 "$grtrace" export --to ctf -o x2.ctf joined
ok "its rest is gone"		[ -z "$(find . -name '*.grtrace-part-*')" ]

# If any call fails there is the whole folder, or none.
preload=$(fault_preload)
rm -rf disk
faults()
{
	refused=0
	for nth in 1 2 3 4 5 6 7 8 10 12 14 16 18 20 22 24; do
		for how in 5 28; do
			rm -rf disk && mkdir disk
			env LD_PRELOAD="$preload" FAULT="any $nth $how" "$grtrace" export --to ctf -o disk/x.ctf joined > out 2> err
			case $? in
			0)	babeltrace2 disk/x.ctf > ctf.txt 2> lost.txt && continue ;;
			3)	refused=$((refused + 1))
				[ ! -e disk/x.ctf ] && [ "$(grep -c ^hint: err)" -eq 1 ] && continue ;;
			esac
			echo "call $nth, error $how" >> err
			return 1
		done
	done
	[ "$refused" -gt 4 ]
}
ok "calls that fail"		faults

"$gen" grt 4 $((1000000 / fewer)) big.grt || exit 1
takes()		# at most so many MiB, then the command
{
	limit=$1
	shift
	"$build/test/make/measure" 1 "$@" > taken 2> err || return 1
	kib=$(cut -d ' ' -f 3 taken)
	echo "$kib KiB, at most $limit MiB" >> err
	[ "$fewer" -gt 1 ] || [ "$kib" -le $((limit << 10)) ]
}
ok "a million events"		takes 48 "$grtrace" export --to ctf -o big.ctf big.grt
# shellcheck disable=SC2046	# two numbers
ok "all of them"		[ "$(babeltrace2 big.ctf 2> err | grep -c 'cpu_id = ')" -eq "$("$grtrace" dump big.grt 2> err | wc -l)" ]
end
