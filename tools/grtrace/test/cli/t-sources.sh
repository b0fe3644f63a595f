#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: missing events and unknown values are reported: never as 0, never made up
# Tests call these functions through ok(). $1 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

inputs=$golden/sources
says() { grep -qE -e "$1" out; }
hints() { grep -qE -e "$1" err; }
poke() { printf '\377' | dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null; }
json() { "$grtrace" report -f json "$1" 2> /dev/null | tr ',{}' '\n' > out; }
results() { run 0 "$grtrace" report --hist result -f csv "$1"; }
failed() { "$grtrace" verify "$1" > out; [ "$(awk '/^FAILED/ { print $2 }' out | xargs)" = "$2" ]; }
skipped() { awk -v check="$1" '/^skipped/ && $2 == check' out | grep -q "$2"; }

# CPUs of which the last begins 1 us after the first.
"$gen" grt 3 9000 late.grt 3200 || exit 1
begins_late() { "$grtrace" "$@" late.grt > out 2> err; hints "^grtrace: warning: the buffers of 2 CPUs begin late, .*--since 1us leaves that time out"; }
says_nothing() { run 0 "$grtrace" "$@" late.grt && [ ! -s err ]; }
leaves_out() { run 0 "$grtrace" report "$@" late.grt && [ ! -s err ] && says "^the first 2 ns are incomplete .2 CPU buffers were overwritten.; below: the other 6.4 ms. Everything: grtrace report --all-time.* late.grt$"; }
keeps() { run 0 "$grtrace" report "$@" late.grt && [ ! -s err ] && says "^the first 2 ns are incomplete .2 CPU buffers were overwritten.; --since 0.000000002s leaves them out$"; }
ok "what is incomplete is left out"	leaves_out
ok "also of a ring"			leaves_out --ring ring3
ok "but not on request"			keeps --all-time
ok "nor where times are given"		keeps --since 0
ok "JSON tells of it, too"		sh -c "'$grtrace' report -f json late.grt 2> err | grep -q '\"only_time\":{\"from_ns\":4200000002,' && grep -q 'the first 2 ns are incomplete' err"
ok "hints keep the request"		sh -c "'$grtrace' report --all-time late.grt | grep -q '^hint: grtrace report --jobs --all-time late.grt'"
ok "a dump tells of it"			begins_late dump
ok "not where that time is left out"	says_nothing report --since 1us
ok "nor in a dump"			says_nothing dump --since 2us
ok "nor in a slice"			says_nothing slice --since 1us -o late-slice.grt

# A device without a name has another word in reports.
sed "s/300.000600/300.000900/" "$golden/import/old-amdgpu.txt" > old.txt && run 0 "$grtrace" report old.txt
ok "a GPU without a name"		says "^ unnamed GPU, any ring "
run 0 "$grtrace" report "$golden/import/old-amdgpu.txt"
ok "known where nothing ran, whyever"	says "^ unnamed GPU, any ring  540 us  88.8..98.3% "

# What a trace cannot know is left out, and named once in words.
awk 'BEGIN { for (i = 0; i < 40; i++) {
	job = sprintf("dev=a, fence=5:%d, ring=gfx, job count:0, hw job count:0, client_id:3", i)
	printf " p-9 [000] %.6f: drm_sched_job_queue: %s\n", 20 + i / 1000, job
	printf " p-9 [000] %.6f: drm_sched_job_done: fence=5:%d signaled\n", 20.0005 + i / 1000, i
} }' > minimal.txt
run 0 "$grtrace" report minimal.txt
ok "only latencies"			says "^Only latencies are known; busy, idle and waits are not.$"
ok "no table of unknowns"		sh -c "! grep -qE 'WHAT THE RINGS DID|order|not known' out && grep -q '^ gfx  p.9.  *40  500 us' out"
run 0 "$grtrace" report "$golden/import/old-amdgpu.txt"
ok "why jobs waited"			sh -c "tr '\n' ' ' < out | grep -q 'Why jobs waited before hand-over is not known: this capture has no dependencies and no ring  *capacity\.'"
ok "what is not known has no column"	sh -c "! grep '^WH' out | grep -qE ' dep | sched | done | waits for fence | reset'"
"$gen" scene two-devices > two || exit 1
run 0 "$grtrace" report --until 400us two
ok "a ring that comes later"		says "^ not seen in this time: sdma0"

# The first data of a CPU, in a file that begins with its session.
"$gen" grt 3 9000 whole.grt || exit 1
first=$(od -A d -t c -v -w4 -j 704 whole.grt |
	awk '$2 $3 $4 $5 == "chnk" { print $1 + 0 }' | sed -n 2,9p | while read -r at; do
		[ "$(od -A n -t u2 -j $((at + 4)) -N 2 whole.grt | tr -d ' ')" = 2 ] && echo "$at" && break
	done)
ok "a chunk of data"			[ -n "$first" ]
events=$(od -A n -t u8 -j $((first + 40)) -N 8 whole.grt | tr -d ' ')
cp whole.grt flip.grt
poke flip.grt $((first + 100))
run 0 "$grtrace" report flip.grt
ok "a lost first chunk is told"		says "^$events events lost \(missing in the file"
run 1 "$grtrace" repair -o mended.grt flip.grt
ok "repaired, verify is not content"	failed mended.grt "subbufs written"
run 0 "$grtrace" report mended.grt
ok "and the loss is still told"		says "events lost \(missing in the file"

