#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace slice: the events of a slice are those of the whole trace for this time, with losses
# Tests call these functions through ok(). $2 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

"$gen" example 0 > events0 && "$gen" example 1 > events1 || exit 1
"$gen" grt 3 9000 trace.grt && "$gen" scene lossy > lossy && "$gen" scene foreign > foreign &&
	"$gen" scene chain > chain || exit 1
cat events0 events1 > joined

says() { grep -qE -e "$1" out; }
leftover() { [ "$(find . -name '*.part-*' | wc -l)" -eq 0 ]; }

# The members of all events, but neither their numbers nor the names that their job had from an
# earlier one.  A slice has all losses, also those outside.
events() { "$grtrace" dump -f csv "$@" 2> err | grep -v '^LOSS,' | cut -d , -f 1-5,7-60; }

same_time()	# file, then --since and --until
{
	file=$1
	shift
	"$grtrace" slice -o s.grt "$@" "$file" > out 2> err && "$grtrace" verify s.grt > out &&
	events "$@" "$file" > a && events s.grt > b && [ -s a ] && cmp a b
}

# Random schedules of each class: lossless, cut, lossy, sampled.
same_sims()
{
	class=0
	while [ "$class" -lt 13 ]; do
		for seed in 1 2 3; do
			has_turn || continue
			"$gen" sim "$class" "$seed" > sim || return 1
			span=$("$grtrace" report -f json sim 2> err |
				sed 's/.*"wall_ns":\([0-9]*\),.*/\1/')
			same_time sim --since $((span / 4))ns --until $((span * 3 / 4))ns &&
				same_time sim --until $((span / 2))ns &&
				same_time sim --since $((span / 2))ns && continue
			echo "class $class, seed $seed" >> err
			return 1
		done
		class=$((class + 1))
	done
}

ok "a span"			run 0 "$grtrace" slice --since 2ms --until 4ms trace.grt
ok "what it holds"		says "^slice.grt: 3,000 of 9,600 events of trace.grt$"
ok "it keeps all rules"		run 0 "$grtrace" verify slice.grt
ok "report says that it is a slice" sh -c "'$grtrace' report slice.grt | grep -q '^a slice of trace.grt --since 2ms --until 4ms$'"
ok "so does JSON"		sh -c "'$grtrace' report -f json slice.grt | grep -q '\"slice\":\"trace.grt --since 2ms --until 4ms\"'"
ok "a slice of it"		run 0 "$grtrace" slice --since 1ms -o two.grt slice.grt
ok "tells of both"		sh -c "'$grtrace' report two.grt | sed -n 2,3p | tr '\n' ' ' | grep -q '^a slice of slice.grt --since 1ms a slice of trace.grt --since 2ms'"
ok "the events of a .grt"	same_time trace.grt --since 1.5ms --until 3ms
ok "of raw streams with losses"	same_time joined --since 12us --until 21us
ok "of a scene with losses"	same_time lossy --since 2ms --until 5.5ms
ok "of losses outside it, too"	same_time lossy --since 5ms
ok "of simulated schedules"	same_sims
# If the last record of each CPU is an account, losses up to it are known.
"$gen" grt 3 9000 open.grt 0 || exit 1
is_counted()	# file
{
	run 0 "$grtrace" verify "$1" && grep -q "^ok  *end " out &&
	run 0 "$grtrace" report "$1" && says "^0 events lost" && ! says "not counted"
}
ok "of a session that went on"	same_time open.grt --until 3ms
ok "what it lost is known"	is_counted s.grt
ok "up to its end"		same_time open.grt --since 3ms
ok "nothing is left open"	is_counted s.grt
ok "of one of its rings"	sh -c "'$grtrace' slice -r ring3 -o s.grt open.grt > out"
ok "it is known, too"		is_counted s.grt
head -c 200000 open.grt > cut.grt
"$grtrace" slice --until 1ms -o s.grt cut.grt > out 2>&1
ok "of one that was cut it is not" sh -c "! '$grtrace' verify s.grt | grep -q '^ok  *end '"
ok "rings from a pipe"	sh -c "cat trace.grt | '$grtrace' slice -r ring3 - -o piped.grt > out && '$grtrace' slice -r ring3 trace.grt -o file.grt > out && '$grtrace' dump -f csv piped.grt > a && '$grtrace' dump -f csv file.grt | cmp - a"
ok "from a pipe"		sh -c "cat joined | '$grtrace' slice --until 10us - -o piped.grt > out && '$grtrace' slice --until 10us joined -o file.grt > out && '$grtrace' dump -f csv piped.grt > a && '$grtrace' dump -f csv file.grt | cmp - a"

