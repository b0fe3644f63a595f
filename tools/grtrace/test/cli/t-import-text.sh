#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: import of text from ftrace, trace-cmd and perf gives the expected output
# GOLDEN=write in the environment writes them anew.
# Tests call these functions through ok().
# shellcheck disable=SC2317,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

cases=$golden/import
mkdir tmp || exit 1
export TMPDIR="$dir/tmp"
export LC_ALL=C.UTF-8

show()		# the messages and the dump of NAME.txt
{
	echo "$ grtrace import -o $1.grt $1.txt"
	"$grtrace" import -o "$1.grt" "$1.txt" 2>&1
	echo "$ grtrace dump $1.grt"
	"$grtrace" dump "$1.grt" 2>&1
	echo "$ grtrace report --jobs --all-time --format csv $1.grt"
	"$grtrace" report --jobs --all-time --format csv "$1.grt" 2>&1
}

agrees()	# name
{
	show "$1" > out
	if [ "${GOLDEN-}" = write ]; then cp out "$cases/$1.golden"; fi
	diff "$cases/$1.golden" out > err
}

# A job's total is the sum of its stages: law of the overview.
adds_up()	# trace
{
	"$grtrace" report --jobs -f csv "$1" 2> err | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		/"/ { next }	# a comma in a name
		{ jobs++
		  for (name in column) v[name] = $column[name]
		  all = v["t_submit_host_ns"] + v["t_queue_ns"] + v["t_exec_ns"] + v["t_complete_ns"]
		  if (v["total_ns"] != "" && v["t_queue_ns"] != "" && all != v["total_ns"]) bad = 1
		  if (v["total_ns"] != "" && v["total_ns"] != v["complete_ns"] - v["submit_ns"]) bad = 1 }
		END { exit bad || !jobs }'
}

# Without lines that cannot be read.
dump_of()	# file, its dump
{
	"$grtrace" import --allow-unreadable -o "$1.grt" "$1" 2> err &&
		"$grtrace" dump "$1.grt" 2>> err | sed '/ LOSS .*WRITTEN count=1 /d' > "$2"
}

same()		# a file, and one whose dump is the same
{
	dump_of "$1" dump1 && dump_of "$2" dump2 && diff dump1 dump2 > out
}

stay() { [ -p "$1" ] && [ -L "$2" ]; }
says() { grep -q -e "$1" err; }
events() { grep -c -e " \[[0-9]*\] $1 " out; }

for path in "$cases"/*.txt; do
	text=${path##*/}
	text=${text%.txt}
	cp "$path" . || exit 1
	ok "$text: as it was"		agrees "$text"
	ok "$text: a sound trace"	run 0 "$grtrace" verify "$text.grt"
	ok "$text: adds up"		adds_up "$text.grt"
done
ok "there are enough of them"		[ "$(find "$cases" -name '*.txt' | wc -l)" -ge 35 ]

# The same text in other formats.
sed 's/$/\r/' trace-cmd.txt > crlf
head -c -1 trace-cmd.txt > unended
# Its end looks like an event, and is in another buffer than its start.
{ echo "# tracer: nop"; head -c 1048556 /dev/zero | tr "\0" x; echo '   a-1 [000] 1.0: tracing_mark_write: no'; cat trace-cmd.txt; } > longer
{ cat trace-cmd.txt; head -c 3000000 /dev/zero | tr '\0' x; } > longest
{ echo '# tracer: nop'; head -c 1048556 /dev/zero | tr '\0' '\n'; cat trace-cmd.txt; } > blank
ok "lines that end in CR LF"		same trace-cmd.txt crlf
ok "a last line without an end"		same trace-cmd.txt unended
for text in longer blank; do
	ok "$text"			same trace-cmd.txt $text
done
# Recognised by its first part.  Its first line says that a trace begins.
{ cat trace-cmd.txt; head -c 900000 /dev/zero | tr '\0' x; echo; tail -n +2 trace-cmd.txt; } > twice
ok "a long line behind a trace"	run 0 "$grtrace" import -o longest.grt longest
ok "is no event"			says "  1 line that is no event, left out; the first is line 22: 'xxxxxx"
ok "and hides nothing before it"	same trace-cmd.txt longest
ok "one between events was an event"	run 1 "$grtrace" import -o twice.grt twice
ok "is counted"			says "  1 line that cannot be read: an event is missing; the first is line 22: 'xxxxxx"
ok "hides nothing after it"		says "28 events out of 28"

ok "standard input"			run 0 "$grtrace" import -o stdin.grt - < trace-cmd.txt
cp trace-cmd.txt piped
tail -n +1 piped | "$grtrace" dump - > out 2> err
ok "a pipe"				diff dump1 out

