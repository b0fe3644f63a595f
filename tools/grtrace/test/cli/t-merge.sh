#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace merge: the contents of several traces, once each, with comparable times
# Tests call these functions through ok(). $2 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# Two sessions of one boot, one of the next boot, one of another machine at the same time
# as the first.
"$gen" boot heron 1700000000 100 a.grt && "$gen" boot heron 1700000000 200 b.grt &&
	"$gen" boot heron 1700001000 10 c.grt && "$gen" boot ibis 1699999000 1100.002 d.grt || exit 1
"$gen" example 0 > events0 && "$gen" example 1 > events1 && "$gen" grt 3 9000 big.grt || exit 1
cat events0 events1 > joined

says() { grep -qE -e "$1" out; }
number() { "$grtrace" report -f json "$2" 2> /dev/null | sed -E "s/.*\"$1\":([0-9]+).*/\1/" | head -1; }

# The merged trace has the sums of the single traces.
sums_up()	# merged file, then the others
{
	merged=$1
	shift
	for what in events jobs buffer_full filtered_type missing; do
		sum=0
		for file in "$@"; do
			sum=$((sum + $(number "$what" "$file")))
		done
		[ "$(number "$what" "$merged")" = "$sum" ] || {
			echo "$what: $(number "$what" "$merged"), not $sum" >> err
			return 1
		}
	done
}

merges()	# the files
{
	run 0 "$grtrace" merge "$@" || return 1
	"$grtrace" verify merged.grt > verdict || { cp verdict out; return 1; }
	sums_up merged.grt "$@"
}

# Stages do not depend on the time of the job: the merged trace has those of every job.
same_stages()
{
	for file in "$@"; do
		"$grtrace" report --jobs -f csv "$file" 2> err
	done | awk -F, '$1 != "device"' | cut -d, -f2,3,14-25 | sort > a
	"$grtrace" report --jobs -f csv merged.grt 2> err |
		awk -F, '$1 != "device"' | cut -d, -f2,3,14-25 | sort > b
	[ -s a ] && cmp a b
}

# Type, CPU and time of every event.
same_times()
{
	for file in "$@"; do
		"$grtrace" dump -f csv "$file" 2> err
	done | grep -v -e '^type' -e '^LOSS' | cut -d, -f1,2,4 | sort > a
	"$grtrace" dump -f csv merged.grt | grep -v -e '^type' -e '^LOSS' | cut -d, -f1,2,4 | sort > b
	[ -s a ] && cmp a b
}

ok "two sessions of a boot"		merges a.grt b.grt
ok "are told of one by one"		says "^2  b.grt: 4,800 events of host heron, boot 1$"
ok "and in all"				says "^merged.grt: 9,600 events of 1 boot$"
ok "their times are as they were"	same_times a.grt b.grt
ok "their rings are the same ones"	sh -c "'$grtrace' report merged.grt | grep -q '1 GPU, 8 rings, 2,400 jobs, 4 processes'"
ok "the time between them is unknown"	sh -c "'$grtrace' report -f csv --per-ring merged.grt > out 2>&1; '$grtrace' report merged.grt | grep -q '^ ring1  *9.6 ms '"
ok "as one LOSS of nobody knows how many" [ "$("$grtrace" dump merged.grt | grep -c 'LOSS.*DISABLED.*count=0')" -eq 1 ]
# Two recordings of one running session: each ends with accounts.
"$gen" grt 3 9000 one.grt 0 && "$gen" grt 3 9000 more.grt 3200 || exit 1
ok "two recordings of a session"	run 0 "$grtrace" merge one.grt more.grt
ok "all of both"			says "^merged.grt: 19,200 events of 1 boot$"
ok "the time between them is unknown, too" sh -c "'$grtrace' dump merged.grt | grep -q 'LOSS .*WRITTEN count=0 from_ns=1006[0-9]* to_ns=4200000000'"
ok "their losses at the end are counted"	sh -c "'$grtrace' verify merged.grt | grep -q '^ok  *end ' && ! '$grtrace' report merged.grt | grep -q 'not counted'"
ok "the other way round"		merges b.grt a.grt
ok "two boots"				merges a.grt c.grt
ok "are aligned by the time of day"	says "^2  c.grt: .*boot 2, times \+1000.000 s by CLOCK_REALTIME$"
ok "their jobs do not collide"		same_stages a.grt c.grt
ok "nor do their rings"			sh -c "'$grtrace' report merged.grt | grep -q '1 GPU, 16 rings, 2,400 jobs, 8 processes'"
ok "by a scheme"			sh -c "'$grtrace' dump merged.grt | grep -q 'SUBMIT  *ctx=281474976710657 seqno=1 ring=9(ring1) tgid=10000100(worker) tid=10000101'"
ok "two machines"			merges a.grt d.grt
ok "have both their devices"		sh -c "'$grtrace' report merged.grt | grep -q 'ibis:0000:0b:00.0'"
ok "and their own CPUs"			sh -c "'$grtrace' dump -f json merged.grt | grep -q '\"cpu\":1025'"
ok "at the same time"			sh -c "'$grtrace' dump -f csv merged.grt > m && awk -F, 'NR > 1' m | sort -s -c -t, -n -k4,4"
ok "four of them"			merges a.grt b.grt c.grt d.grt
ok "report says what it is"		sh -c "'$grtrace' report merged.grt | grep -q '^merged from a.grt b.grt c.grt d.grt$'"
ok "so does JSON"			sh -c "'$grtrace' report -f json merged.grt | grep -q '\"merge\":\"a.grt b.grt c.grt d.grt\"'"
ok "METADATA of all is kept"		sh -c "'$grtrace' dump -d merged.grt | grep METADATA | grep -q '3:kernel=6.1.0-test'"
cp merged.grt four.grt
ok "a merged one and another"		run 0 "$grtrace" merge -o five.grt four.grt big.grt --offset 2:1h
ok "are one more boot"			says "^five.grt: 28,800 events of 4 boots$"
ok "and their sums"			sums_up five.grt four.grt big.grt
ok "by hand"				run 0 "$grtrace" merge --offset 2:-1.5ms a.grt d.grt
ok "on top of the clock"		says "times -1000.00[12] s by CLOCK_REALTIME and --offset$"
ok "streams of one session"		merges events0 events1
ok "with the same events"		sh -c "'$grtrace' report --jobs -f csv joined 2> err > a; '$grtrace' report --jobs -f csv merged.grt 2> err | cmp - a"
"$grtrace" slice --until 2ms -o one.grt big.grt > out && "$grtrace" slice --since 2ms -o two.grt big.grt > out || exit 1
ok "slices one after the other"		run 0 "$grtrace" merge one.grt two.grt
ok "are the whole"			sums_up merged.grt big.grt

