#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: import reads trace.dat: the same as from text, with losses, and damaged files safely
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

scenes="plain small lossy overwritten stray tiny threads notify"
damages=100	# of each file; those that have their turn
mkdir tmp || exit 1
export TMPDIR="$dir/tmp"

skip() { count=$((count + 1)); echo "ok $count - $1 # SKIP $2"; }

imports()	# file: into FILE.grt, which is sound, and FILE.dump
{
	run 0 "$grtrace" import -o "$1.grt" "$1" && cp err "$1.says" &&
		run 0 "$grtrace" verify "$1.grt" && run 0 "$grtrace" dump "$1.grt" && cp out "$1.dump"
}

same() { imports "$1" && imports "$2" && diff "$1.dump" "$2.dump" > out; }
losses() { grep " LOSS " "$1.dump" | sed 's/ *\[/[/; s/^[^[]*//'; }
metadata() { run 0 "$grtrace" dump -d "$1.grt" && grep -q "$2" out; }

for scene in $scenes; do
	"$gen" dat "$scene" > "$scene.dat" && "$gen" dat-text "$scene" > "$scene.txt" || exit 1
	ok "$scene: imported"		imports "$scene.dat"
done
for scene in plain small lossy threads notify; do
	ok "$scene: as its text"	same "$scene.dat" "$scene.txt"
done
ok "all of it"				[ "$(wc -l < plain.dat.dump)" -eq "$(wc -l < plain.txt)" ]
completes() { [ "$(grep ' COMPLETE ' notify.dat.dump | awk '{ printf "%s ", $1 }')" = "50.000900000 50.000900000 50.600002000 " ]; }
ok "i915 of 4.19: when requests were over"	completes
ok "its clock"				metadata plain.dat " clock=MONOTONIC "
ok "its kernel"				metadata plain.dat "kernel=6.17.0-test"
processes() { run 0 "$grtrace" dump -d "$1" && grep -c ' PROCESS ' out; }
ok "a process is defined once"		[ "$(processes threads.dat.grt)" -eq 3 ]
run 0 "$grtrace" report --jobs -f csv plain.dat.grt
cp out jobs
ok "report reads it as it is"		run 0 "$grtrace" report --jobs -f csv plain.dat
ok "and says the same"			cmp -s out jobs

# Losses: how many, and from when to when.
losses lossy.dat > out
cat > wanted <<-'END'
	[001] LOSS            reason=BUFFER_FULL count=21 from_ns=50012020000 to_ns=50013020000
	[002] LOSS            reason=BUFFER_FULL count=0 from_ns=53025301000 to_ns=53026300000
END
ok "lossy: losses"			diff wanted out
losses overwritten.dat > out
echo '[001] LOSS            reason=WRITTEN count=500 from_ns=50000000000 to_ns=50010020000' > wanted
ok "overwritten: a loss"		diff wanted out
ok "overwritten: a warning"		grep -q "warning: .* 1 CPU begins late, the last (CPU 1) 0.010020 s after" overwritten.dat.says

# In a span with a loss only seen values of jobs are known; after it, all are.
says_little()
{
	run 0 "$grtrace" report --jobs --all-time -f csv overwritten.dat.grt && awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["submit_ns"] < 50010020000 {
			lossy += $c["flags"] ~ /lossy/
			if ($c["t_order_ns"] $c["t_sched_ns"] $c["t_exec_ns"] != "") bad = 1
			next
		}
		{ clean += $c["flags"] !~ /lossy/; if ($c["t_order_ns"] == "") bad = 1 }
		END { exit bad || lossy != 11 || clean != 29 }' out
}
ok "overwritten: nothing is claimed in it" says_little
leaves_it_out()
{
	run 0 "$grtrace" report --jobs -f csv overwritten.dat.grt && [ "$(grep -c lossy out)" -eq 1 ] &&
	[ "$(wc -l < out)" -eq 31 ] && grep -q "the first 10.0 ms are incomplete (1 CPU buffer was overwritten) and left out" err &&
	grep -q "^hint: grtrace report --all-time overwritten.dat.grt" err
}
ok "overwritten: that time is left out"	leaves_it_out

# Options that old builds of trace-cmd wrote under a number that now means something else.
is_of_process() { grep -q "tgid=4100(painter) tid=4102" stray.dat.dump; }
ok "stray: processes of threads"	is_of_process
imports stray.txt
sed 's/tgid=4100(/tgid=4102(/' stray.dat.dump > out
ok "stray: else as its text"		diff stray.txt.dump out
ok "stray: nowhere to put a copy"	complains 3 "cannot make '$dir/none/" "TMPDIR" env TMPDIR="$dir/none" "$grtrace" import -o no.grt stray.dat
there=$(mktemp -d -p /dev/shm 2> /dev/null)
if [ -n "$there" ] && [ "$(stat -c %d "$there")" != "$(stat -c %d .)" ]; then
	cp stray.dat "$there/other.dat"
	ok "stray: from another file system" run 0 "$grtrace" import -o other.grt "$there/other.dat"
else
	skip "stray: from another file system" "there is no other"
