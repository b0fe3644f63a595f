#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a job of which no source tells the SUBMIT is not cut, and leaves the time of its ring known
# Tests call these functions through ok(). $1 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# Context 12 is of a game on gfx: its job 1 was submitted before the trace, jobs 2 and 3 are in it.  Context 73 is of the
# kernel on sdma1: its jobs run from 10.100 s for 1 ms, and from 10.500 s for 2 ms.  The trace ends at 11 s.
trace()
{
	{
		printf '%s\n' \
			'10.000000: amdgpu_sched_run_job: sched_job=1, timeline=gfx, context=12, seqno=1, ring_name=gfx, num_ibs=1' \
			'10.002000: dma_fence_signaled: driver=drm_sched timeline=gfx context=12 seqno=1' \
			'10.010000: amdgpu_cs_ioctl: sched_job=2, timeline=gfx, context=12, seqno=2, ring_name=gfx, num_ibs=1' \
			'10.011000: amdgpu_sched_run_job: sched_job=2, timeline=gfx, context=12, seqno=2, ring_name=gfx, num_ibs=1' \
			'10.012000: dma_fence_signaled: driver=drm_sched timeline=gfx context=12 seqno=2' \
			'10.100000: amdgpu_sched_run_job: sched_job=7, timeline=sdma1, context=73, seqno=4, ring_name=sdma1, num_ibs=1' \
			'10.101000: dma_fence_signaled: driver=drm_sched timeline=sdma1 context=73 seqno=4' \
			'10.500000: amdgpu_sched_run_job: sched_job=8, timeline=sdma1, context=73, seqno=5, ring_name=sdma1, num_ibs=1' \
			'10.502000: dma_fence_signaled: driver=drm_sched timeline=sdma1 context=73 seqno=5' \
			'10.998000: amdgpu_cs_ioctl: sched_job=3, timeline=gfx, context=12, seqno=3, ring_name=gfx, num_ibs=1' \
			'10.999000: amdgpu_sched_run_job: sched_job=3, timeline=gfx, context=12, seqno=3, ring_name=gfx, num_ibs=1' \
			'11.000000: dma_fence_signaled: driver=drm_sched timeline=gfx context=12 seqno=3'
	} | sed 's/^/ game-700 [000] .... /'
}

flags() { "$grtrace" report --jobs -f csv "$1" 2> err | awk -F, -v ctx="$2" 'NR > 1 && $4 == ctx { print $5, $25 }'; }
# Times of sdma1 in ns: wall, known, busy, without work, unknown, of that not known whether busy
use()
{
	"$grtrace" report -f json "$1" 2> err | jq -r '.time[] | select(.ring == "sdma1") |
		[.wall_ns, .known_ns, .busy_ns, .starved_ns, .unknown_ns, .unsure_ns] | join(" ")'
}
is() { [ "$1" = "$2" ] || { echo "'$1', not '$2'" > out; return 1; }; }
screen_says() { "$grtrace" report "$1" 2> err > out && grep -q -e "$2" out; }

trace > kernel
ok "jobs of the kernel: what they are"	is "$(flags kernel 73 | tr '\n' ,)" \
	"4 inferred_start|inferred_end|no_submit,5 inferred_start|inferred_end|no_submit,"
ok "a job of another context is cut"	is "$(flags kernel 12 | head -n 1)" "1 cut|inferred_start|inferred_end"
ok "the screen says both"		screen_says kernel '^2 jobs have no SUBMIT: of the kernel,'
ok "and counts only the other one as cut"	grep -q ' 1 job cut by' out
# Before the first event of the ring: 100 ms.  Then nothing ran for 399 ms, but the second job may have been there.
ok "that the ring was idle is known, not why"	is "$(use kernel)" "1000000000 900000000 3000000 498000000 499000000 0"

trace | grep -v amdgpu_cs_ioctl > none
ok "a trace without any SUBMIT: no job is cut"	is "$(flags none 12 | grep -c cut)" 0
ok "which the screen says"		screen_says none '^5 jobs have no SUBMIT: this trace has none'

# A line says that events were lost before the second job of the kernel.
trace | sed 's/^.*10.500000:/CPU:0 [LOST 3 EVENTS]\n&/' > lossy
ok "where events are missing, a SUBMIT may be, too"	is "$(flags lossy 73 | tail -n 1)" "5 lossy|inferred_end|no_submit"
end
