#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the same jobs come out of a text in each form in which people and programs pass it on
# Tests call these functions through ok().
# shellcheck disable=SC2317,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export LC_ALL=C.UTF-8

# 60 jobs of two processes, as /sys/kernel/tracing/trace has them.  Names have at most 8 characters,
# because the kernel's log has no more of them.
jobs()
{
	awk 'function event(task, cpu, flags, us, text) {
			printf "%21s    [%03d] %s %5d.%06d: %s\n", task, cpu, flags, us / 1000000, us % 1000000, text
		}
		BEGIN { for (i = 0; i < 60; i++) {
			ctx = i % 3 ? 264 : 301
			task = i % 3 ? "niri-1650" : "game:cs0-2313"
			job = sprintf("fence=%d:%d, ring=%s", ctx, 100 + i, i % 3 ? "gfx_0.1.0" : "gfx_0.0.0")
			at = 3437000000 + i * 16000
			event(task, i % 4, ".....", at, "drm_sched_job_queue: dev=0000:71:00.0, " job \
			      ", job count:0, hw job count:0, client_id:" (i % 3 ? 7 : 9))
			event("kworker-89", i % 4, "...1.", at + 20, "drm_sched_job_run: dev=0000:71:00.0, " job \
			      ", job count:0, hw job count:1, client_id:" (i % 3 ? 7 : 9))
			event("<idle>-0", 3, "d.h3.", at + 3000 + i, sprintf("drm_sched_job_done: fence=%d:%d signaled", ctx, 100 + i))
			event("<idle>-0", 3, "d.h3.", at + 3002 + i, sprintf("dma_fence_signaled: driver=drm_sched " \
			      "timeline=%s context=%d seqno=%d", i % 3 ? "gfx_0.1.0" : "gfx_0.0.0", ctx, 100 + i))
		} }'
}

header()
{
	cat <<-'END'
	# tracer: nop
	#
	# entries-in-buffer/entries-written: 240/240   #P:4
	#
	#                                _-----=> irqs-off/BH-disabled
	#                               / _----=> need-resched
	#                              | / _---=> hardirq/softirq
	#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
	#              | |         |   |||||     |         |
	END
}

# What the kernel prints to its log.
dump()
{
	echo 'Dumping ftrace buffer:'
	echo '---------------------------------'
	latency
	echo '---------------------------------'
}

latency()
{
	jobs | awk '{ split($1, task, "-"); time = $4; gsub(/[.:]/, "", time)
		printf "%8.8s-%-7d %3d%s %10sus%s: ", task[1], task[2], substr($2, 2, 3), $3, time, NR % 4 ? " " : "!"
		print substr($0, index($0, $5)) }'
}

latency_header()
{
	cat <<-'END'
	# tracer: nop
	#
	# nop latency trace v1.1.5 on 6.1.0
	# --------------------------------------------------------------------
	# latency: 0 us, #240/240, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:4)
	#    -----------------
	#    | task: -0 (uid:0 nice:0 policy:0 rt_prio:0)
	#    -----------------
	#     cmd     pid   ||||| time  |   caller
	#        \   /      |||||  \    |   /
	END
}

escape() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }
after()	# prints a command's output behind a text in front of each line
{
	sed "s/^/$1/"
}
stamped() { awk -v form="$1" '{ printf form, 3500 + NR / 1e6; print }'; }
log() { awk 'BEGIN { for (i = 0; i < 4000; i++) printf "[%5d.%06d] usb 1-%d: new high-speed USB device number %d\n", i / 100, i, i % 9, i }'; }
perf() { jobs | awk '{ split($1, task, "-"); printf "%16s %5d %s %s ", task[1], task[2], $2, $4
	print (/dma_fence/ ? "dma_fence:" : "gpu_scheduler:") substr($0, index($0, $5)) }'; }

whole() { header; jobs; }
whole > base

# The rows of jobs, which are all equal; nothing is said on the way.
rows_of() { "$grtrace" report --jobs -f csv "$1" > "$2" 2> err; }
same()	{ rows_of "$1" rows && cmp base.csv rows; }
silent() { same "$1" && [ ! -s err ]; }
# The same, and a text is told of.
tells()	# file, text
{
	same "$1" && grep -q -e "$2" err && ! grep -q "cannot be read" err
}

ok "the text itself"			rows_of base base.csv
ok "has 60 jobs"			[ "$(wc -l < base.csv)" -eq 61 ]
ok "all with their stages"		[ "$(cut -d, -f23 base.csv | grep -c '^30[0-9][0-9]*$')" -eq 60 ]

