#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace merge --cpu --gpu: ioctls and GPU events in one list, by time
# GOLDEN=write in the environment writes the expected outputs anew.
# Tests call these functions through ok(). $1 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

cases=$golden/merge
export LC_ALL=C.UTF-8
mkdir tmp || exit 1
export TMPDIR="$dir/tmp"

says() { grep -qF -e "$1" err; }
prints() { grep -qxF -e "$1" out; }
agrees()	# name of a golden output, then the command
{
	name=$1
	shift
	"$@" > out 2> err
	code=$?
	if [ "${GOLDEN-}" = write ]; then cp out "$cases/$name"; fi
	[ "$code" -eq 0 ] && diff "$cases/$name" out >> err
}
same_times() { [ -s a ] && diff a b > out; }
is_sorted() { awk '$1 < last { exit 1 } { last = $1 }' out && [ -s out ]; }
lines() { [ "$(grep -c -e "$2" out)" -eq "$1" ]; }
merge() { "$grtrace" merge "$@"; }

# The example of the first readme.
cat > cpu.txt << 'END'
[1234567.123456] IOCTL_ENTER pid=5678 tid=5679 comm=glxgears cmd=0xc0106444 arg=0x7ffc12345678
[1234567.123789] IOCTL_EXIT pid=5678 tid=5679 comm=glxgears ret=0 duration_ns=333000
END
"$gen" timeline > gpu.bin && "$gen" timeline all > all.bin || exit 1
ok "the example"			agrees example.txt merge --cpu cpu.txt --gpu gpu.bin
ok "is sorted"				is_sorted
ok "numbers at the end"			says "CPU events: 2"
ok "of both sides"			says "GPU events: 5"
ok "their span"				says "span: 2.4 ms"
ok "and rate"				says "events/s: 2,875"
ok "no warning"				[ "$(grep -c -i warning err)" -eq 0 ]
ok "every type of event"		agrees types.txt merge --cpu cpu.txt --gpu all.bin
ok "is there"				sh -c "'$grtrace' dump all.bin | grep -o '\] [A-Z_]* ' | tr -d '] ' > a; sed -n 's/.* GPU \([A-Z_]*\) .*/\1/p' out > b; [ -s a ] && cmp a b"
ok "into a file"			run 0 merge --cpu cpu.txt --gpu all.bin --output merged.txt
ok "the same"				cmp -s merged.txt "$cases/types.txt"
ok "nothing on standard output"		[ ! -s out ]
ok "awk selects a time"			[ "$(awk '$1 >= "[1234567.123]" && $1 <= "[1234567.125]"' merged.txt | wc -l)" -eq 5 ]
ok "only numbers"			run 0 merge --cpu cpu.txt --gpu gpu.bin --stats-only
ok "of all events"			[ "$(head -n 2 out | tr '\n' ' ')" = "CPU events: 2 GPU events: 5 " ]
ok "and nothing else"			sh -c '[ ! -s err ] && [ $(wc -l < out) -eq 4 ]'
ok "with details"			run 0 merge --cpu cpu.txt --gpu gpu.bin --verbose
ok "what the files are"			says "CPU events from 'cpu.txt': text of IOCTL_ENTER and IOCTL_EXIT"
ok "the same list"			cmp -s out "$cases/example.txt"
ln -s "$grtrace" merge_timeline
ok "as merge_timeline"			run 0 ./merge_timeline --cpu cpu.txt --gpu gpu.bin
ok "the same list"			cmp -s out "$cases/example.txt"

