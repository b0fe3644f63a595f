#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: small traces with known results, complete and with missing events
# Tests call these functions through ok(). $1 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

truth=$golden/truth

jobs() { "$grtrace" report --jobs -f csv "$truth/$1" 2> err; }
time_of() { "$grtrace" report --idle -f json "$truth/$1" 2> err | jq -r "$2"; }

# cell TRACE CTX:SEQNO COLUMN: one value of a job; "-" if it is empty
cell()
{
	jobs "$1" | awk -F, -v key="$2" -v name="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["ctx"] ":" $column["seqno"] == key { v = $column[name]; print v == "" ? "-" : v }'
}

is() { [ "$1" = "$2" ] || { echo "'$1', not '$2'" > out; return 1; }; }
is_or_unknown() { is "$1" "$2" || [ "$1" = - ]; }

has() { is "$(cell "$1" "$2" "$3")" "$4"; }
has_or_unknown() { is_or_unknown "$(cell "$1" "$2" "$3")" "$4"; }

# Each stage of each job is the same as in the other trace, or unknown.
agrees()	# trace, the whole one
{
	jobs "$2" > whole
	jobs "$1" > part
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
		FNR == 1 { next }
		NR == FNR { for (i = 6; i <= 21; i++) true_value[$4, $5, i] = $i; next }
		seen[$4, $5]++ { print $4 ":" $5 " has two rows"; bad = 1 }
		{ for (i = 8; i <= 21; i++)
			if ($i != "" && $i != true_value[$4, $5, i]) {
				print $4 ":" $5 " " name[i] " " $i ", not " true_value[$4, $5, i]
				bad = 1
			} }
		END { exit bad }' whole part > out
}

# Times of a ring or device: trace, scope, cause; 0 if it has none.
spent() { time_of "$1" "[.time[] | select(.scope == \"$2\" and (.ring == $3 or $3 == null)) | .$4_ns][0]"; }
idle_for() { time_of "$1" "[.idle[] | select(.ring == \"$2\" and .cause == \"$3\" and .by_comm == $4) | .idle_ns] | add // 0"; }

for trace in a-nodeps depghost fencenever; do
	ok "$trace: no cause is claimed for time with work queued" is \
		"$(spent $trace.grt ring '"gfx"' dependency) $(spent $trace.grt ring '"gfx"' scheduler)" "0 0"
	ok "$trace: nor for the device" is \
		"$(spent $trace.grt device null dependency) $(spent $trace.grt device null scheduler)" "0 0"
	ok "$trace: nor in a finding" sh -c "! '$grtrace' report '$truth/$trace.grt' | grep -q '^!'"
	ok "$trace: t_dep is not known"	has $trace.grt 1:1 t_dep_ns -
done
ok "depghost: the ring is unknown"	is "$(spent depghost.grt ring '"gfx"' unknown)" 5000000

jobs late-blocked.grt > a; jobs late-blocked-not.grt > b
ok "late-blocked: jobs as without it"	cmp a b
for trace in late-blocked late-blocked-not; do
	"$grtrace" report --idle -f csv "$truth/$trace.grt" > $trace.csv
done
ok "late-blocked: rings as without it"	cmp late-blocked.csv late-blocked-not.csv

for trace in loss-ring loss-nohw twice; do
	ok "$trace: as without the loss, or not known" agrees $trace.grt $trace-full.grt
done
ok "loss-ring: nobody blames the scheduler"	has_or_unknown loss-ring.grt 1:2 t_ring_ns 9000000
ok "loss-nohw: a refused job proves nothing"	has_or_unknown loss-nohw.grt 5:1 t_ring_ns 5000000
ok "twice: four jobs"				is "$(jobs twice.grt | tail -n +2 | wc -l)" 4
ok "twice: the first is whole"			has twice.grt 1:1 complete_ns 20000100

"$grtrace" report "$truth/loss-nohw-full.grt" > worst
ok "first-wrong: who was there"			is \
	"$("$grtrace" report -f json "$truth/first-wrong.grt" | jq -r '.worst[] | select(.ctx == 2) | "\(.wait_ctx):\(.wait_seqno)"')" 1:2
ok "5:1 is not behind a job that was over"	grep -q '5:1 .*(3:1 first)' worst

ok "dev-starved-cut: nobody knows of the device before both rings are known" is \
	"$(spent dev-starved-cut.grt device null starved)" 7000100
ok "dev-starved-cut: it is unknown then"	is "$(spent dev-starved-cut.grt device null unknown)" 17002000

for trace in hurry-dep-100 hurry-dep-500; do
	ok "$trace: all of it for bbb's job"	is "$(idle_for $trace.grt gfx dependency '"bbb"') $(idle_for $trace.grt gfx dependency null)" \
		"$(spent $trace.grt ring '"gfx"' dependency) 0"