whole | sed 's/$/\r/' > crlf
{ printf '\357\273\277'; whole; } > bom
{ printf '\357\273\277'; whole | sed 's/$/\r/'; } > bom-crlf
whole | after '> ' > quoted
whole | after '>> > ' > quoted-deep
whole | after '    ' > indented
{ echo '```text'; whole; echo '```'; } > fenced
jobs > no-header
jobs | tail -c +20 | sed 1d > "cut"; jobs | sed 1d > cut-base
whole | escape > escaped
whole | escape | sed 's/  /\&nbsp; /g; s/^ /\&#160;/' > spaced
whole | sed 's/^  /\xc2\xa0 /' > nbsp
whole | escape | after '\&gt; ' > quoted-escaped
whole | stamped '[%12.6f] ' > dmesg
whole | stamped '[%12.6f][ T1234] ' > dmesg-caller
whole | stamped '<4>[%12.6f] ' > dmesg-level
whole | after '[Tue Nov 12 10:00:00 2024] ' > dmesg-time
whole | stamped 'kern  :warn  : [%12.6f] ' > dmesg-facility
whole | stamped '[%12.6f <    0.000012>] ' > dmesg-delta
whole | after '6,1234,3500000012,-;' > kmsg
{ echo '-- Logs begin at Mon 2024-11-11 08:00:00 CET, end at Tue 2024-11-12 10:00:02 CET. --'
  whole | after 'Nov 12 10:00:00 host kernel: '; } > journal
whole | after '2024-11-12T10:00:00+0100 host kernel: ' > journal-iso
whole | after 'Tue 2024-11-12 10:00:00 UTC host logger[123]: ' > journal-full
whole | stamped '1731402000.%06d host kernel: ' > journal-unix
whole | stamped '[%12.6f] host kernel: ' > journal-monotonic
whole | stamped 'Nov 12 10:00:00 host kernel: [%12.6f] ' > syslog
whole | after '2024-11-12T10:00:00.1234567Z ' > ci
{ latency_header; latency; } > latency
dump > oops
dump | stamped '[%12.6f] ' > oops-dmesg
dump | stamped '[%12.6f][    C0] ' > oops-caller
dump | after 'Nov 12 10:00:00 host kernel: ' > oops-journal
dump | after '> ' > oops-quoted
latency | stamped '[%12.6f] ' > oops-begun-before
dump | sed 's/^\(........-[0-9]* *[0-9][^ ]*\)\. /\1 /' > oops-old-flags
{ echo 'CPU 2 is empty'; whole; } > empty-cpu
whole | sed 's/\(\[[0-9]*\]\) [^ ]* /\1 /' > no-irq-info
{ echo cpus=4; jobs; } > trace-cmd
{ echo cpus=4; jobs | sed 's/\(\[[0-9]*\]\) [^ ]* /\1 /'; } > trace-cmd-no-flags
perf > perf
whole | sed '/_queue/a\ => drm_sched_entity_push_job\n => do_syscall_64' > stacks
ok "no forms are missing"		[ "$(find . -type f ! -name 'base*' ! -name 'cut*' | wc -l)" -ge 36 ]
for form in crlf bom bom-crlf quoted quoted-deep indented fenced no-header escaped spaced nbsp quoted-escaped \
	dmesg dmesg-caller dmesg-level dmesg-time dmesg-facility dmesg-delta kmsg \
	journal journal-iso journal-full journal-unix journal-monotonic syslog ci \
	latency oops oops-dmesg oops-caller oops-journal oops-quoted oops-begun-before oops-old-flags \
	empty-cpu no-irq-info trace-cmd trace-cmd-no-flags perf stacks; do
	ok "$form"			silent "$form"
done