# The offset is added to GPU stamps.
ok "GPU 1 ms ahead"			run 0 merge --cpu cpu.txt --gpu gpu.bin --clock-offset -1000000
ok "comes before"			[ "$(head -n 1 out)" = "[1234567.123012] GPU SUBMIT ctx_id=0x1234, engine=GRAPHICS, ring=1, seqno=42" ]
ok "the CPU stays"			prints "[1234567.123456] CPU IOCTL_ENTER cmd=0xc0106444, arg=0x7ffc12345678"
cp out ns
ok "with a unit"			run 0 merge --cpu cpu.txt --gpu gpu.bin --clock-offset -1ms
ok "is the same"			cmp -s out ns
ok "behind"				run 0 merge --cpu cpu.txt --gpu gpu.bin --clock-offset 5
ok "comes later"			prints "[1234567.124012] GPU SUBMIT ctx_id=0x1234, engine=GRAPHICS, ring=1, seqno=42"
ok "before 0"				run 0 merge --cpu cpu.txt --gpu gpu.bin --clock-offset -1234568000000000
ok "is shown at 0"			lines 5 '^\[0.000000\] GPU '
ok "and counted"			says "5 GPU events shifted to before 0, shown at 0"

# Deltas.
cat > deltas.txt << 'END'
[1234567.123891] IOCTL_ENTER pid=1234 tid=5679 comm=glxgears
END
ok "deltas"				agrees deltas.txt merge --cpu deltas.txt --gpu gpu.bin --deltas
ok "after the ioctl"			lines 1 'GPU SUBMIT .* <- 121us after ioctl$'
ok "in the queue"			lines 1 'GPU START .* <- 50us queue wait$'
ok "on the GPU"				lines 1 'GPU END .* <- 1.63ms GPU exec$'
ok "who"				lines 1 'CPU IOCTL_ENTER .* <- glxgears(1234)$'
sed 's/tid=5679/tid=5680/' deltas.txt > other
ok "another thread"			run 0 merge --cpu other --gpu gpu.bin --deltas
ok "has nothing to do with it"		lines 0 'after ioctl'
ok "an ioctl that is over"		run 0 merge --cpu cpu.txt --gpu gpu.bin --deltas
ok "has neither"			lines 0 'after ioctl'
"$gen" scene blame > blame || exit 1
ok "where START is inferred"		run 0 merge --cpu deltas.txt --gpu blame --deltas --clock-offset 1234566s
ok "it says so"				lines 4 'END .* GPU exec, inferred_start$'
"$grtrace" report --jobs -f csv blame 2> err | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["t_exec_ns"] != "" { printf "ctx_id=0x%x seqno=%d %.2fms\n", $at["ctx"], $at["seqno"], $at["t_exec_ns"] / 1e6 }' | sort > a
sed -n 's/.* GPU END \(ctx_id=[^,]*\),.* \(seqno=[0-9]*\) <- \([^ ]*\) GPU exec.*/\1 \2 \3/p' out | sort > b
ok "with the times of the report"	same_times
"$gen" scene firmware > firmware && "$gen" scene kill > killed || exit 1
ok "where START is not known"		run 0 merge --cpu deltas.txt --gpu firmware --deltas
ok "there is no time on the GPU"	lines 0 'ring=1,.* GPU exec'
ok "but on a ring in order"		lines 1 'ring=2,.* GPU exec, inferred_start$'
ok "jobs that never ran"		run 0 merge --cpu deltas.txt --gpu killed --deltas
ok "have none, either"			lines 1 'GPU exec'
"$gen" grt 3 90000 big.grt || exit 1
ok "many jobs"				run 0 merge --cpu deltas.txt --gpu big.grt --deltas
ok "have all their times"		sh -c '[ $(grep -c "GPU END" out) -eq $(grep -c "GPU exec" out) ]'

# Names with blanks and "=", and lines that cannot be read.
cat > hostile << 'END'
# a comment