# A CPU that begins much later than its longest later silence, with enough events to compare.
late()		# jobs, and how many of them CPU 1 has nothing of
{
	awk -v jobs="$1" -v without="$2" 'BEGIN { for (i = 0; i < jobs; i++) {
		job = sprintf("dev=a, fence=5:%d, ring=gfx, job count:0, hw job count:0, client_id:3", i + 1)
		printf " p-9 [000] %.6f: drm_sched_job_queue: %s\n", 20 + i / 1000, job
		if (i >= without) printf " w-8 [001] %.6f: drm_sched_job_run: %s\n", 20.0001 + i / 1000, job
	} }'
}
loss_of() { "$grtrace" import -o late.grt late 2> err && "$grtrace" dump late.grt | sed -n 's/.* LOSS *//p'; }
late 400 200 > late
ok "a CPU that begins late"		[ "$(loss_of)" = "reason=WRITTEN count=0 from_ns=20000000000 to_ns=20200100000" ]
ok "is told"				says "warning: the buffer of 1 CPU begins late, the last (CPU 1) 0.200100 s after"
late 90 45 > late
ok "with few events nobody knows"	[ -z "$(loss_of)" ]
late 400 3 > late
ok "nor where it is a moment"		[ -z "$(loss_of)" ]

# A text with the newest line first has one event in order, and each other one is late.
fences()	# how many jobs
{
	awk -v jobs="$1" 'BEGIN { for (i = 0; i < jobs; i++) {
		job = sprintf("dev=a, fence=5:%d, ring=gfx, job count:0, hw job count:0, client_id:3", i + 1)
		printf " p-9 [%03d] %.6f: drm_sched_job_queue: %s\n", i % 3, 20 + i / 1000, job
		printf " w-8 [%03d] %.6f: drm_sched_job_run: %s\n", i % 3, 20.0001 + i / 1000, job
		printf " w-8 [%03d] %.6f: drm_sched_job_done: fence=5:%d signaled\n", i % 3, 20.0004 + i / 1000, i + 1
	} }'
}
jobs_of() { "$grtrace" report --jobs -f csv --all-time "$1" 2> err; }
fences 6000 > forwards
awk '{ line[NR] = $0 } END { for (i = NR; i; i--) print line[i] }' forwards > backwards
jobs_of forwards > jobs1
jobs_of backwards > out
ok "thousands of jobs, the last first"	cmp jobs1 out
ok "are 6,000"				[ "$(wc -l < jobs1)" -eq 6001 ]
ok "in order"				run 0 "$grtrace" import -o backwards.grt backwards
ok "is what import says"		says "^  17,997 events that stood behind later ones, put in order$"
ok "and no buffer begins late"		[ "$(grep -c warning err)" -eq 0 ]
ok "in a correct file"			run 0 "$grtrace" verify backwards.grt

# An event could begin at every part of it.
{ cat trace-cmd.txt; awk 'BEGIN { for (i = 0; i < 2000000; i++) printf ") [000] 1.0: "; print "" }' |
	fold -w 1040000; } > slow
ok "lines that repeat a head"		run 1 timeout 8 "$grtrace" import --no-marks -o slow.grt slow

# Directly, without a file in between.
ok "report reads text"			run 0 "$grtrace" report --jobs -f csv sched-617.txt
"$grtrace" report sched-617.txt > screen
ok "and says so"				[ "$(sed -n 2p screen)" = "source: import" ]
cp out direct
run 0 "$grtrace" report --jobs -f csv sched-617.grt
ok "and says the same"			cmp -s direct out
ok "dump reads text"			run 0 "$grtrace" dump sched-617.txt
ok "no folder keeps it"			[ -z "$(ls "$TMPDIR")" ]

# On a terminal it shows its progress, and removes it afterwards.
on_terminal() { script -qec "$1" shown < /dev/null > out 2> err && grep -q "$(printf '\r\033\\[K')" shown; }
ok "report tells a terminal"		on_terminal "$grtrace report sched-617.txt"
ok "import tells a terminal"		on_terminal "$grtrace import -o told.grt sched-617.txt"
ok "a trace of our own needs none"	[ "$(on_terminal "$grtrace report told.grt"; echo $?)" -eq 1 ]

# Marks.
run 0 "$grtrace" dump cpu-and-display.grt
ok "foreign events become marks"	[ "$(events MARK)" -eq 6 ]
run 0 "$grtrace" import --no-marks -o none.grt cpu-and-display.txt
run 0 "$grtrace" dump none.grt
ok "unless they are not wanted"		[ "$(events MARK)" -eq 3 ]

# Names of events with a NUL match no event.
printf ' a-1 [000] 1.5: tracing_mark_write: x\n a-1 [000] 1.6: print\0\0\0\0\0\0\0\0\0\0: y\n' > nul
cat ftrace-whole.txt >> nul
ok "a NUL in a name"			run 0 "$grtrace" import -o nul.grt nul

# Files that are no such text, or have no usable events.
: > empty
head -c 70000 /dev/zero > zeros
i=0
while [ $i -lt 3000 ]; do echo; i=$((i + 1)); done > lines
"$gen" example 0 | tail -c +100 > garbage
printf '# tracer: nop\n#\n# no event was recorded\n' > header
grep -v -e drm_ -e dma_ trace-cmd.txt > no-gpu
i=0
for what in empty zeros lines garbage; do
	ok "import: $what"		complains 4 "'$what' is no trace of another tool" "trace.dat" "$grtrace" import -o no.grt $what
