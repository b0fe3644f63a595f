#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a job that ran 100 times longer than others of its client is a finding, and ordinary jobs are none
# Tests call these functions through ok(). $1 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# Four first jobs, which do not count, and JOBS of 3 ms each, one after the other on amdgpu's ring; every EVERY-th from 30 on, at most MOST of them, runs LONG ms.
game()	# JOBS LONG [EVERY MOST]
{
	awk -v jobs="$1" -v long="$2" -v every="${3-1}" -v most="${4-1}" '
	function event(task, at, text) { printf "%16s [000] .... %.6f: %s\n", task, at, text }
	function job(name, nr) {
		return sprintf("%s: sched_job=%d, timeline=gfx, context=12, seqno=%d, ring_name=gfx, num_ibs=1", name, nr, nr)
	}
	BEGIN {
		for (i = -3; i <= jobs; i++) {
			is_long = i >= 30 && (i - 30) % every == 0 && found++ < most
			event("game-700", at += 0.010, job("amdgpu_cs_ioctl", i + 4))
			event("gfx-300", at += 0.001, job("amdgpu_sched_run_job", i + 4))
			event("<idle>-0", at += is_long ? long / 1000 : 0.003,
				"dma_fence_signaled: driver=drm_sched timeline=gfx context=12 seqno=" i + 4)
		}
	}'
}

# what, ctx, seqno, jobs, ns, median of the first finding about a long job
long_of() { "$grtrace" report -f json "$1" 2> err | jq -r '.findings[] | select(.what == "long" or .what == "late_interrupt") |
	[.what, .ctx, .seqno, .jobs, .ns, .by_comm] | join(" ")'; }
median_of() { "$grtrace" report -f json "$1" 2> err | jq -r '.findings[] | select(.ctx) | .by_exec_ns'; }
is() { [ "$1" = "$2" ] || { echo "'$1', not '$2'" > out; return 1; }; }
is_near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a >= b * 0.996 && a <= b * 1.004) }' || { echo "'$1', not near '$2'" > out; return 1; }; }
screen() { "$grtrace" report "$1" 2> err | tr -s '\n ' ' ' > out; echo >> out; }
screen_says() { screen "$1" && grep -qF -e "$2" out; }

game 60 504 > late
ok "504 ms among 3 ms"		is "$(long_of late)" "late_interrupt 12 34 60 504000000 game"
ok "the median"			is_near "$(median_of late)" 3000000
ok "the first screen says it"	screen_says late "12:34 of game[700] on gfx ran 504.0 ms; the median of the 60 jobs of its client there is 3.0 ms."
ok "and what it infers from that"	grep -q 'Inferred from that time: the interrupt came late or was lost' out
ok "with a command"		grep -q 'grtrace report --why 12:34 late' out

game 60 700 > slow
ok "700 ms is no time of the driver's timer"	is "$(long_of slow)" "long 12 34 60 700000000 game"
ok "and no cause is named"	sh -c "! '$grtrace' report slow 2> err | grep -q interrupt"
for ms in 490 540; do
	game 60 $ms > edge
	ok "$ms ms is"		is "$(long_of edge | cut -d ' ' -f 1)" late_interrupt
done
for ms in 489 541; do
	game 60 $ms > edge
	ok "$ms ms is not"	is "$(long_of edge | cut -d ' ' -f 1)" long
done
sed 's/amdgpu_cs_ioctl: sched_job=[0-9]*, timeline=gfx, context=\([0-9]*\), seqno=\([0-9]*\).*/drm_sched_job_queue: dev=0000:0b:00.0, fence=\1:\2, ring=gfx, job count:0, hw job count:0, client_id:5/
	s/amdgpu_sched_run_job: sched_job=[0-9]*, timeline=gfx, context=\([0-9]*\), seqno=\([0-9]*\).*/drm_sched_job_run: dev=0000:0b:00.0, fence=\1:\2, ring=gfx, job count:0, hw job count:0, client_id:5/' late > other
ok "of another driver, or one that is not known, no cause is named"	is "$(long_of other | cut -d ' ' -f 1)" long

game 49 504 > few
ok "49 jobs are too few"	is "$(long_of few)" ""
game 50 504 > enough
ok "50 are enough"		is "$(long_of enough)" "late_interrupt 12 34 50 504000000 game"
game 60 299 > shorter
ok "99 times the median is not enough"	is "$(long_of shorter)" ""
game 200 504 10 99 > often
ok "every tenth job is long: that is how its client is"	is "$(long_of often)" ""
game 200 504 100 2 > twice
ok "two of 200"			is "$(long_of twice | cut -d ' ' -f 1-4)" "late_interrupt 12 34 200"
end