[1234567.123456] IOCTL_ENTER pid=1 tid=1 comm=a=b c cmd=0x1 cmd=0xc0106444 arg=0x1
[1234567.12] IOCTL
one
two
three [31m
[1234567.123457] IOCTL_EXIT pid=1 tid=1 comm=x ret=-22 duration_ns=1000
END
printf '\033[31mfour\nfi\0ve\n' >> hostile
ok "lines that cannot be read"		run 0 merge --cpu hostile --gpu gpu.bin --deltas
ok "are told"				says "Warning: Failed to parse line 4: [1234567.12] IOCTL"
ok "three of them"			[ "$(grep -c 'Failed to parse line [0-9]' err)" -eq 3 ]
ok "all are counted"			says "Warning: Failed to parse line: 6 lines in all"
ok "the others are there"		prints "[1234567.123457] CPU IOCTL_EXIT ret=-22, duration_ns=1000 <- x(1)"
ok "a name with = and blanks"		lines 1 'cmd=0xc0106444, arg=0x1 <- a=b c cmd=0x1(1)$'
ok "all of them"			run 0 merge --cpu hostile --gpu gpu.bin --verbose
ok "are told"				[ "$(grep -c 'Failed to parse line [0-9]' err)" -eq 6 ]
ok "without control characters"		sh -c '! grep -q "$(printf "\033")" err out'
sed 's/$/\r/' cpu.txt > crlf && printf '%s' "$(cat cpu.txt)" > unended || exit 1
for file in crlf unended; do
	ok "$file"			agrees example.txt merge --cpu $file --gpu gpu.bin
done

# Buffers of CPUs one after the other; and more than the window holds.
awk 'BEGIN { for (cpu = 0; cpu < 4; cpu++) for (i = 0; i < 5000; i++)
	printf "[%d.%06d] IOCTL_ENTER pid=%d tid=%d comm=a cmd=0x6440 arg=0x0\n", 1 + i / 10000, i % 10000 * 100 + cpu, cpu + 1, cpu + 1 }' > buffers
ok "a little out of order"		run 0 merge --cpu buffers --gpu gpu.bin
ok "is put in order"			is_sorted
ok "with all events"			lines 20000 CPU
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "[%d.%06d] IOCTL_ENTER tid=1\n", 100 + i / 100000, i % 100000; print "[99.000000] IOCTL_ENTER tid=1" }' > late
ok "too late"				run 0 merge --cpu late --gpu gpu.bin
ok "is still sorted"			is_sorted
ok "counted"				says "1 CPU event came too late to be put in order, left out"
ok "and left out"			lines 200000 CPU
cat late deltas.txt buffers > mixed
ok "by time, whatever the order"	run 0 merge --cpu mixed --gpu big.grt
ok "sorted"				is_sorted

# A clock that differs: ioctls around each SUBMIT of a random schedule.
"$gen" sim 3 5 1700000000 > sim.raw
"$grtrace" dump -f csv sim.raw 2> err > sim.csv
around()	# ns of the shift
{
	awk -F, -v shift="$1" 'BEGIN { srand(7) }
		NR > 1 && $1 == "SUBMIT" {
			enter = $4 + shift - int(1000 + rand() * 40000)
			leave = $4 + shift + int(1000 + rand() * 40000)
			if (enter <= last[$11]) enter = last[$11] + 1000
			if (leave <= enter) next
			last[$11] = leave
			printf "[%d.%09d] IOCTL_ENTER pid=%d tid=%d comm=w cmd=0xc0106444 arg=0x0\n", enter / 1e9, enter % 1e9, $10, $11
			printf "[%d.%09d] IOCTL_EXIT pid=%d tid=%d comm=w ret=0 duration_ns=%d\n", leave / 1e9, leave % 1e9, $10, $11, leave - enter
		}' sim.csv | sort -s -k1,1
}
around 0 > same && around -900000 > ahead && around 7200000000000 > hours || exit 1
near()		# expected ns: the estimate is within its own error
{
	sed -n 's/^clock offset: \(-*[0-9]*\) ns, +-\([0-9]*\) ns.*/\1 \2/p' err |
		awk -v true="$1" '{ d = $1 - true; if (d < 0) d = -d; ok = d <= $2 && $2 < 50000 } END { exit !ok }'
}
ok "clocks that agree"			run 0 merge --cpu same --gpu sim.raw
ok "need no word"			[ "$(grep -c -e warning -e offset err)" -eq 0 ]
ok "all SUBMITs are in an ioctl"	sh -c "'$grtrace' merge --cpu same --gpu sim.raw --deltas > out 2> err; [ \$(grep -c SUBMIT out) -eq \$(grep -c 'after ioctl' out) ]"
ok "clocks that do not"			run 0 merge --cpu ahead --gpu sim.raw
ok "are told"				says "warning: the clocks of the two files seem to differ"
hint=$(sed -n 's/^hint: grtrace //p' err)
ok "with what to type"			sh -c "printf '%s\n' '$hint' | grep -qx 'merge --cpu ahead --gpu sim.raw --clock-offset -[89][0-9]*'"
# shellcheck disable=SC2086
ok "which works"			run 0 "$grtrace" $hint --deltas
ok "and ends the warning"		[ "$(grep -c warning err)" -eq 0 ]
ok "SUBMITs are in ioctls then"		sh -c '[ $(grep -c SUBMIT out) -eq $(grep -c "after ioctl" out) ]'
for file in same:0 ahead:-900000 hours:7200000000000; do
	ok "an estimate, ${file%:*}"	run 0 merge --cpu "${file%:*}" --gpu sim.raw --clock-offset auto
	ok "is near"			near "${file#*:}"