done
for what in zeros lines garbage; do
	ok "report: $what"		complains 4 "'$what' is no trace" "trace.dat" "$grtrace" report $what
done
ok "a header without events"		complains 4 "no events in 'header'" "trace-cmd record" "$grtrace" import -o no.grt header
ok "no events of GPUs"			complains 4 "'no-gpu' has [0-9]* events, none of a GPU job" "trace-cmd record" "$grtrace" import -o no.grt no-gpu
ok "so says report"			complains 4 "'no-gpu' has [0-9]* events, none of a GPU job" "trace-cmd record" "$grtrace" report no-gpu
ok "they leave no file"			[ ! -e no.grt ] && [ ! -e no.grt.part ]
ok "no such file"			complains 3 "'nothing'" "." "$grtrace" import nothing
ok "two files"				complains 2 "one file" "import -h" "$grtrace" import names.txt fences.txt
cp names.txt same
ok "onto itself"			complains 3 "'same' is the input" "another file" "$grtrace" import -o same same
ok "which stays"			cmp -s same names.txt
mkfifo fifo && ln -s same link || exit 1
ok "onto a link"			complains 3 "cannot write 'link'" "another file" "$grtrace" import -o link names.txt
ok "into a pipe"			sh -c "'$grtrace' import -o fifo names.txt 2> err & '$grtrace' dump fifo > out; wait"
"$grtrace" import -o plain.grt names.txt 2> err
ok "comes what a file would hold"	sh -c "'$grtrace' dump plain.grt | cmp - out"
ok "which stay"				stay fifo link
mkdir folder
ok "onto a folder"			complains 3 "cannot write 'folder'" "another file" "$grtrace" import -o folder names.txt
ok "leaves nothing"			[ -z "$(find . -name '*.grtrace-*')" ]

# Events whose fields are not known are no lost lines; one that others of the file fit is a cut one.
sed 's/ctx=/context_id=/' i915-coalesced-last.txt > unknown
ok "only unknown fields"		complains 4 "fields of 1[0-9]* events of 'unknown', such as i915_request_[a-z]*, are not known" "bug" "$grtrace" import -o no.grt unknown
sed '/request_retire/s/ctx=/context_id=/' i915-coalesced-last.txt > partly
ok "some unknown fields"		run 0 "$grtrace" import -o partly.grt partly
ok "are told once"			[ "$(grep -c 'fields of 2 events' err)" -eq 1 ]
ok "are not lost"			[ "$("$grtrace" report partly 2> /dev/null | grep -c '^0 events lost')" -eq 1 ]
sed '$s/, seqno.*//' i915-coalesced-last.txt > shortened
ok "a cut line"				run 1 "$grtrace" import -o shortened.grt shortened
ok "is lost"				says "1 line that cannot be read: an event is missing"

# What to record instead depends on the driver.
advises()	# event, part of the hint
{
	printf ' a-1 [000] 1.000001: %s: x=1\n' "$1" > advised
	complains 4 "none of a GPU job" "$2" "$grtrace" import -o no.grt advised
}
ok "hint for i915"			advises i915_reg_rw "[-]e i915 -e dma_fence"
ok "hint for xe"			advises xe_bo_validate "[-]e gpu_scheduler -e xe"
ok "hint for virtio-gpu"		advises virtio_gpu_alloc "[-]e virtio_gpu -e dma_fence"
ok "hint for Intel's NPU"		advises ivpu_job "a queue of its own"
ok "hint for others"			advises foo "[-]e gpu_scheduler -e dma_fence"

# xe gives the scheduler no fence for jobs of a long-running VM: they look over at once.
screen() { "$grtrace" report "$1" > out 2> err; }
screen xe-long-running.txt
ok "long-running jobs: not seen"	grep -q '^ not seen here: ccs0; no fence' out
ok "so nobody calls the ring idle"	sh -c "! grep -q 'idle\|100\.0%' out"
"$grtrace" top --batch -f json xe-long-running.txt > out 2> err
ok "nor that its process ran for no time"	jq -se '.[-1].processes[0].exec_ns == null' out
"$grtrace" report --jobs -f csv xe-long-running.txt > out 2> err
ok "nor that the hardware had nothing to do"	sh -c '! grep -q no_hw out'
sed 's/ze_infer-900 *\(.*job_done\)/irq-77 \1/' xe-long-running.txt > interrupted
screen interrupted
ok "an interrupt ends others"		grep -q '^ ccs0 .* 100\.0%' out
sed '/500:2/s/ze_infer-900 *\(.*job_done\)/irq-77 \1/' xe-long-running.txt > mixed
screen mixed
ok "one of them shows that there are fences"	grep -q '^ ccs0 .* 100\.0%' out
sed 's/ccs0/compute/' xe-long-running.txt > other
screen other
ok "other drivers give a fence"		grep -q '^ compute .* 100\.0%' out
end
