#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: i915's interrupts tell by when requests were over: an upper bound that is better than their retire
# Tests call these functions through ok().
# shellcheck disable=SC2317,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# Lines as Linux 4.19 prints them: drivers/gpu/drm/i915/i915_trace.h.
line()		# TIME, EVENT, the fields between the engine and the global seqno, what comes behind
{
	printf ' Xorg-934   [001] .....   100.%s: %s: dev=0, engine=0:0, %s\n' "$1" "$2" "$3"
}
add()		{ line "$1" i915_request_add "hw_id=3, ctx=$2, seqno=$3, global=0"; }
execute()	{ line "$1" i915_request_execute "hw_id=3, ctx=$2, seqno=$3, global=$4"; }
come()		{ line "$1" i915_request_in "hw_id=3, ctx=$2, seqno=$3, prio=0, global=$4, port=0"; }
out()		{ line "$1" i915_request_out "hw_id=3, ctx=$2, seqno=$3, global=$4, completed?=$5"; }
retire()	{ line "$1" i915_request_retire "hw_id=3, ctx=$2, seqno=$3, global=$4"; }
notify()	{ line "$1" intel_engine_notify "seqno=$2, waiters=1"; }
signaled()	{ printf ' Xorg-934   [001] .....   100.%s: dma_fence_signaled: driver=i915 timeline=Xorg context=%s seqno=%s\n' "$@"; }

# is WANTED FILE: "ctx:seqno START END COMPLETE flags;" of each job; times in us after 100 s
is()
{
	"$grtrace" report --jobs --all-time -f csv "$2" 2> err | awk -F, '
		function us(ns) { return ns == "" ? "-" : (ns - 100e9) / 1000 }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ printf "%s:%s %s %s %s %s;", $at["ctx"], $at["seqno"], us($at["start_ns"]), us($at["end_ns"]),
			 us($at["complete_ns"]), $at["flags"] }' > out
	[ "$(cat out)" = "$1" ]
}

# As most kernels are built: nothing between the SUBMIT and the retire, which is long after.  The retire tells the global
# seqno.  So 20:10 was over at 1.000 ms, and 20:11 and 20:12 at 3.000 ms, and 20:13 when it was retired.
{
	add 000010 20 10; add 000050 20 11; notify 001000 500; add 001100 20 12
	notify 003000 502; add 003100 20 13
	retire 600000 20 10 500; retire 600001 20 11 501; retire 600002 20 12 502; retire 600003 20 13 503
} > plain
late='20:10 - - 1000 partial|upper_bound;20:11 - - 3000 partial|upper_bound;20:12 - - 3000 partial|upper_bound;20:13 - - 600003 partial|upper_bound;'
ok "requests that have a retire only"	is "$late" plain
sed 's/engine=0:0, hw_id=3,/hw_id=3, ring=0,/; s/engine=0:0, seq/ring=0, seq/' plain > ring
ok "the ring in front, as in 4.17"	is "$late" ring
sed 's/engine=0:0, hw_id=3,/ring=0,/; s/engine=0:0, seq/ring=0, seq/; s/i915_request/i915_gem_request/' plain > gem
ok "no hw_id, as in 4.13"		is "$late" gem
sed '/retire/d' plain > untold
ok "global seqnos that are not known"	is '20:10 - - - cut;20:11 - - - cut;20:12 - - - cut;20:13 - - - cut;' untold

# The fences are signalled when the requests are retired, or by the interrupt.
{ cat plain; signaled 600000 20 10; signaled 600001 20 11; signaled 600002 20 12; signaled 600003 20 13; } > fences
ok "and fences that are late, too"	is "$late" fences
{ signaled 000900 20 10; sed "/signaled.*seqno=10$/d" fences; } | sort -k3,3 -s > soon
ok "a fence that comes first"		is "20:10 - - 900 ${late#20:10 - - 1000 }" soon

# Another engine, another device, and numbers that are far off.
for other in 'engine=1:0' 'dev=1'; do
	sed "/notify/s/${other%%=*}=[0-9:]*/$other/" plain > other
	ok "interrupts of $other"	is '20:10 - - 600000 partial|upper_bound;20:11 - - 600001 partial|upper_bound;20:12 - - 600002 partial|upper_bound;20:13 - - 600003 partial|upper_bound;' other
done
for number in 0 499 2147484151 4294967295; do
	sed "/notify/s/seqno=[0-9]*/seqno=$number/" plain > other
	ok "interrupts that say $number"	is '20:10 - - 600000 partial|upper_bound;20:11 - - 600001 partial|upper_bound;20:12 - - 600002 partial|upper_bound;20:13 - - 600003 partial|upper_bound;' other
done
# A number may be too great.  Requests that are added after the interrupt are not over at it.
sed '/notify/s/seqno=[0-9]*/seqno=2147484000/' plain > other
ok "a number that is too great"		is '20:10 - - 1000 partial|upper_bound;20:11 - - 1000 partial|upper_bound;20:12 - - 3000 partial|upper_bound;20:13 - - 600003 partial|upper_bound;' other
sed 's/global=500/global=4294967294/; s/seqno=500/seqno=4294967294/
	s/global=501/global=1/; s/global=502/global=2/; s/global=503/global=3/; s/seqno=502/seqno=2/' plain > wrap
