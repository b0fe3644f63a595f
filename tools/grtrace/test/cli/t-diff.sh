#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace diff finds what changed, and only that, with the right exit code
# GOLDEN=write in the environment writes the expected outputs anew.
# Tests call these functions through ok(). $1 and the like are variables of awk and jq, not of the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=SCRIPTDIR/schema.sh
. "$tools/test/cli/schema.sh"

golden=$golden/diff
export LC_ALL=C.UTF-8

agrees()	# name, exit code, then options and traces: the same as in the golden file
{
	name=$1 code=$2
	shift 2
	{
		echo "$ grtrace diff $*"
		"$grtrace" diff "$@" 2>&1
		echo "exit code $?"
	} > out
	if [ "${GOLDEN-}" = write ]; then cp out "$golden/$name"; fi
	diff "$golden/$name" out > err && grep -q "^exit code $code$" out
}

verdict()	# verdict, exit code, then options and traces
{
	wanted=$1 code=$2
	shift 2
	run "$code" "$grtrace" diff -f json "$@" && jq -e --arg v "$wanted" '.verdict == $v' out > err
}

rows()		# filter for jq, true of some row and the rest, then options and traces
{
	filter=$1
	shift
	"$grtrace" diff -f json "$@" > out 2> err
	jq -e "$filter" out > err
}

make() { to=$1; shift; "$gen" load "$@" > "$to" || exit 1; }

make base rings=2
make again rings=2 seed=2
make slower rings=2 seed=3 exec=1300 slow=2
make longer seed=3 exec=1100
make one
make three rings=3 seed=4
make moved device=12 seed=5
make slow-moved device=12 seed=5 exec=1500
make few jobs=5
make some jobs=60 exec=2000
make lossy rings=2 seed=6 lose=100
make other comm=train seed=7
head -c 250000 again > partly
"$gen" scene two-devices > devices || exit 1
"$gen" scene names > named || exit 1
for i in 1 2 3 4 5; do
	"$gen" busy seed="$i" > "run$i" || exit 1
	"$gen" busy seed="1$i" slow=batch by=20 on=2 > "slow$i" || exit 1
done
"$gen" busy seed=6 hang=1 > hung || exit 1
"$gen" busy seed=7 hang=1 fail=3 > hung2 || exit 1
"$gen" busy seed=8 fail=2 > failed || exit 1
"$gen" busy seed=9 fail=60 > failing || exit 1
: > empty

