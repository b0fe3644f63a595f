#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a job whose end was lost does not make its ring's idle time unknown for ever
# Tests call these functions through ok(). $1 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# A CPU's buffer was overwritten up to 100.005 s; 20 jobs of another process left meanwhile. Each 10 ms,
# a job waits 5 ms for something that this source does not report, and runs for 1 ms.
fifo()	# SEQNO: this job of the lost ones is handed over at 100.703 s and ends at 100.704 s
{
	awk -v returns="${1:-0}" '
	function event(task, cpu, at, text) { printf "%16s [%03d] .... %.6f: %s\n", task, cpu, at, text }
	function job(name, ctx, nr) {
		return sprintf("%s: sched_job=%d, timeline=gfx, context=%d, seqno=%d, ring_name=gfx, num_ibs=1", name, nr, ctx, nr)
	}
	function over(at, ctx, nr) {
		event("<idle>-0", 1, at, sprintf("dma_fence_signaled: driver=drm_sched timeline=gfx context=%d seqno=%d", ctx, nr))
	}
	BEGIN {
		print "# tracer: nop\n#\n# entries-in-buffer/entries-written: 350/900   #P:2\n#"
		print "##### CPU 0 buffer started ####"
		for (i = 1; i <= 20; i++)
			event("other-800", 0, 98 + i / 20, job("amdgpu_cs_ioctl", 20, i))
		for (i = 6; i <= 100; i++) {
			at = 99.94 + i / 100
			event("game-700", 0, at, job("amdgpu_cs_ioctl", 12, i))
			if (i == 6)
				print "##### CPU 1 buffer started ####"
			event("gfx-300", 1, at + 0.005, job("amdgpu_sched_run_job", 12, i))
			over(at + 0.006, 12, i)
			if (returns && i == 76) {
				event("gfx-300", 1, 100.707, job("amdgpu_sched_run_job", 20, returns))
				over(100.708, 20, returns)
			}
		}
	}'
}

# BEFORE: seconds between the only job of context 400, whose end is missing, and the others. Those are of
# context 301, and each is on the ring for 3 ms of 16 ms.
other_order()
{
	awk -v before="$1" '
	function event(task, at, name, fence) {
		printf "%16s [%03d] .... %.6f: %s: dev=0000:71:00.0, fence=%s, ring=gfx_0.1.0, job count:0, hw job count:0, client_id:%d\n", task, (at > 3437), at, name, fence, fence
	}
	BEGIN {
		print "# tracer: nop\n#\n# entries-in-buffer/entries-written: 241/1240   #P:4\n#"
		event("firefox-1200", 3437 - before, "drm_sched_job_queue", "400:7")
		print "##### CPU 1 buffer started ####"
		for (i = 1; i <= 50; i++) {
			at = 3437 + i * 0.016
			event("niri-1650", at, "drm_sched_job_queue", "301:" i)
			event("kworker-89", at, "drm_sched_job_run", "301:" i)
			printf "%16s [001] .... %.6f: drm_sched_job_done: fence=301:%d signaled\n", "<idle>-0", at + 0.003, i
		}
	}'
}

# use SCOPE TRACE OPTIONS...: times of the ring, or the device, in ns: wall, known, busy or occupied, without work, unknown
use()
{
	scope=$1
	shift
	"$grtrace" report -f json "$@" 2> err | jq -r --arg scope "$scope" '.time[] | select(.scope == $scope) |
		[.wall_ns, .known_ns, (.busy_ns // .occupied_ns), .starved_ns, .unknown_ns] | join(" ")'
}
is_use()	# times, trace, options
{
	wanted=$1
	shift
	use ring "$@" > out
	[ "$(cat out)" = "$wanted" ]
}

fifo > lost
fifo 20 > returns
other_order 7 > old
other_order 0.5 > young
# From 100.02 s on there are 93 jobs. Each waits for 5 ms and runs for 1 ms, and the ring has no work for 4 ms after it.
ok "a FIFO ring: idle is known when its cause is not" is_use "926000000 926000000 93000000 368000000 465000000" lost --since @100.02
ok "its device does as its only ring"	[ "$(use device lost --since @100.02)" = "$(use ring lost --since @100.02)" ]
# 49 jobs, 3 ms each, until the last one ends; nothing else is there.
for trace in old young; do
	ok "another ring: a job whose end is missing, $trace"	is_use "771000000 771000000 147000000 624000000 0" $trace --since @3437.032
done
# One of the lost jobs is there after all, at 100.707 s: before that, no time was without work for certain.
# Behind it, it is so for 2 ms, and then for 4 ms behind each of 23 jobs; 24 jobs waited for 5 ms each.
ok "a job that comes back: idle is not claimed before"	is_use "926000000 308000000 94000000 94000000 738000000" returns --since @100.02

# CPU 1's buffer begins at 10.1 s, 100 ms behind the only job of sdma1 so far. Fences are signalled in order, and all are seen
# from then on: the END that is missing was before. The other two jobs run for 2 and 100 ms. Nobody reports a SUBMIT, so
# for the rest of the second it is known that the ring was idle, but not why.
past()
{
	cat <<-'END'
		# tracer: nop
		#
		# entries-in-buffer/entries-written: 7/900   #P:2
		#
		##### CPU 0 buffer started ####
		 sdma1-200   [000] ....    10.000000: amdgpu_sched_run_job: sched_job=1, timeline=sdma1, context=73, seqno=1, ring_name=sdma1, num_ibs=1
		##### CPU 1 buffer started ####
		 <idle>-0     [001] ....    10.100000: dma_fence_signaled: driver=drm_sched timeline=gfx context=12 seqno=1
		 sdma1-200   [000] ....    10.700000: amdgpu_sched_run_job: sched_job=2, timeline=sdma1, context=73, seqno=2, ring_name=sdma1, num_ibs=1
		 <idle>-0     [001] ....    10.702000: dma_fence_signaled: driver=drm_sched timeline=sdma1 context=73 seqno=2
		 sdma1-200   [000] ....    11.000000: amdgpu_sched_run_job: sched_job=3, timeline=sdma1, context=73, seqno=3, ring_name=sdma1, num_ibs=1
		 <idle>-0     [001] ....    11.100000: dma_fence_signaled: driver=drm_sched timeline=sdma1 context=73 seqno=3
	END
}
# Of sdma1: wall, known, busy, unknown, of that not known whether busy
time_of()
{
	"$grtrace" report -f json "$1" 2> err | jq -r '.time[] | select(.ring == "sdma1") |
		[.wall_ns, .known_ns, .busy_ns, .unknown_ns, .unsure_ns] | join(" ")'
}
past > past.txt
ok "a job whose END is missing was over when all events are there again" \
	[ "$(time_of past.txt)" = "1000000000 1000000000 102000000 898000000 0" ]
# An event is lost before the second job: the END may be that one.
sed 's/^ sdma1.*10.700000:/CPU:1 [LOST 1 EVENTS]\n&/' past.txt > past-lost.txt
ok "unless events are missing until the job behind it ended" sh -c "[ '$(time_of past-lost.txt | cut -d' ' -f2)' -lt 402000001 ]"
# The job ends behind the second one after all: it was not over.
{
	sed '/11.000000/,$d' past.txt
	echo ' <idle>-0     [001] ....    10.800000: dma_fence_signaled: driver=drm_sched timeline=sdma1 context=73 seqno=1'
	sed -n '/11.000000/,$p' past.txt
} > back.txt
ok "and unless it ends later"	sh -c "[ '$(time_of back.txt | cut -d' ' -f2)' -lt 1000000000 ]"
end
