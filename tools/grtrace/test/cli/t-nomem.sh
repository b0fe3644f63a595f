#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: without memory a command fails with an error, or does all of its work
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# How many requests for memory are refused, one per run, evenly spread; 0: each of them.
readonly points="${GRTRACE_NOMEM_POINTS:-$((12 / every))}"
nomem=$build/nomem/grtrace least=0

# The result of a command includes the file that it writes, or the files of the folder.
result()	# the command
{
	rm -rf made out err
	"$@" > out 2> err < /dev/null
	code=$?
	[ ! -e made ] || find made -type f | LC_ALL=C sort | xargs cat >> out
}

says_so()	# one line, beside warnings
{
	[ "$(grep -v '^grtrace: warning: ' err | grep -c '^grtrace: ')" -eq 1 ] &&
		grep -q -e "^grtrace: .*out of memory" -e "^grtrace: .*Cannot allocate memory" err
}

# One run: the same as with all memory, or exit status 3 with one line about memory.
holds()		# which request, "" or 1: from there on all, the command
{
	at=$1 on=$2 why=""
	shift 2
	result env NOMEM_AT="$at" ${on:+NOMEM_ON=1} "$@"
	case $code in
	"$whole_code") cmp -s out whole || why="other output, exit status $code" ;;
	3)
		says_so || why="exit status 3, other words"
		[ ! -e made ] || why="exit status 3, but there is a file"
		;;
	*) why="exit status $code" ;;
	esac
	[ -z "$why" ] || echo "request $at of $requests${on:+ and all behind it}: $why" >> err
	[ -z "$why" ]
}

lacks()		# the command's arguments; what it makes is 'made'
{
	NOMEM_COUNT=$dir/count
	export NOMEM_COUNT
	result "$nomem" "$@"
	unset NOMEM_COUNT
	mv out whole
	whole_code=$code requests=$(cat count)
	# Requests of its child are not counted, but fail, too.
	[ "$requests" -ge "$least" ] || requests=$least
	[ "$code" -le 1 ] && [ -s whole ] && [ "$requests" -gt 4 ] || return 1
	step=1
	[ "$points" -eq 0 ] || step=$((requests / points + 1))
	at=1
	while [ "$at" -le "$requests" ]; do
		holds "$at" "" "$nomem" "$@" && holds "$at" 1 "$nomem" "$@" || return 1
		at=$((at + step))
	done
}

"$gen" scene two-devices trace.grt && "$gen" boot heron 1700000000 100 a.grt &&
	"$gen" boot heron 1700000000 200 b.grt &&
	head -c $(($(wc -c < trace.grt) - 100)) trace.grt > broken.grt || exit 1
"$gen" scene asked asked.grt && "$gen" load > one && "$gen" load seed=3 exec=1300 > other || exit 1
"$gen" dat small > trace.dat || exit 1

ok "report"			lacks report trace.grt
ok "report, CSV"		lacks report --format csv trace.grt
ok "report, JSON"		lacks report --format json trace.grt
ok "report --jobs"		lacks report --jobs trace.grt
ok "report --jobs, JSON"	lacks report --jobs --format json trace.grt
ok "report, tables"		lacks report --blame --idle --per-ctx --per-process trace.grt
ok "report --frames"	lacks report --frames trace.grt
ok "report --frames, JSON" lacks report --frames --per-process --format json trace.grt
"$gen" scene missed missed.grt && "$gen" scene leak leak.grt || exit 1
"$grtrace" import -o commands.grt "$golden/import/virtio.txt" 2> /dev/null || exit 1
ok "report --displays"	lacks report --frames --displays missed.grt
ok "report --memory"	lacks report --memory leak.grt
ok "report --memory, CSV" lacks report --memory --format csv leak.grt
ok "report --memory, JSON" lacks report --memory --format json leak.grt
ok "report, tables as CSV"	lacks report --blame --idle --per-ctx --per-process --format csv trace.grt
ok "timeline"			lacks timeline trace.grt
ok "timeline --around"	lacks timeline --around 3:1 trace.grt
ok "timeline, CSV"		lacks timeline --format csv trace.grt
ok "timeline --list"		lacks timeline --list trace.grt
ok "monitor drm"		lacks monitor drm trace.grt
ok "monitor, JSON and intervals" lacks monitor --json --interval 100ms amdgpu "$golden/import/amdgpu-memory.txt"
ok "monitor vblank"		lacks monitor vblank asked.grt
ok "dump"			lacks dump trace.grt
ok "dump, CSV"			lacks dump --format csv trace.grt
ok "verify"			lacks verify trace.grt
ok "diff"			lacks diff one other
ok "slice"			lacks slice --since 0 -o made trace.grt
ok "export, CTF"			lacks export --to ctf -o made trace.grt
ok "export, HTML"		lacks export --to html -o made trace.grt
ok "export, HTML with commands" lacks export --to html -o made commands.grt
ok "merge"			lacks merge -o made a.grt b.grt
for pid in 7 8; do
	echo "[1.000000] IOCTL_ENTER pid=$pid tid=$pid comm=a cmd=0x6440 arg=0x0"
	echo "[1.000900] IOCTL_EXIT pid=$pid tid=$pid comm=a ret=0 duration_ns=900000"
done > cpu.txt
ok "merge, a timeline"		lacks merge --cpu cpu.txt --gpu trace.grt --deltas -o made
ok "merge, standard output"	lacks merge --cpu cpu.txt --gpu trace.grt
ok "repair"			lacks repair -o made broken.grt
"$grtrace" merge --cpu cpu.txt --gpu trace.grt --deltas > merged.txt || exit 1
ok "timeline of merged text"	lacks timeline merged.txt
ok "timeline --list of it"	lacks timeline --list merged.txt
ok "import"			lacks import -o made "$golden/import/fences.txt"
least=60
ok "import, trace.dat"		lacks import -o made trace.dat
"$gen" dat ioctls > ioctls.dat || exit 1
ok "merge, trace.dat"		lacks merge --cpu ioctls.dat --gpu trace.grt -o made
end