ok "the same twice"			verdict same 0 base base
ok "alike"				verdict same 0 base again
ok "slower"				verdict worse 1 base slower
ok "faster is no harm"			verdict same 0 slower base
ok "unless asked for"			verdict better 1 --both slower base
ok "within the threshold"		verdict same 0 --threshold 20% one longer
ok "beyond it"				verdict worse 1 one longer
ok "a threshold of its own"		verdict worse 1 --threshold 90%,t_exec=1% one longer
ok "of another stage"			verdict same 0 --threshold 90%,t_dep=1% one longer
ok "one stage"				verdict same 0 --stage t_submit_host,t_complete one longer
ok "one quantile"			rows '[.rows[].stat] | unique == ["max", "mean", "p99.9"]' --quantile p99.9 one longer
ok "a small change"			verdict same 0 --stage total --min-change 1s one longer
ok "too few jobs are not judged"	verdict unsure 4 one few
ok "the error says so"			complains 4 "nothing could be compared" "grtrace diff .*--quantile p50 .*one some" "$grtrace" diff --quantile p99 --stage total one some
ok "some jobs are, in part"		rows '[.rows[] | select(.stage == "t_exec") | .verdict] == ["worse", "unsure", "unsure", null, null]' one some --quantile p50,p75,p99
"$gen" busy jobs=500 seed=3 > short && "$gen" busy jobs=500 seed=23 slow=batch by=25 on=2 > short-slow || exit 1
exec_p50() { rows ".rows[] | select(.name == \"compute\" and .process == \"batch\" and .stat == \"p50\") | $1" short short-slow --quantile p50 --stage t_exec; }
ok "a change between -5 and +66 % is not called the same"	exec_p50 '.change_low_ns < 0 and .change_high_ns / .a_ns > 0.6 and .verdict == "unsure"'
ok "fewer than --min-jobs"		verdict unsure 4 --min-jobs 61 one some
ok "more confidence wants more jobs"	rows '[.rows[] | select(.stat == "p99") | .a_ns] | unique == [null]' --quantile p99 --confidence 99.99% one longer
ok "less wants fewer"			rows '[.rows[] | select(.stat == "p99") | .a_ns] | any' --quantile p99 --confidence 95% one longer
ok "another GPU"			verdict worse 1 one slow-moved
ok "the report says so"			rows '.ignores_device' one moved
ok "one ring on both sides"		rows '[.rows[].name] | unique == ["gfx"]' one three
ok "the others are named"		rows '[.only[] | .name + .side + (.jobs | tostring)] == ["copyb1000", "computeb1000"]' one three
ok "--ring"				rows '[.rows[].name] | unique == ["copy"]' --ring copy base slower
ok "no such ring"			complains 2 "no ring 'nope'" "grtrace diff base slower    # its rings: gfx (1)" "$grtrace" diff --ring nope base slower
ok "--pid"				verdict unsure 4 --pid 8 base slower
ok "--filter"				rows '.a[0].jobs == 1000 and .a[0].other_jobs == 1000' --filter 'ring == gfx' base slower
ok "--since"				rows '.a[0].jobs < 1500' --since 1s base again
ok "--per-engine"			rows '[.rows[].name] | unique == ["COMPUTE", "GRAPHICS"]' --per-engine base slower
ok "--per-process, by name"		rows '[.only[].name] == ["game", "train"]' --per-process one other
ok "--together"				rows '[.rows[].a_jobs] | unique == [2000]' --together base slower
ok "only one way to group"		complains 2 "exclude each other" "diff -h" "$grtrace" diff --together --per-process one one
ok "losses of a side"			rows '.b[0].lost_events == 100 and .b[0].lossy > 0 and .a[0].lost_events == 0' base lossy
ok "a cut trace"			rows '.b[0].is_cut and (.a[0].is_cut | not)' base partly
ok "the shares of a ring sum to 1"	rows '[.idle[] | select(.ring == "gfx") | .a_share] | add | . > 0.99999 and . < 1.00001' base again
ok "a pipe"				sh -c "'$grtrace' diff - slower < base > out 2> err; [ \$? = 1 ]"

# Jobs that wait for each other, with chance alone between the runs: see busy.h.
equal()		# pairs of traces that differ by chance alone: none is worse
{
	for i in 20 22 24 26 28 30 32 34 36 38; do
		"$gen" busy seed="$i" > p && "$gen" busy seed=$((i + 1)) > q || return 1
		run 0 "$grtrace" diff p q || return 1
	done
}
planted()	# a tenth more in one stage of one process: found, where it is, but for one of ten
{
	found=0
	for i in 41 43 45 47 49 51 53 55 57 59; do
		"$gen" busy seed="$i" > p && "$gen" busy seed=$((i + 1)) slow=copier by=10 > q || return 1
		"$grtrace" diff p q > out
		grep -q "^worse: .*most of all copy" out && found=$((found + 1))
	done
	[ "$found" -ge 9 ]
}
ok "equal loads are never worse"	equal
ok "a planted tenth is found"	planted
ok "a process of a ring has its row"	rows '[.rows[] | select(.scope == "ring_process" and .stat == "p50" and .stage == "t_exec") | .process] == ["game", "compositor", "batch", "game", "copier", "batch"]' run1 run2
ok "not where it has the ring alone"	rows '[.rows[].scope] | unique == ["ring"]' base again
ok "nor with --per-ring"		rows '[.rows[].scope] | unique == ["ring"]' --per-ring run1 run2
ok "several runs of a side"		rows '.verdict == "worse" and .spread_of == "runs" and (.a | length) == 5 and ([.rows[] | select(.verdict == "worse" and .name != "compute" and .stage == "t_exec")] == [])' run1 run2 run3 run4 run5 -- slow1 slow2 slow3 slow4 slow5
ok "alike"				verdict same 0 run1 run2 run3 -- run4 run5
ok "one run before, several after"	verdict same 0 run1 -- run2 run3 run4
ok "their figure is the mean"		sh -c "
	'$grtrace' diff -f json run1 run2 run3 -- run4 run5 | jq '.rows[] | select(.name == \"gfx\" and .process == null and .stage == \"total\" and .stat == \"p90\") | .a_ns' > mean
	for i in 1 2 3; do '$grtrace' diff -f json run\$i run4 | jq '.rows[] | select(.name == \"gfx\" and .process == null and .stage == \"total\" and .stat == \"p90\") | .a_ns'; done |
		awk -v mean=\$(cat mean) '{ sum += \$1 } END { off = sum / 3 - mean; exit !(off < 1 && off > -1) }'"