done
ok "hurry-starved-1000: all of it until bbb came, nobody after it" is "$(idle_for hurry-starved-1000.grt gfx starved '"bbb"') $(idle_for hurry-starved-1000.grt gfx starved null)" \
	"11009000 100"

ok "sig-past-0: t_ring"				has sig-past-0.grt 1:1 t_ring_ns 0
ok "sig-past-4: a ring with room is not full"	has sig-past-4.grt 1:1 t_ring_ns 0
ok "sig-past-4: it is full once it is"		has_or_unknown sig-past-4.grt 2:1 t_ring_ns 5000000

ok "one-nocommit: ring and device agree"	is \
	"$(spent one-nocommit.grt ring '"gfx"' unknown)" "$(spent one-nocommit.grt device null unknown)"
ok "one-nocommit: so do the rows"		is "$(spent one-nocommit.grt ring '"gfx"' unknown)" \
	"$(idle_for one-nocommit.grt gfx unknown null)"

ok "overtake: START is not known"		has overtake.grt 1:1 t_exec_ns -
ok "overtake: of both"				has overtake.grt 2:1 t_exec_ns -
ok "overtake: it is said of the job"		has overtake.grt 1:1 flags out_of_order
ok "overtake: and of the ring"			sh -c "'$grtrace' report '$truth/overtake.grt' | grep -q 'overtook others on 1 ring'"
ok "overtake: not busy"				is "$(spent overtake.grt ring '"gfx"' busy)" 0
"$grtrace" report --jobs -f csv "$truth/two-gpus-6.1.txt" > two 2> err
ok "two-gpus: START is not known"		awk -F, 'NR > 1 && $19 != "" { bad = 1 } END { exit bad || NR < 4 }' two

ok "one-commitonly: the ring is not busy to the end" is "$(spent one-commitonly.grt ring '"gfx"' busy)" 2000000
ok "one-commitonly: a cut job is in no sum"	is "$(time_of one-commitonly.grt '[.idle[] | select(.cause == "hardware")] | length')" 0
"$grtrace" report --blame -f json "$truth/one-commitonly.grt" > blame
ok "one-commitonly: nor in blame"		is "$(jq '[.blame[].jobs] | add' blame)" 2

ok "outoforder: five jobs"			is "$(jobs outoforder.grt | tail -n +2 | wc -l)" 5
ok "outoforder: END after COMPLETE"		has outoforder.grt 1:2 flags out_of_order
ok "outoforder: START after END"		has outoforder.grt 1:5 flags out_of_order
ok "outoforder: when it began is not known"	has outoforder.grt 1:5 t_exec_ns -

ok "late-fence-behind-dep: the ring waits until the other fence is over" is \
	"$(spent late-fence-behind-dep.grt ring '"copy"' dependency) $(spent late-fence-behind-dep.grt ring '"copy"' scheduler)" \
	"208000 292000"
ok "late-fence-behind-dep-far: also where it was told long after" is \
	"$(spent late-fence-behind-dep-far.grt ring '"copy"' dependency) $(spent late-fence-behind-dep-far.grt ring '"copy"' scheduler)" \
	"480000 20000"
ok "late-fence-behind-dep: for whom"		is "$(idle_for late-fence-behind-dep.grt copy dependency '"a"')" 208000
ok "declared-signaled-late: over when its COMPLETE says" is \
	"$(cell declared-signaled-late.grt 7:1 t_dep_ns) $(cell declared-signaled-late.grt 7:1 t_sched_ns)" "100000000 201011436"
ok "declared-signaled-late: so is the ring"	is "$(spent declared-signaled-late.grt ring '"copy"' dependency)" 100000000
ok "declared-signaled-late-real: the submitter lost its CPU for 28 ms" has declared-signaled-late-real.grt 567:1 t_dep_ns 248698317
for trace in dep-declared-at-submit dep-declared-late-signaled dep-popped-late-signaled; do
	ok "$trace: one dependency, told in three ways" is \
		"$(cell $trace.grt 7:1 t_dep_ns) $(cell $trace.grt 7:1 t_sched_ns)" "200000 300000"
done
ok "commits-of-one-context-at-one-time: nothing is in front of its first job" is \
	"$(cell commits-of-one-context-at-one-time.grt 5:1 t_order_ns) $(cell commits-of-one-context-at-one-time.grt 5:1 t_sched_ns)" \
	"0 400000"
ok "commits-of-one-context-at-one-time: the second is behind it" has commits-of-one-context-at-one-time.grt 5:2 t_order_ns 200000

"$grtrace" report --blame -f json "$truth/span.grt" > blame
ok "span: sums do not wrap"			is "$(jq -r '[.blame[].waited_ns] | max' blame)" 18446744073709552000
ok "span: and text says so"			sh -c "'$grtrace' report --blame '$truth/span.grt' | grep -q 'over 584 years'"
end
