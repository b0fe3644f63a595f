#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: if any call of a command fails, old files stay, no file is left behind, and one error with a hint is printed
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

preload=$(fault_preload)

"$gen" grt 3 300 a.grt && "$gen" boot a 1 1 b.grt && "$gen" dat overwritten > trace.dat || exit 1
head -c 20000 a.grt > bad.grt

# A folder like the module's with a stopped session, and one with unread events.
mkdir read unread
"$gen" example 0 > read/events0
echo 0 > read/enabled
echo stopped > read/control
echo buffer_size=4194304 > read/config
echo adapter.drm_bridge=drm_sched_job > read/metadata
cp read/* unread
echo state=stopped > read/stats
printf 'state=stopped\nunread_bytes=5000\n' > unread/stats
export GRTRACE_DIR="$dir/module"
module() { rm -rf module; cp -r "$1" module; }

# environment, then the command that makes disk/x.grt
with() { env LD_PRELOAD="$preload" "$@" > out 2> err; }
record() { module read; with "$@" "$grtrace" record -q -o disk/x.grt -- true; }
extract() { module unread; with "$@" "$grtrace" extract -q -o disk/x.grt; }
live() { module unread; with "$@" "$grtrace" report --live -o disk/x.grt; }
import() { with "$@" "$grtrace" import -o disk/x.grt trace.dat; }
slice() { with "$@" "$grtrace" slice --since 1ns -o disk/x.grt a.grt; }
merge() { with "$@" "$grtrace" merge --offset 2:1000s -o disk/x.grt a.grt b.grt; }
repair() { with "$@" "$grtrace" repair -o disk/x.grt bad.grt; }

new_disk() { rm -rf disk; mkdir disk; [ -z "$before" ] || cp "$before" disk/x.grt; }

complain() { echo "$command, $fault: $1" >> said; cat err >> said; }

# Success: the file is complete and the only one.
is_whole()
{
	"$grtrace" dump disk/x.grt > dump.txt 2>&1
	cmp -s dump.txt whole.txt || complain "it is not whole"
	[ "$(echo disk/*)" = disk/x.grt ] || complain "there are also $(echo disk/*)"
}

# Failure: only old files are left, or a recording under the printed name.
is_harmless()
{
	errors=0 hints=0 told=""
	while IFS= read -r line; do
		case $line in
		"grtrace: warning: "*) ;;
		"grtrace: "*) errors=$((errors + 1)) ;;
		"hint: "*) hints=$((hints + 1)) ;;
		esac
		told="$told$line"
	done < err
	[ "$errors" -eq 1 ] || complain "$errors errors"
	[ "$hints" -gt 0 ] || complain "no hint"
	for file in disk/*; do
		if [ "$before$file" = preciousdisk/x.grt ]; then
			cmp -s "$file" "$before" || complain "the file that was there is not"
			continue
		fi
		[ -e "$file" ] || continue
		case $command,$told in
		record,*"what was recorded is in '$file'"*) ;;
		live,*"what was recorded is in '$file'"*) ;;
		extract,*"what was recorded is in '$file'"*) ;;
		*) complain "$file is left" ;;
		esac
		"$grtrace" dump "$file" > dump.txt 2>&1 || complain "what is kept cannot be read: $(cat dump.txt)"
	done
}

tried()		# each call of the command that has its turn fails: once, and with all that come
{
	new_disk
	: > calls
	"$command" FAULT_LOG="$dir/calls" || :
	"$grtrace" dump disk/x.grt > whole.txt 2>&1
	nth=0 taken=0 refused=0 closed=""
	: > said
	while read -r call; do
		nth=$((nth + 1))
		if ! has_turn; then
			[ "$call" != close ] || closed=y
			continue
		fi
		taken=$((taken + 1))
		for how in "5 once" "28 once" 28; do	# EIO, ENOSPC
			# A recording goes on with the room that is left.
			case $command,$how in
			record,*|extract,*|live,*) ;;
			*,"28 once") continue ;;
			esac
			fault="$call ($nth) $how"
			new_disk
			code=0
			"$command" FAULT="any $nth $how" || code=$?
			case $code in
			0|1) is_whole ;;
			3) refused=$((refused + 1)); is_harmless ;;
			*) complain "exit status $code" ;;
			esac
			# After these calls a failure costs nothing: the file is on the disk, under its name.
			case $call$closed in
			writev*|pwrite*|ftruncate*|fdatasync*|rename*|close) [ "$code" -eq 3 ] || complain "exit status $code" ;;
			esac
		done
		[ "$call" != close ] || closed=y
	done < calls
	cp said out
	: > err
	[ "$nth" -gt 8 ] && [ "$refused" -gt "$taken" ] && [ ! -s said ]
}

echo precious > precious
for command in record extract live import slice merge repair; do
	for before in "" precious; do
		ok "$command${before:+ over a file}"	tried
	done
done
end