# All events of the ring are there and unchanged, except for their numbers.
whole_ring()	# file, ring
{
	"$grtrace" slice --ring "$2" "$1" > out 2> err && "$grtrace" verify slice.grt > out &&
	"$grtrace" report --jobs -f csv "$1" 2> err | awk -F, -v r="$2" 'NR == 1 || $2 == r' > a &&
	"$grtrace" report --jobs -f csv slice.grt 2> err > b && [ "$(wc -l < b)" -gt 1 ] && cmp a b
}
# COMPLETE of the other ring: time, context, number and status.
becomes_foreign()
{
	"$grtrace" slice --ring gfx chain > out &&
	"$grtrace" dump -f json chain | sed -n 's/.*"type":"COMPLETE".*"ts":\([0-9]*\).*"ctx":2,"seqno":1,.*"status":\([-0-9]*\).*/\1 \2/p' > a &&
	"$grtrace" dump -f json slice.grt | sed -n 's/.*"type":"FENCE_SIGNALED".*"ts":\([0-9]*\).*"ctx":2,"seqno":1,.*"status":\([-0-9]*\).*/\1 \2/p' > b &&
	[ -s a ] && cmp a b && "$grtrace" dump slice.grt > out &&
	! grep -q 'COMPLETE .* ctx=2' out && [ "$(grep -c 'DEPENDENCY .*dep_ctx=2 .*FOREIGN' out)" -eq 2 ]
}

ok "a ring"			whole_ring trace.grt ring3
ok "a ring that waits for others" whole_ring chain gfx
ok "with foreign fences"	whole_ring foreign gfx
ok "with losses"		whole_ring lossy gfx
ok "what goes is a foreign fence" becomes_foreign
ok "two rings, by name and number" run 0 "$grtrace" slice -r ring3,5 trace.grt
ok "have their jobs"		says "^slice.grt: 2,400 of 9,600 events"
ok "a ring for a while"		run 0 "$grtrace" slice -r ring3 --until 3ms trace.grt
ok "has less"			says "^slice.grt: 5[0-9]* of 9,600 events|^slice.grt: 6[0-9]* of 9,600 events"
ok "marks are of every ring"	sh -c "'$grtrace' slice -r gfx joined > out && [ \$('$grtrace' dump slice.grt | grep -c MARK) = 2 ]"
ok "a process"			run 0 "$grtrace" slice -p 101 trace.grt
ok "its rings"			says "^slice.grt: 2,400 of 9,600 events"
ok "it is shown first"		sh -c "'$grtrace' report slice.grt | grep -q '^only process 101'"

cp trace.grt before
ok "the input is not overwritten" complains 3 "'trace.grt' is what is read" "-o" "$grtrace" slice --since 1ms -o trace.grt
ok "nor changed"		cmp before trace.grt
rm -f slice.grt
ok "no such ring"		complains 2 "no ring 'nope'" "ring8 (8)" "$grtrace" slice -r ring1,nope trace.grt
ok "no such process"		complains 2 "process 99 submitted no job" "per-process" "$grtrace" slice -p 99 trace.grt
ok "no such file"		complains 3 "'none'" "record" "$grtrace" slice --since 1 none
ok "no trace"			complains 4 "no trace" "events0" "$grtrace" slice --since 1 "$tools/test/cli/t-slice.sh"
ok "a bad time"			complains 2 "'soon' is not a time" "slice -h" "$grtrace" slice --since soon
ok "no part named"		complains 2 "which part" "slice -h" "$grtrace" slice trace.grt
ok "none of these made a file"	[ ! -e slice.grt ]
ok "nothing in it"		run 0 "$grtrace" slice --since 1h trace.grt
ok "is said"			grep -q "warning: the slice is empty" err
ok "it is a trace"		sh -c "'$grtrace' verify slice.grt > out && '$grtrace' report slice.grt > out"
echo precious > old.grt
ok "no room"			sh -c "ulimit -f 100; ! '$grtrace' slice --until 1h -o old.grt trace.grt > out 2> err && [ \$(grep -c '^grtrace:' err) = 1 ]"
ok "leaves what was there"	grep -q precious old.grt
ok "and no half of a file"	leftover

# Where each queue is a ring, a long recording has many of them.
"$build/test/make/gen-scale" rings 5000 rings.grt || exit 1
pid=$("$grtrace" dump --type SUBMIT -f csv rings.grt 2> err | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["tgid"]; exit }')
jobs_in() { "$grtrace" report -f json "$1" 2> err | jq .trace.jobs; }
ok "5,000 rings: those of the process"	run 0 "$grtrace" slice -p "$pid" -o all-rings.grt rings.grt
ok "5,000 rings: all of its jobs"	[ "$(jobs_in all-rings.grt)" = 10000 ]
ok "5,000 rings: the last one"		run 0 "$grtrace" slice --ring r4999 -o last.grt rings.grt
ok "5,000 rings: its two jobs"		[ "$(jobs_in last.grt)" = 2 ]

end
