#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: no output says "1 jobs" or "job(s)"
# Tests call these functions through ok().
# shellcheck disable=SC2317,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export LC_ALL=C.UTF-8
nouns="jobs|events|processes|threads|CPUs|GPUs|rings|devices|files|traces|streams|records|lines|rows"
nouns="$nouns|bytes|numbers|buffers|sub-buffers|chunks|boots|hosts|sessions|windows|waits|changes"
nouns="$nouns|quantiles|checks|violations|fences|others|keys|labels|contexts|samples|steps"
# 1 jobs, 1 shorter waits, 1 event are, job(s); 0.1 and 2,001 are not 1, and 1:1 is a job.
faults="(^|[^0-9.,:=_/-])1 (other |more |shorter |of 1 )?($nouns)\b"
faults="$faults|(^|[^0-9.,:=_/-])1 [a-z]+ (are|were) |\(1 [a-z]+ with their |[a-z]\((s|es)\)"

is_sound() { ! grep -nE -e "$faults" "$@" > err; }
finds() { echo "$1" > words; ! is_sound words; }
lets() { echo "$1" > words; is_sound words; }

for words in "1 jobs" "x: 1 events lost" "(1 CPUs)" "job(s)" "1 more changes" "1 event are lost" "1 of 1 quantiles" "(1 killed with their process)"; do
	ok "finds: $words"		finds "$words"
done
for words in "1 job" "21 jobs" "0.1 jobs" "2,001 events" "1 event is lost" "1:1 jobs of" "1 GPU, 2 rings"; do
	ok "lets stand: $words"		lets "$words"
done

# The expected outputs of the other tests do not have it.
find "$golden"/dump "$golden"/import "$golden"/report "$golden"/diff -type f > golden
find "$tools/../testing/selftests/grtrace/scenarios" -name '*.out' >> golden
ok "there are golden outputs"		[ "$(wc -l < golden)" -gt 60 ]
# shellcheck disable=SC2046
ok "golden outputs"			is_sound $(cat golden)
ok "manuals"				is_sound "$tools"/man/*.1

# Commands on traces with one of each: only the words matter, not exit codes and errors.
says()		# a command: what it prints is sound, and something
{
	"$grtrace" "$@" > out 2> said < /dev/null
	cat said >> out
	[ -s out ] && is_sound out
}
has() { grep -q -F -e "$1" out || { cat out > err; return 1; }; }

# One CPU, one job, all of it; one event; one event and one that was lost before it.
"$gen" scene by-hand > byhand && "$gen" grt 1 1 one.grt && "$gen" scene blame > blame || exit 1
"$gen" scene by-hand byhand.grt && "$gen" pair pair.grt || exit 1
"$grtrace" slice --until 1ns -o event.grt one.grt > out 2>&1 || exit 1
head -c "$(($(stat -c %s one.grt) - 1))" one.grt > cut.grt
for trace in byhand.grt one.grt event.grt cut.grt blame pair.grt; do
	for view in "" --jobs --per-ring --per-pid --idle --blame --overhead "--hist total" "--jobs -f csv" "--synthetic" "--ring 1" "--why 1:1" "--until 1ns" "--pid 1"; do
		has_turn || continue
		# shellcheck disable=SC2086
		ok "report $view $trace"	says report $view $trace
	done
	for command in verify dump "repair -o x.grt" "slice --until 1ns -o x.grt" "slice --ring 1 -o x.grt" \
		"merge -o x.grt one.grt" "diff one.grt" "dump --type SUBMIT" "dump -d"; do
		has_turn || continue
		# shellcheck disable=SC2086
		ok "$command $trace"		says $command $trace
	done
done
ok "slice: the sum"			says slice --until 1ns -o x.grt event.grt
ok "slice: in words"			has "x.grt: 1 of 1 event of event.grt"
ok "merge: the sum"			says merge -o x.grt event.grt pair.grt
ok "merge: in words"			has "event.grt: 1 event, boot 1"
ok "repair: the sum"			says repair -o x.grt event.grt
ok "repair: in words"			has "x.grt: 1 event of 1 CPU"
ok "verify: the sum"			says verify event.grt
ok "verify: in words"			has "event.grt: 1 event of 1 CPU"

# Texts of other tracers: each message about them has a number.
for text in "$golden"/import/*.txt; do
	has_turn || continue
	says import -o x.grt "$text" && says report x.grt && says report --jobs -f csv "$text"
	ok "import ${text##*/}"		is_sound out
	head -n 20 "$text" > few.txt
	for n in 1 2 3; do
		sed "$((12 + n))s/: .*/: ?/" few.txt > bad.txt
		says import -o x.grt bad.txt || break
	done
	ok "import ${text##*/}, the beginning" is_sound out
done

# One event or two of each field where a program counts by itself.
export GRTRACE_DIR="$dir/debugfs"
mkdir debugfs && "$gen" scene by-hand > debugfs/events0 && echo 1 > debugfs/enabled || exit 1
printf 'state=running\nseen=1\nwritten=1\nlost_events=1\noverruns=1\nbytes_written=1\n' > debugfs/stats
echo running > debugfs/control && echo buffer_size=1 > debugfs/config && echo version=0.1 > debugfs/version
for command in "record -o x.grt" "record -o x.grt --alert lost>0" status; do
	# shellcheck disable=SC2086
	ok "$command"			says $command
done
end