done
ok "of standard input"			sh -c "'$grtrace' merge --cpu - --gpu sim.raw --clock-offset auto < ahead > out 2> err"
ok "is near, too"			near -900000
ok "there a hint cannot be pasted"	sh -c "'$grtrace' merge --cpu - --gpu sim.raw < ahead > out 2> err; grep -q 'seem to differ' err && ! grep -q hint: err"
ok "nothing to estimate from"		complains 4 "no thread has both ioctls and SUBMITs" "clock-offset NS" merge --cpu other --gpu gpu.bin --clock-offset auto
ok "no time in common"			run 0 merge --cpu cpu.txt --gpu blame
ok "is told"				says "the two files have no time in common"

# Other formats.
"$gen" dat ioctls > ioctls.dat && "$gen" dat-text ioctls > ioctls.txt || exit 1
ok "trace.dat"				agrees ioctls.txt merge --cpu ioctls.dat --gpu blame --clock-offset 49s --deltas
ok "other ioctls are counted"		says "2 CPU events of ioctls that are not DRM's, left out"
ok "text of trace-cmd"			agrees ioctls.txt merge --cpu ioctls.txt --gpu blame --clock-offset 49s --deltas
cat > ftrace << 'END'
# tracer: nop
         painter-4102    [000] .....    50.000001: sys_ioctl(fd: 3, cmd: 0xc0106444, arg: 0x7ffc12345678)
         painter-4102    [000] .....    50.000061: sys_ioctl -> 0x0
            sshd-9       [001] .....    50.000100: sys_ioctl(fd: 3, cmd: 5401, arg: 7ffc12345678)
CPU:1 [LOST 12 EVENTS]
         painter-4102    [001] .....    50.000300: sys_ioctl(fd: 3, cmd: c0186440, arg: 7ffc12345678)
         painter-4102    [001] .....    50.000360: sys_ioctl -> 0xffffffffffffffea
            sshd-9       [001] .....    50.000400: sys_getpid()
            sshd-9       [001] .....    50.000401: sys_getpid -> 0x9
            sshd-9       [001] .....    50.000402: sys_io
END
ok "text of ftrace"			run 0 merge --cpu ftrace --gpu blame --clock-offset 49s --deltas
sed 's/60002/60000/' "$cases/ioctls.txt" > expected
ok "is the same"			cmp -s out expected
ok "lost events are counted"		says "12 CPU events are missing in the file"
ok "so are lines that were cut"		says "Warning: Failed to parse line: 1 line in all"
cat > perf << 'END'
         painter  4102 [000]    50.000001:       syscalls:sys_enter_ioctl: fd: 0x00000003, cmd: 0xc0106444, arg: 0x7ffc12345678
         painter  4102 [000]    50.000061:        syscalls:sys_exit_ioctl: 0x0
         painter  4102 [001]    50.000300:       syscalls:sys_enter_ioctl: fd: 0x00000003, cmd: 0xc0186440, arg: 0x7ffc12345678
         painter  4102 [001]    50.000360:        syscalls:sys_exit_ioctl: 0xffffffffffffffea