fi
rm -rf "$there"

# trace-cmd reads our files, and import reads its text.
if command -v trace-cmd > /dev/null; then
	for scene in plain lossy overwritten; do
		trace-cmd report -t "$scene.dat" > "$scene.report" 2> /dev/null
		ok "$scene: read by trace-cmd"	[ "$(grep -c ']  *[0-9]*\.[0-9]*: ' "$scene.report")" -eq "$(grep -c ']  *[0-9]*\.[0-9]*: ' "$scene.txt")" ]
	done
	ok "plain: its report, too"	same plain.dat plain.report
	ok "lossy: its report, too"	same lossy.dat lossy.report
	for how in none zlib zstd; do
		trace-cmd convert -i lossy.dat -o "v7-$how.dat" --file-version 7 --compression $how > out 2> err
		if [ -s "v7-$how.dat" ]; then
			ok "version 7, $how"	same lossy.dat "v7-$how.dat"
		else
			skip "version 7, $how"	"trace-cmd cannot write it"
		fi
	done
	# A wrong number of CPUs: libtracecmd would ask each of them for its events.
	if [ -s v7-none.dat ]; then
		at=$(LC_ALL=C grep -aboP '\x08\x00\x04\x00\x00\x00\x03\x00\x00\x00' v7-none.dat | cut -d: -f1)
		cp v7-none.dat cpus && printf '\100' | dd of=cpus bs=1 seek=$((at + 9)) conv=notrunc 2> err
		ok "a thousand million CPUs" complains 4 "'cpus' is a damaged trace.dat" "trace-cmd report" timeout 50 "$grtrace" report cpus
	fi
else
	skip "read by trace-cmd" "trace-cmd is not installed"
fi

# A report, or one error with a hint; in time, and without files left behind.
is_harmless()	# number, file
{
	"$gen" damage "$1" "$2" > damaged || return 1
	timeout 100 "$grtrace" import -o damaged.grt damaged > out 2> err
	code=$?
	case $code in
	0)	timeout 100 "$grtrace" verify damaged.grt > out 2>> err &&
			timeout 100 "$grtrace" report damaged.grt > out 2>> err || return 1
		read_well=$((read_well + 1)) ;;
	4)	[ "$(grep '^grtrace: ' err | grep -vc ': warning: ')" -eq 1 ] &&
			grep -q '^hint: ' err && [ ! -e damaged.grt ] || return 1
		refused=$((refused + 1)) ;;
	*)	echo "exit code $code" >> err; return 1 ;;
	esac
	rm -f damaged.grt
	[ ! -e damaged.grt.part ] && [ -z "$(ls "$TMPDIR")" ]
}

are_harmless()	# file
{
	number=0 read_well=0 refused=0
	while [ "$number" -lt "$damages" ]; do
		is_harmless "$number" "$1" || { echo "damage $number of $1" >> err; return 1; }
		number=$((number + every))
	done
	# Or the damage had no effect, or always the same.
	[ "$read_well" -ge $((20 / every)) ] && [ "$refused" -ge $((20 / every)) ]
}

for file in small.dat stray.dat v7-none.dat v7-zstd.dat; do
	[ ! -s "$file" ] || ok "damaged: $file"	are_harmless "$file"
done
head -c 3000 small.dat > "cut"
ok "a head that is cut"			complains 4 "'cut' is a damaged trace.dat" "trace-cmd report" "$grtrace" report cut
ok "leaves nothing behind"		[ -z "$(ls "$TMPDIR")" ]
leaves_no_core()
{
	# shellcheck disable=SC3045	# the shells in use know it
	(ulimit -c unlimited && run 4 "$grtrace" import -o no.grt cut-page) &&
		grep -q 'libtracecmd crashed' err && [ -z "$(find . -name 'core*')" ]
}
head -c 18000 small.dat > cut-page
case $(cat /proc/sys/kernel/core_pattern) in
core*)	ok "nor a core"		leaves_no_core ;;
*)	skip "nor a core"		"cores do not go to the folder here" ;;
esac
# A wrong size of a text: libtracecmd would write outside of its memory.
at=$(grep -abo 'ffffffff81000000 T' small.dat | cut -d: -f1)
cp small.dat size
printf '\377\377\377\377' | dd of=size bs=1 seek=$((at - 4)) conv=notrunc 2> err
ok "a false size"			complains 4 "'size' is a damaged trace.dat" "trace-cmd report" "$grtrace" report size
printf '\027\010\104tracing9\0' > version
ok "a future version"			complains 4 "unknown version" "trace-cmd report" "$grtrace" import -o no.grt version
# A clock that counts ticks, of which the file may tell how long they are.
"$gen" dat ticks > ticks.dat && "$gen" dat converted > converted.dat || exit 1
ok "ticks are no times"			complains 4 "'ticks.dat' has the times of the clock 'x86-tsc', which counts ticks" "record with -C mono" "$grtrace" report ticks.dat
ok "unless the file tells what they are" imports converted.dat
ok "then they are the same"		diff small.dat.dump converted.dat.dump
end