# What people and other programs write around a trace is no event, and nothing is lost.
{ echo 'Here is my trace:'; echo; echo '```'; whole; echo '```'; echo 'Thanks'; } > markdown
{ echo 'On Tuesday somebody wrote:'; whole | after '> ' | awk '{ print } NR == 100 { print "Here it hangs!" }'; } > mail
{ log; dump | stamped '[%12.6f] ' | awk '{ print } NR == 99 { print "[ 3500.000099] usb 1-1: USB disconnect" }'; } > kernel-log
{ echo 'Panic#1 Part1'; dump | stamped '<0>[%12.6f] '; } > pstore
ok "around a block of a page"		tells markdown "2 lines of 'markdown' are no events, left out; the first is line 1: 'Here is my trace:'"
ok "between the quotes of a mail"	tells mail "2 lines of 'mail' are no events, left out; the first is line 1: 'On Tuesday"
ok "a whole log"			tells kernel-log "4001 lines of 'kernel-log' are no events, left out; the first is line 1: 'usb 1-0: new"
ok "the store of a crash"		tells pstore "1 line of 'pstore' is no event, left out; the first is line 1: 'Panic#1"
{ echo '<!DOCTYPE html>'; awk 'BEGIN { for (i = 0; i < 4000; i++) print "function f" i "(a) { return a[" i "] > 1; }" }'
  echo '<script class="trace-data" type="application/text">'; whole; echo '</script>'; } > systrace
{ printf '\n\212\001ftrace\0drm_sched_job_run\0'; head -c 70000 /dev/zero; } > perfetto
ok "a page of systrace"			tells systrace "4003 lines of 'systrace' are no events, left out; the first is line 1: '<!DOCTYPE"
ok "no trace of Perfetto"		complains 4 "'perfetto' is no trace" "grtrace reads" "$grtrace" report perfetto
ok "an import tells, too"		run 0 "$grtrace" import -o markdown.grt markdown
ok "and gives the same"		same markdown.grt
run 0 "$grtrace" report kernel-log
ok "no event is lost"			grep -q '^0 events lost' out

# What the tracer or the kernel says is lost, and events that were cut.
lost()	# file, lost events
{
	run 0 "$grtrace" report "$1" && grep -q "^$2 events* lost" out
}
whole | awk '{ print } NR == 60 { print "CPU:2 [LOST 33 EVENTS]" }' > gap
dump | awk '{ print } NR == 60 { print "CPU:2 [LOST 33 EVENTS]" }' | stamped '[%12.6f] ' > oops-gap
dump | awk '{ print } NR == 60 { print "** 12 printk messages dropped **" }' | stamped '[%12.6f] ' > oops-dropped
whole | sed '60s/drm_.*//' > cut-line
ok "events that ftrace lost"		lost gap 33
ok "a gap in the kernel's log"		lost oops-gap 33
ok "lines that the log lost"		lost oops-dropped 12
ok "a cut event is missing"		lost cut-line 1
ok "and told"				grep -q "1 line of 'cut-line' cannot be read: an event is missing; the first is line 60: '" err
ok "not what is before the trace"	rows_of cut rows
ok "is the rest of it"			sh -c "rows=\$('$grtrace' report --jobs -f csv cut-base 2> err) && echo \"\$rows\" | cmp - rows"

# Clocks that count ticks: a file does not say how long one is.
ticks() { whole | awk -v hz="$1" '/^#/ { print; next } { split($4, t, /[.:]/)
	sub(/ +[0-9]+\.[0-9]+:/, sprintf("  %.0f:", (t[1] * 1000000 + t[2]) * (hz / 1000000))); print }'; }
ticks 3000000000 > tsc
dump | awk '/us/ { match($0, /[0-9]+us.:/); t = substr($0, RSTART, RLENGTH - 4)
	sub(/[0-9]+us.:/, sprintf("%.0f:", t * 3000)) } { print }' > oops-tsc
ticks 1000000 | sed 's/drm_sched_job_queue:.*/tracing_mark_write: begin/' > marks
ok "a text with ticks is refused"	complains 4 "'tsc' has the times of a clock that counts ticks, like x86-tsc" "echo mono | sudo tee /sys/kernel/tracing/trace_clock" "$grtrace" report tsc
ok "a kernel log with ticks is refused"	complains 4 "'oops-tsc' has the times of a clock that counts ticks" "--tick-hz" "$grtrace" report oops-tsc
ok "an import refuses it"			complains 4 "'tsc' has the times of a clock that counts ticks" "--tick-hz" "$grtrace" import -o no.grt tsc
for form in tsc oops-tsc; do
	ok "$form: who knows the clock"	run 0 "$grtrace" import --tick-hz 3000000000 -o $form.grt $form
	ok "$form: has the same"	same $form.grt