END
ok "text of perf"			run 0 merge --cpu perf --gpu blame --clock-offset 49s --deltas
ok "is the same"			cmp -s out expected
ok "a trace.dat of GPU events"		run 0 sh -c "'$gen' dat plain > plain.dat && '$grtrace' merge --cpu perf --gpu plain.dat"
ok "has its jobs"			lines 100 'GPU SUBMIT'
ok "text of GPU events"			run 0 merge --cpu perf --gpu "$golden/import/sched-617.txt"
ok "one file for both"			run 0 sh -c "'$gen' dat-text plain > both && cat perf >> both && '$grtrace' merge --cpu both --gpu both"
ok "has both"				sh -c '[ $(grep -c "GPU SUBMIT" out) -eq 100 ] && [ $(grep -c "\] CPU " out) -eq 4 ]'
ok "a pipe"				sh -c "cat cpu.txt | '$grtrace' merge --cpu - --gpu gpu.bin 2> err | cmp - '$cases/example.txt'"
ok "a GPU trace from a pipe"		sh -c "cat gpu.bin | '$grtrace' merge --cpu cpu.txt --gpu - 2> err | cmp - '$cases/example.txt'"
ok "a GPU trace without events"		run 0 sh -c "'$gen' timeline | head -c 552 > none.bin; '$grtrace' merge --cpu cpu.txt --gpu none.bin"
ok "is told"				says "there are no GPU events"

# Losses, and damage.
"$gen" example 0 > lossy
ok "losses"				run 0 merge --cpu cpu.txt --gpu lossy
ok "have their lines"			lines 3 'GPU LOSS reason=[A-Z_]*, count=[0-9]*, from_ns='
ok "and are counted"			says "GPU events are missing: see the lines of LOSS"
LC_ALL=C awk 'BEGIN { printf "\003\000\377\377" }' > bad
cp gpu.bin damaged && dd if=bad of=damaged bs=1 seek=698 conv=notrunc 2> err
ok "an invalid size"			run 0 merge --cpu cpu.txt --gpu damaged
ok "is told"				says "Warning: Invalid event size: 1 place in 'damaged'"
head -c 400000 big.grt > cut.grt
ok "a file that was cut"		run 0 merge --cpu cpu.txt --gpu cut.grt
ok "is told"				says "warning: 'cut.grt' was not closed properly"

