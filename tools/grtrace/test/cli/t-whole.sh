#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: import, merge, slice and repair, killed, interrupted or without room at any moment: old files stay, new files are complete, no temporary file stays
# GRTRACE_ROUNDS of each; if it is not set, 6, or 2 with sanitizers.
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"
rounds=${GRTRACE_ROUNDS:-$((every > 1 ? 2 : 6))}

"$gen" dat overwritten > trace.dat && "$gen" grt 3 9000 a.grt && "$gen" boot a 1 1 b.grt || exit 1
head -c 400000 a.grt > bad.grt
mkdir disk || exit 1

with=""		# libraries
# the command line, and its result when nothing disturbs it
import() { LD_PRELOAD=$with exec "$grtrace" import -o "$1" trace.dat; }
slice() { LD_PRELOAD=$with exec "$grtrace" slice --since 1ns -o "$1" a.grt; }
merge() { LD_PRELOAD=$with exec "$grtrace" merge --offset 2:1000s -o "$1" a.grt b.grt; }
repair() { LD_PRELOAD=$with exec "$grtrace" repair -o "$1" bad.grt; }
commands="import slice merge repair"
for command in $commands; do
	begun=$(date +%s%N)
	($command "whole-$command.grt") > out.txt 2>&1
	eval "took_$command=$(($(date +%s%N) - begun))"
	[ -s "whole-$command.grt" ] || exit 1
done

# All but whole names.
left() { find "$1" -type f ! -name '[a-z].grt' ! -name next.grt; }
# Either the old file, or the complete new one.
is_one() { cmp -s "$1" precious || cmp -s "$1" "whole-$2.grt"; }

# The child that reads a trace.dat takes a moment to die, too.
is_swept_by()
{
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		($1 disk/next.grt) > out.txt 2>> err
		[ -n "$(left disk)" ] || return 0
		sleep 0.1
	done
	return 1
}

# signal, command: at moments spread over its run time; a killed command may leave a file, which the
# next one removes
ended_by()
{
	took=0
	eval "took=\$took_$2"
	for round in $(seq "$rounds"); do
		cp precious disk/x.grt
		($2 disk/x.grt) > out.txt 2> err &
		pid=$!
		sleep "$(awk -v took="$took" -v n="$rounds" -v i="$round" 'BEGIN { printf "%.4f", took * i / n / 1e9 }')"
		kill -s "$1" "$pid" 2>> err
		{ wait "$pid"; } 2>> err
		is_one disk/x.grt "$2" || { echo "round $round: the file is neither the old nor the new one" >> err; return 1; }
		[ "$1" != KILL ] || is_swept_by "$2" || return 1
		[ -z "$(left disk)" ] || { left disk >> err; return 1; }
	done
}

echo precious > precious
for command in $commands; do
	for signal in KILL INT TERM; do
		ok "$command: SIG$signal"	ended_by $signal "$command"
	done
done

# Without O_TMPFILE, as on some file systems: the file has a name from the start.
export FAULT="tmpfile 1 95"	# EOPNOTSUPP
with=$(fault_preload)
for command in $commands; do
	for signal in KILL INT; do
		ok "$command with a name: SIG$signal"	ended_by $signal "$command"
	done
done

# Killed as soon as the file is seen, so that some of these leave it.
seen_name()
{
	for _ in $(seq 40); do
		(slice disk/x.grt) > out.txt 2> err &
		pid=$!
		tries=0
		until ! [ "$(echo disk/*.grtrace-part-*)" = 'disk/*.grtrace-part-*' ] || [ $((tries += 1)) -gt 200 ]; do :; done
		kill -s KILL "$pid" 2>> err
		{ wait "$pid"; } 2>> err
		[ -z "$(left disk)" ] || return 0
	done
	return 1
}
ok "there was a name"		seen_name
with=""

# Files of others stay: without our mark, locked, or with other contents.
: > disk/x.grt.part-1234
echo mine > disk/x.grt.grtrace-part-abcdef
cp whole-slice.grt disk/held.grt.grtrace-part-abcdef
cp whole-slice.grt disk/x.grt.grtrace-part-abc-ef
flock disk/held.grt.grtrace-part-abcdef sleep 30 &
holder=$!
sleep 0.2
cp whole-slice.grt disk/gone.grt.grtrace-part-abcdef
cp whole-slice.grt disk/was.grt.grtrace-rec-abcdef
(slice disk/x.grt) > out.txt 2> err
kill $holder
ok "a file without our mark stays"	[ -e disk/x.grt.part-1234 ]
ok "one that is not ours stays"		[ "$(cat disk/x.grt.grtrace-part-abcdef)" = mine ]
ok "one that is held stays"		cmp -s disk/held.grt.grtrace-part-abcdef whole-slice.grt
ok "one with another name stays"	cmp -s disk/x.grt.grtrace-part-abc-ef whole-slice.grt
ok "one that is left goes"		[ ! -e disk/gone.grt.grtrace-part-abcdef ]
ok "a recording that is left does not"	cmp -s disk/was-cut-*.grt whole-slice.grt
ok "and is told of"			grep -q "a recording was killed; what it had written is in 'disk/was-cut-" err

# A disk of so many KiB, in its own namespace.
if unshare -m sh -c 'mount -t tmpfs -o size=64k tmpfs disk' 2> err; then
	export command size grtrace
	for command in $commands; do
		for size in 0 16 64 128; do
			# shellcheck disable=SC2016	# of the inner shell
			ok "$command: a disk of $size KiB" run 3 unshare -m sh -c '
				mount -t tmpfs -o size=$((size + 64))k tmpfs disk && cp precious disk/x.grt || exit 9
				head -c $((48 * 1024)) /dev/zero > disk/full
				case $command in
				import) "$grtrace" import -o disk/x.grt trace.dat ;;
				slice) "$grtrace" slice --since 1ns -o disk/x.grt a.grt ;;
				merge) "$grtrace" merge --offset 2:1000s -o disk/x.grt a.grt b.grt ;;
				repair) "$grtrace" repair -o disk/x.grt bad.grt ;;
				esac
				code=$?
				[ "$(ls disk | paste -s)" = "full	x.grt" ] || exit 8
				case $code in
				0) cmp disk/x.grt "whole-$command.grt" || exit 7 ;;
				3) cmp disk/x.grt precious || exit 6 ;;
				esac
				[ $code -eq 0 ] && [ $size -gt 0 ] || exit $code
				exit 3'
		done
	done
else
	ok "a full disk # SKIP no mount namespace: $(cat err)" true
fi
end