# A recording of a session that went on: 86 % were lost.
run 0 "$grtrace" report "$inputs/attach-overflow.grt"
ok "attached: nobody knows how many"	says "^number of events lost unknown"
ok "attached: none was lost is not said" [ -z "$(grep "0 events lost" out)" ]
json "$inputs/attach-overflow.grt"
ok "attached: so says JSON"		says '^"is_cut":true$'
ok "attached: verify finds no fault"	failed "$inputs/attach-overflow.grt" ""
ok "attached: but says what it lacks"	skipped end "losses after their last account are not known"
run 0 "$grtrace" report -f csv "$inputs/attach-overflow.grt"
ok "attached: CSV comes with a warning"	hints "an unknown number of events may be missing in this trace"

# The kernel wrote 838 events, the disk had no room.
run 0 "$grtrace" report "$inputs/diskfull20k.grt"
ok "a full disk: all are lost"		says "^838 events lost \(missing in the file 838\)"
ok "a full disk: the GPU was not idle"	says "^no jobs in this trace: events are missing in it$"
ok "a full disk: verify says it"	failed "$inputs/diskfull20k.grt" "subbufs written"

# Files that were joined with cat.
cat whole.grt whole.grt > twice.grt
"$gen" grt 2 5000 other.grt && cat other.grt whole.grt > joined.grt
for file in twice joined; do
	ok "$file: refused"		complains 4 "'$file.grt' is several files in one: another begins at byte" "grtrace merge takes the files as they were" "$grtrace" report $file.grt
	"$grtrace" verify $file.grt > out
	ok "$file: verify says so"	says "^FAILED"
	ok "$file: counts do not wrap"	[ -z "$(grep -E '[0-9]{15}' out)" ]
	run 1 "$grtrace" repair -o first.grt $file.grt
	ok "$file: repair takes the first"	run 0 "$grtrace" report first.grt
done

# For a slice, it says why gseq is not checked.
run 0 "$grtrace" slice --since 0 --until 1ms -o slice.grt whole.grt
"$grtrace" verify slice.grt > out
ok "a slice has gaps in gseq"		skipped gseq "slices and merged traces have gaps"

# Text of which a third was cut.
run 1 "$grtrace" import -o garbled.grt "$inputs/garbled.txt"
ok "garbled text: counted"		hints "109 lines that cannot be read: events are missing; the first is line 6: .<idle>-0"
ok "garbled text: before and behind all events"	hints "2 lines that are no events, left out; the first is line 1: .paint.$"
ok "garbled text: allowed"		run 0 "$grtrace" import --allow-unreadable -o garbled.grt "$inputs/garbled.txt"
run 0 "$grtrace" report garbled.grt
ok "garbled text: lost"			says "^109 events lost \(missing in the file 109\)"
run 0 "$grtrace" report "$inputs/garbled.txt"
ok "garbled text: directly, too"	hints "warning: 109 lines of .* cannot be read: events are missing; the first is line 6: "
sums() { awk -F': ' '/ events out of / { split($2, n, " "); kept = n[1]; all = n[5] }
	/left out/ { split($0, n, " "); sum += n[1] } END { exit kept + sum != all || !all }' err; }
run 0 "$grtrace" import -o sums.grt "$golden/import/old-signaled.txt"
ok "every event is accounted for"	sums
run 0 "$grtrace" import --no-marks -o sums.grt --allow-unreadable "$golden/import/cpu-and-display.txt"
ok "without marks, too"			sums

# Text without the status of jobs.
ok "a status that is not known"		results "$golden/import/sched-617.txt"
ok "is none"				says "^not known,,"
ok "and none is ok"			[ -z "$(grep '^ok,' out)" ]
run 0 "$grtrace" report --per-ring -f csv "$golden/import/sched-617.txt"
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } NR == 2 { print $at[name] }' out; }
ok "failures are not known"		[ -z "$(column failed)$(column killed)" ]
json "$golden/import/sched-617.txt"
ok "nor in JSON"			says '^"failed":null$'
run 0 "$grtrace" dump -f csv "$golden/import/sched-617.txt"
ok "nor in dump"			[ -z "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "status") at = i; next } $1 == "COMPLETE" { print $at }' out)" ]

ok "a driver that is none"		complains 2 "no driver 'foo' is known" "one of: amdgpu" "$grtrace" import --driver foo "$golden/import/old-two-gpus.txt"
run 0 "$grtrace" dump -d "$golden/import/old-two-gpus.txt"
ok "two GPUs are no FIFO ring"		says " RING .* order=UNKNOWN "

merges()	# two files
{
	rm -f merged.grt
	"$grtrace" merge -o merged.grt "$1" "$2" --offset 2:1s > out 2> err
	code=$?
	[ "$code" -eq 0 ] || { [ "$code" -eq 4 ] && [ ! -e merged.grt ]; }
}

# Impossible times.
for file in times-2p63 times-2p64 times-0; do
	ok "$file: merge makes a trace or says why not" merges "$inputs/$file.grt" whole.grt
done
ok "the least of all times"		merges "$inputs/crash-2-1355.raw" "$inputs/crash-2-1355-b.grt"
ok "boots that are too far apart"	merges "$inputs/crash-2-2707.grt" "$inputs/crash-2-2707-b.grt"
ok "it is said"				hints "are too far off"
end