done
ok "seconds are no ticks"		complains 4 "times in 'base' are seconds, not ticks" "omit --tick-hz" "$grtrace" import --tick-hz 3000000000 -o no.grt base
ok "a clock that is too slow"		complains 2 "'100' is no frequency" "dmesg" "$grtrace" import --tick-hz 100 -o no.grt tsc
ok "no number"				complains 2 "'x' is no frequency" "dmesg" "$grtrace" import --tick-hz x -o no.grt tsc
ok "nothing is left of them"		[ ! -e no.grt ]
whole | sed '60s/3437\.[0-9]*:/3437:/' > one-tick
ok "one cut time is no clock"		lost one-tick 1
ok "ioctls with ticks"			complains 4 "'marks' has the times of a clock that counts ticks" "trace_clock" "$grtrace" merge --cpu marks --gpu base
# Packed files, which libarchive unpacks.
pack()	# program, ending: of the text, and of a trace
{
	"$1" -kf base base.grt && [ -e "base.$2" ] && [ -e "base.grt.$2" ]
}
"$grtrace" import -o base.grt base 2> err || exit 1
for pair in "gzip gz" "xz xz" "zstd zst" "bzip2 bz2"; do
	program=${pair% *} ending=${pair#* }
	pack "$program" "$ending" 2> err
	ok "a text of $program"		silent "base.$ending"
	ok "a trace of $program"	silent "base.grt.$ending"
done
tar cf base.tar base && tar czf base.tgz base && zip -q base.zip base && zip -q base.grt.zip base.grt || exit 1
ok "a tar file"				silent base.tar
ok "a text in a zip file"		silent base.zip
ok "a trace in a zip file"		silent base.grt.zip
ok "packed"				silent base.tgz
cp base.gz 'no ending'
ok "the content decides"		silent 'no ending'
ok "standard input"			sh -c "'$grtrace' report --jobs -f csv - < base.gz > rows && cmp base.csv rows"
ok "a pipe"				sh -c "cat base.grt.gz | '$grtrace' report --jobs -f csv - > rows && cmp base.csv rows"
ok "an import"				run 0 "$grtrace" import -o again.grt base.gz
ok "is the same trace"			cmp again.grt base.grt
ok "verify"				run 0 "$grtrace" verify base.grt.gz
ok "slice"				run 0 "$grtrace" slice --until 100ms -o slice.grt base.grt.gz
"$grtrace" diff base.grt base.gz > out 2> err
ok "diff"				grep -q "^B: base.gz .* 60 jobs" out
ok "several traces"			run 0 "$grtrace" report base.gz base.grt.gz
ok "a timeline"				complains 4 "there are no ioctls in 'base.gz'" "annotate" "$grtrace" merge --cpu base.gz --gpu base.grt.gz
ok "onto itself"			complains 3 "'base.gz' is the input" "another file" "$grtrace" import -o base.gz base.gz
echo x > README
cp README READ-ME
tar czf one.tgz README base && tar czf two.tgz base base.grt && tar czf none.tgz README READ-ME || exit 1
ok "the one trace of an archive"	silent one.tgz
ok "two traces"				complains 4 "'two.tgz' has several traces: 'base', 'base.grt'" "name one" "$grtrace" report two.tgz
ok "none"				complains 4 "'none.tgz' has 2 files, none of which is a trace" "look at" "$grtrace" report none.tgz
head -c 900 base.gz > short.gz; { head -c 100 base.gz; head -c 900 /dev/zero; } > damaged.gz
ok "a cut one"				complains 4 "'short.gz' cannot be unpacked: " "copy it again" "$grtrace" report short.gz
ok "a damaged one"			complains 4 "'damaged.gz' cannot be unpacked: " "copy it again" "$grtrace" report damaged.gz
gzip -c README > readme.gz; : | gzip > nothing.gz
ok "a text that is no trace"		complains 4 "'readme.gz' is no trace" "grtrace reads" "$grtrace" report readme.gz
ok "nothing"				complains 4 "'nothing.gz'\|in 'nothing.gz'" "." "$grtrace" report nothing.gz
# A small file with much in it: 64 MiB are not unpacked, because the first 16 show no trace.
head -c 67108864 /dev/zero | tr '\0' 'x' | gzip -1 > much.gz
ok "much that is no trace"		sh -c "ulimit -f 40000; '$grtrace' report much.gz 2> err; grep -q \"'much.gz' is no trace\" err"
jobs > many; i=0; while [ $i -lt 9 ]; do cat many many > "more"; mv "more" many; i=$((i + 1)); done; gzip -1 many
ok "a text for which there is no room"	sh -c "ulimit -f 4000; '$grtrace' report many.gz 2> err; grep -q 'TMPDIR' err"
ok "none of them leaves a file"		[ -z "$(find . -name 'grtrace-*')" ]
end