ok "two files of one session are no runs" complains 2 "'run1' and 'run1' are of one session, so they are not two runs" "cat events0 events1 > run" "$grtrace" diff run1 run1 -- run2

# Sessions are numbered from 1 again after a boot. Byte 67 of a stream is one of its session's start.
cp run1 rebooted
printf '\074' | dd of=rebooted bs=1 seek=67 conv=notrunc 2> /dev/null
session() { "$grtrace" dump -d "$1" | grep -o -m 1 " $2=[0-9]*"; }
ok "one session number after a boot"	[ "$(session run1 session_id)" = "$(session rebooted session_id)" ]
ok "with another start"			[ "$(session run1 start_ns)" != "$(session rebooted start_ns)" ]
ok "is another run"			verdict same 0 run1 rebooted -- run3
ok "a side without a trace"		complains 2 "BEFORE... -- AFTER" "diff -h" "$grtrace" diff run1 run2 --
ok "three traces"			complains 2 "BEFORE... -- AFTER" "diff -h" "$grtrace" diff run1 run2 run3
ok "a new hang"				verdict worse 1 --stage t_sched --threshold 99% run1 hung
ok "is said first"			sh -c "'$grtrace' diff run1 hung | head -1 | grep -qx 'worse: new in B: 1 hang (TIMEOUT), 1 RESET, 1 job failed (ETIME)'"
ok "one among several runs"		verdict worse 1 --stage t_sched run1 run2 -- run3 hung
ok "one more is not new"		rows '[.trouble[] | select(.kind == "error") | .verdict] | unique == ["same"]' hung hung2
ok "but another failure is"		rows '[.trouble[] | select(.name == "EIO") | [.a, .b, .verdict]] == [[0, 3, "worse"]]' hung hung2
ok "one that is gone"			verdict same 0 --stage t_sched hung run1
ok "far more failures"			rows '[.trouble[] | [.kind, .name, .a, .b, .verdict]] == [["failed", "EIO", 2, 60, "worse"]]' failed failing
ok "far fewer"				rows '[.trouble[].verdict] == ["better"]' failing failed
ok "fewer jobs per second"		verdict worse 1 --stage throughput base slower
ok "by how much"			rows '[.throughput[] | select(.name == "gfx") | .a_per_s > 425 and .a_per_s < 435 and .change < -0.29 and .change > -0.31 and .change_low < .change and .change < .change_high] == [true]' base slower
ok "its threshold"			verdict same 0 --stage throughput --threshold 5%,throughput=40% base slower
ok "unknown with losses"		rows '[.throughput[] | .b_per_s] | unique == [null]' base lossy
ok "losses are told, not judged"	rows '[.trouble[] | [.kind, .a, .b, .verdict]] == [["lost", 0, 100, null]]' base lossy
ok "time that is unknown is a bound of changes"	rows '[.idle[] | select(.state == "unknown" and .b_share > 0)] | length > 0' base lossy
ok "a change within it has no value"	rows '[.idle[] | select(.ring == "gfx")] | (map(select(.state == "unknown"))[0].b_share) as $u |
	.[] | select(.state == "scheduler") | .points == null and .b_share < $u' base lossy