ok "numbers begin anew"			is "$late" wrap

# With low-level events: 20:10 and 20:11 are one for the hardware, which reports the end of 20:11.  20:10 was over before, at
# 1.500 ms.  The END of 20:11, and that of 21:5, are exact.
{
	add 000010 20 10; execute 000030 20 10 500; come 000035 20 10 500
	add 000050 20 11; execute 000070 20 11 501; come 000080 20 11 501
	notify 001500 500; notify 002079 501; out 002080 20 11 501 1
	add 003000 21 5; execute 003010 21 5 502; come 003020 21 5 502; notify 004000 502; out 004010 21 5 502 1
} > low
exact='20:11 - 2080 2080 inferred_complete;21:5 3020 4010 4010 inferred_complete;'
ok "of requests that end together"	is "20:10 35 1500 1500 upper_bound|inferred_end|inferred_complete;$exact" low
sed '/notify/d' low > plain-low
bounds() { "$grtrace" report --jobs low > out 2> err && grep -q "^20:10 .* <=1.5 ms  *<=1.5 ms " out && ! grep "^2[01]:[15]1* " out | grep -q "<="; }
ok "text marks its times, and no others"	bounds
ok "else the later one tells"		is "20:10 35 2080 2080 upper_bound|inferred_end|inferred_complete;$exact" plain-low
sed '/_out/d' low > no-out
ok "no END at all"			is '20:10 35 - 1500 partial|upper_bound;20:11 - - 2079 partial|upper_bound;21:5 3020 - 4000 partial|upper_bound;' no-out
# Nobody waited for requests that took 1 ms each, and the interrupt came 400 ms after the first: the engine was not seen.
{ for i in 1 2 3 4 5; do add ${i}00000 20 1$i; execute ${i}00000 20 1$i 50$i; done; notify 500900 505; } > rare
ring() { run 0 "$grtrace" report --idle -f csv rare && grep -q "^ring,card0,rcs0,UNKNOWN,400900000,0,,0,0,0,0,0,0,400900000,400900000,5,0$" out; }
ok "an interrupt tells no time of a ring"	ring

# A request that is preempted gives its global seqno back, and the one that runs instead gets it.
{
	add 000010 20 10; execute 000030 20 10 500; come 000035 20 10 500
	add 000050 21 5; out 000060 20 10 500 0; execute 000070 21 5 500; come 000080 21 5 500
	notify 001000 500; out 001010 21 5 500 1
	execute 001020 20 10 501; come 001030 20 10 501; add 001040 20 11; execute 001050 20 11 502; come 001060 20 11 502
	notify 002000 501; out 003000 20 11 502 1
} > preempted
ok "not at the END of the one instead"	is '21:5 80 1010 1010 inferred_complete;20:10 35 2000 2000 repeated|upper_bound|preempted|inferred_end|inferred_complete;20:11 - 3000 3000 inferred_complete;' preempted
ok "its trace is whole"			sh -c "'$grtrace' import -o p.grt preempted 2> err && '$grtrace' verify p.grt > out"

# The trace ends before requests that were preempted come again: their numbers are others' now.  20:11 is told to be
# preempted, 20:10 only by the numbers of what runs instead.
{
	add 000010 20 10; execute 000030 20 10 500; come 000035 20 10 500
	add 000040 20 11; execute 000041 20 11 501; come 000042 20 11 501
	add 000050 21 5; out 000060 20 11 501 0; execute 000070 21 5 500; come 000080 21 5 500
	notify 001000 500; out 001010 21 5 500 1; add 001020 21 6; execute 001030 21 6 501; come 001040 21 6 501
	notify 002000 501; out 002010 21 6 501 1
} > gone
ok "preempted, and not back"		is '21:5 80 1010 1010 inferred_complete;21:6 1040 2010 2010 inferred_complete;20:10 35 - - cut;20:11 - - - cut;' gone
sed '/_out/d' gone > gone-low
ok "and no END at all"			is '21:5 80 - 1000 partial|upper_bound;21:6 1040 - 2000 partial|upper_bound;20:10 35 - - cut;20:11 - - - cut;' gone-low
# The events that tell who got the numbers are lost.
sed "/100.000070/s/.*/CPU:1 [LOST 2 EVENTS]/; /100.000080/d" gone > gone-lost
ok "nor where it is lost who got its number"	is '21:5 - 1010 1010 lossy|inferred_complete;21:6 1040 2010 2010 inferred_complete;20:10 35 - - cut|lossy;20:11 - - - cut|lossy;' gone-lost
# 20:10 had number 500 while somebody waited for it, and then another one got that.
{
	add 000010 20 10; line 000030 i915_request_wait_begin "hw_id=3, ctx=20, seqno=10, global=500, blocking=1, flags=0x1"
	add 000050 21 5; notify 001000 500; retire 001500 21 5 500; add 002000 22 1
} > gone-wait
ok "a number that only a wait told"	is '21:5 - - 1000 partial|upper_bound;20:10 - - - cut;22:1 - - - cut;' gone-wait

end