# What cannot be done.
: > empty; echo oops > oops; head -c 70000 /dev/zero > zeros; mkdir folder
rm -f merged.txt
wrong() { name=$1; shift; ok "$name" complains "$@"; }
wrong "no CPU file"		3 "Error reading CPU events: cannot open 'none'" "grtrace annotate" merge --cpu none --gpu gpu.bin -o merged.txt
wrong "no GPU file"		3 "Error reading GPU events: cannot open 'none'" "record" merge --cpu cpu.txt --gpu none -o merged.txt
wrong "an empty CPU file"	4 "Error reading CPU events: 'empty' is empty" "record again" merge --cpu empty --gpu gpu.bin -o merged.txt
wrong "an empty GPU file"	4 "Error reading GPU events: 'empty' is empty" "record again" merge --cpu cpu.txt --gpu empty -o merged.txt
wrong "no CPU event"		4 "Error reading CPU events: there are none in 'oops'" "IOCTL_ENTER pid=" merge --cpu oops --gpu gpu.bin -o merged.txt
wrong "no text"			4 "Error reading CPU events: 'zeros' has none" "IOCTL_ENTER" merge --cpu zeros --gpu gpu.bin -o merged.txt
wrong "no trace"		4 "Error reading GPU events: 'oops' is no trace" "events0" merge --cpu cpu.txt --gpu oops -o merged.txt
wrong "no ioctls"		4 "Error reading CPU events: there are no ioctls in 'plain.dat'" "grtrace annotate" merge --cpu plain.dat --gpu gpu.bin -o merged.txt
head -c 3000 ioctls.dat > cut.dat
wrong "a damaged trace.dat"	4 "Error reading CPU events: 'cut.dat' is .*damaged" "trace-cmd report" merge --cpu cut.dat --gpu gpu.bin -o merged.txt
wrong "a folder"		3 "Error reading CPU events: 'folder' is a folder" "name a file" merge --cpu folder --gpu gpu.bin -o merged.txt
wrong "an input as output"	3 "'cpu.txt' is what is read" "-o" merge --cpu cpu.txt --gpu gpu.bin -o cpu.txt
wrong "the other input"		3 "'gpu.bin' is what is read" "-o" merge --cpu cpu.txt --gpu gpu.bin -o gpu.bin
ok "standard input as output"	sh -c "! '$grtrace' merge --cpu - --gpu gpu.bin -o cpu.txt < cpu.txt 2> err && grep -q 'what is read' err"
wrong "a full disk"		3 "cannot write '/dev/full'" "free some space" merge --cpu cpu.txt --gpu big.grt -o /dev/full
ok "for standard output"	sh -c "! '$grtrace' merge --cpu cpu.txt --gpu big.grt > /dev/full 2> err && grep -q 'cannot write to standard output' err"
ok "no room"			sh -c "ulimit -f 100; ! '$grtrace' merge --cpu cpu.txt --gpu big.grt -o merged.txt > out 2> err && [ \$(grep -c '^grtrace: cannot' err) = 1 ]"
ok "nothing is left of all this" [ "$(find . tmp -name 'merged.txt*' | wc -l)" -eq 0 ]
ok "no temporary file"		[ -z "$(ls "$TMPDIR")" ]
ok "a reader that goes"		sh -c "'$grtrace' merge --cpu cpu.txt --gpu big.grt 2> err | head -n 1 > out; [ -s out ] && ! grep -q 'cannot write' err"
wrong "only one of both"	2 "a timeline needs --cpu and --gpu" "merge -h" merge --cpu cpu.txt
wrong "an option alone"		2 "a timeline needs --cpu and --gpu" "merge -h" merge --deltas a.grt b.grt
wrong "other files"		2 "take no other files" "merge -h" merge --cpu cpu.txt --gpu gpu.bin big.grt
wrong "--offset"		2 "--clock-offset" "merge -h" merge --cpu cpu.txt --gpu gpu.bin --offset 1:2s
wrong "no offset"		2 "'soon' is no offset" "merge -h" merge --cpu cpu.txt --gpu gpu.bin --clock-offset soon
wrong "a huge offset"		2 "is too large" "merge -h" merge --cpu cpu.txt --gpu gpu.bin --clock-offset 18446744073709551615
wrong "standard input twice"	2 "only one of" "merge -h" merge --cpu - --gpu -
wrong "numbers into a file"	2 "stats-only has no --output" "merge -h" merge --cpu cpu.txt --gpu gpu.bin --stats-only -o x

# Memory does not grow with the files.
peak()		# KiB of a command
{
	"$build/test/make/measure" 1 "$@" 2> err | awk '{ print $3 }'
}
awk 'BEGIN { for (i = 0; i < 400000; i++) printf "[%d.%06d] IOCTL_ENTER pid=%d tid=%d comm=a cmd=0x6440 arg=0x0\n", 1 + i / 1000000, i % 1000000, i % 9 + 1, i % 9 + 1 }' > large.txt
"$gen" grt 3 900000 large.grt || exit 1
case $build in
*asan*) ;;
*) ok "memory is bounded"	[ "$(peak "$grtrace" merge --cpu large.txt --gpu large.grt --deltas)" -lt 65536 ] ;;
esac
end