# The exact quantile, from the jobs themselves, is in its interval and near the number.
ok "what report says of each job"	sh -c "
	'$grtrace' report --jobs -f csv slower | awk -F, '\$2 == \"gfx\" { print \$19 }' | sort -n > times
	[ \$(wc -l < times) = 1000 ] && exact=\$(sed -n 900p times) &&
	'$grtrace' diff -f csv base slower | awk -F, -v exact=\$exact '
		\$3 == \"gfx\" && \$5 == \"t_exec\" && \$6 == \"p90\" { found = 1
			off = \$12 > exact ? \$12 - exact : exact - \$12
			bad = \$13 > exact || \$14 < exact || off > exact / 256 }
		END { exit !found || bad }'"

ok "no trace"				complains 2 "two traces" "diff -h" "$grtrace" diff
ok "one trace"				complains 2 "two traces" "diff -h" "$grtrace" diff base
ok "both from a pipe"			complains 2 "standard input" "diff -h" "$grtrace" diff - -
ok "an empty one"			complains 4 "'empty' is empty" "record" "$grtrace" diff base empty
ok "none"				complains 3 "nosuch" "record" "$grtrace" diff nosuch base
ok "a bad threshold"			complains 2 "'5' is no threshold; like 5%" "grtrace diff base base" "$grtrace" diff --threshold 5 base base
ok "a threshold of no stage"		complains 2 "no stage 'x'; t_order.*t_queue" "grtrace diff base base" "$grtrace" diff --threshold x=5% base base
ok "no such stage"			complains 2 "no stage 'exec'; t_order.*t_exec" "grtrace diff base base" "$grtrace" diff --stage exec base base
ok "a bad quantile"			complains 2 "'p100' is no quantile; like p50, p99 or p99.9" "grtrace diff base base" "$grtrace" diff --quantile p100 base base
ok "a bad confidence"			complains 2 "'20%' is no confidence; from 50% to 99.99%" "grtrace diff base base" "$grtrace" diff --confidence 20% base base
ok "no such format"			complains 2 "no format 'xml'; .*csv" "grtrace diff base base" "$grtrace" diff -f xml base base
ok "a full disk"			sh -c "! '$grtrace' diff base slower > /dev/full 2> err && grep -q 'No space' err"

ok "golden: slower"			agrees slower.txt 1 base slower
ok "golden: alike, all rows"		agrees alike.txt 0 --all-rows --stage t_exec,total base again
ok "golden: another GPU"		agrees moved.txt 1 --quantile p50 one slow-moved
ok "golden: rings on one side, losses"	agrees only.txt 0 --stage t_hw,total three lossy
ok "golden: several runs, a hang"	agrees runs.txt 1 run1 run2 run3 -- slow1 slow2 hung
ok "golden: CSV"			agrees slower.csv 1 -f csv --stage t_exec --na NA base slower
ok "golden: JSON"			agrees some.json 1 -f json --stage t_exec one some
ok "golden: names that break out"	agrees names.txt 4 named named

keeps "schema: slower"			diff.schema.json diff 1 "$grtrace" diff -f json base slower
keeps "schema: one side"			diff.schema.json diff 0 "$grtrace" diff -f json three lossy
keeps "schema: few"			diff.schema.json diff 4 "$grtrace" diff -f json one few
keeps "schema: several GPUs"		diff.schema.json diff 4 "$grtrace" diff -f json devices devices
keeps "schema: by process"			diff.schema.json diff 4 "$grtrace" diff -f json --per-process named named
"$grtrace" diff -f json base slower > diff.json
jq 'del(.["$defs"].row.properties.change)' diff.schema.json > broken.json
breaks "a schema that knows less"	broken.json diff diff.json
jq -c '.rows[1].more = 1' diff.json > more.json
breaks "a key that nobody knows"	diff.schema.json diff more.json
jq -c '.verdict = null' diff.json > null.json
breaks "a verdict that is none"		diff.schema.json diff null.json
compare_documents
end