# Two kernels: one reports dependencies at SUBMIT, the other when the scheduler looks at them. The
# values of a job are those of its own trace.
keeps_numbers()
{
	for seed in $(seq 20); do
		"$gen" sim 2 "$seed" 1700000000 > one && "$gen" sim 3 "$seed" 1700000100 > two || return 1
		"$grtrace" merge --offset 2:-100s one two > out 2>&1 || return 1
		for file in one two; do
			"$grtrace" report --jobs -f csv "$file" 2> err
		done | awk -F, '$1 != "device"' | cut -d, -f2,3,13-25 | sort > a
		"$grtrace" report --jobs -f csv merged.grt 2> err |
			awk -F, '$1 != "device"' | cut -d, -f2,3,13-25 | sort > b
		[ -s a ] || return 1
		diff a b > out || { echo "seed $seed" >> out; return 1; }
	done
}
ok "numbers stay those of their source"	keeps_numbers
ok "what each boot tells is kept"	sh -c "'$grtrace' dump -d merged.grt | grep -q 'merge_features=[0-9a-f]*,[0-9a-f]*.n'"
"$grtrace" merge -o again.grt --offset 2:-100s merged.grt two > out 2> err
ok "so it is of three"			sh -c "'$grtrace' dump -d again.grt | grep -q 'merge_boots=3.nmerge_features=[0-9a-f]*,[0-9a-f]*,[0-9a-f]*.n'"

# Machines of one name that were booted 3 s after each other, with different kernels.
"$gen" sim 2 1 1700000000 > one
"$gen" sim 3 1 1700000003 | LC_ALL=C sed 's/kernel=6.1.0-test/kernel=7.3.0-test/' > two
ok "another kernel is another boot"	run 0 "$grtrace" merge one two
ok "and is called one"			says "^merged.grt: .* events of 2 boots$"

rm -f merged.grt
ok "the same twice"			complains 4 "hold the same time of the same CPUs" "once" "$grtrace" merge a.grt b.grt a.grt
cp a.grt copy.grt
ok "a copy"				complains 4 "'a.grt' and 'copy.grt'" "once" "$grtrace" merge a.grt copy.grt
"$grtrace" slice --since 1ms --until 3ms -o part.grt a.grt > out
ok "a part of it"			complains 4 "the same time" "once" "$grtrace" merge part.grt a.grt
ok "one alone"				complains 2 "at least two" "merge -h" "$grtrace" merge a.grt
ok "no such number"			complains 2 "no trace number 3" "merge -h" "$grtrace" merge --offset 3:1s a.grt b.grt
ok "no offset"				complains 2 "'1s' is no offset" "merge -h" "$grtrace" merge --offset 1s a.grt b.grt
ok "no such file"			complains 3 "'none'" "record" "$grtrace" merge a.grt none
ok "no trace"				complains 4 "no trace" "events0" "$grtrace" merge a.grt "$tools/test/cli/t-merge.sh"
ok "the input is not overwritten"	complains 3 "'b.grt' is what is read" "-o" "$grtrace" merge -o b.grt a.grt b.grt
ok "none of these made a file"		[ ! -e merged.grt ]
ok "no room"				sh -c "ulimit -f 100; ! '$grtrace' merge a.grt b.grt > out 2> err && [ \$(grep -c '^grtrace:' err) = 1 ]"
ok "and no half of a file"		[ "$(find . -name '*.part-*' -o -name merged.grt | wc -l)" -eq 0 ]
end
