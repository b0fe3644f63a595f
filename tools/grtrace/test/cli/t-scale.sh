#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: memory and steps of a report grow with its output, whatever is in the trace
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# A sanitizer needs twice the memory, and time: fewer of everything, and no limits.
fewer=1
! grep -q __asan_init "$grtrace" || fewer=50

make_trace()	# kind, how many
{
	"$build/test/make/gen-scale" "$1" $(($2 / fewer)) "$1.grt"
}

kib_of()	# the command; its output is in out
{
	# shellcheck disable=SC2016	# of the inner shell, which the command replaces
	"$build/test/make/measure" 1 sh -c 'exec "$@" > out' sh "$@" > taken 2> err || return 1
	cut -d ' ' -f 3 taken
}

# What a report of ten jobs takes, too: the program and its libraries.
"$build/test/make/gen-scale" procs 10 ten.grt && program=$(kib_of "$grtrace" report ten.grt) || exit 1

takes()		# at most so many MiB besides the program, a text that its output has, then the command
{
	limit=$1 text=$2
	shift 2
	kib=$(kib_of "$@") || return 1
	grep -q -e "$text" out || { echo "no '$text'" >> err; return 1; }
	kib=$((kib - program))
	echo "$kib KiB, at most $limit MiB" >> err
	[ "$fewer" -gt 1 ] || [ "$kib" -le $((limit << 10)) ]
}

takes_all()	# of a trace: how many, MiB, text, options of report
{
	kind=$1 limit=$2 text=$3
	shift 3
	takes "$limit" "$text" "$grtrace" report "$@" "$kind.grt"
}

for trace in procs:100000 ctxs:100000 never:1000000 queues:10000 alias:100000 past:100000; do
	ok "a trace of $trace"	make_trace "${trace%:*}" "${trace#*:}"
done
ok "processes"			takes_all procs 59 "gfx"
ok "processes, as CSV"		takes_all procs 59 "ring_process" --format csv
ok "processes, all of them"	takes_all procs 63 "BY process" --per-process
ok "contexts"			takes_all ctxs 195 "^ctx," --per-ctx --format csv
ok "jobs that never end"	takes_all never 295 "jobs cut"
ok "names of one process"	takes_all alias 59 "gfx"
ok "names, the newest first"	takes_all past 59 "gfx"
ok "processes in queues"	takes_all queues 59 "gfx"
# A job of a frame waited for all that the others did: once in a frame that goes on, once in one that ends.
for trace in chain:100000 framed:100000; do
	ok "a trace of $trace"	make_trace "${trace%:*}" "${trace#*:}"
done
ok "frames of a chain"		takes_all chain 78 "FRAMES" --frames
ok "a frame that ends"		takes_all framed 86 "FRAMES" --frames
rm -f ./*.grt

# Steps do not depend on the machine, so small traces show how the steps grow.
readonly some=400 more=1600
make_both()	# kind, how often as many; 1 if it is missing
{
	"$build/test/make/gen-scale" "$1" $((some * ${2:-1})) some.grt &&
		"$build/test/make/gen-scale" "$1" $((more * ${2:-1})) more.grt
}

steps() { "$build/steps/grtrace" report "$@" 2>&1 > out | tail -n 1; }
tables="--blame --idle --per-ring --per-process --per-ctx"

# Four times the input needs four times the steps, and a little more where it is sorted; comparing
# each with each would need sixteen times.
grows()		# options of report
{
	set -- "$(steps "$@" some.grt)" "$(steps "$@" more.grt)"
	echo "$1 steps, $2" > err
	[ "$1" -gt 0 ] && [ "$2" -le $((6 * $1)) ]
}

# Sanitizers change no step: they only have to find nothing.
for kind in procs ctxs alias past never neverctx ready uncommitted waiting newest ordered alternate \
	tied queues rings silent resets deps fences losses cpus; do
	make_both $kind
	if [ "$fewer" -gt 1 ]; then
		# shellcheck disable=SC2086	# several options
		ok "$kind, tables"	run 0 "$grtrace" report $tables more.grt
		continue
	fi
	ok "steps: $kind"		grows
	# shellcheck disable=SC2086	# several options
	ok "steps: $kind, tables"	grows $tables
done
# What a job waited for may be what thousands of others waited for, too.
for kind in waiting ordered newest alternate chain queues full fullctx; do
	make_both $kind
	for options in --roots --per-second --frames "--why 10:1"; do
		if [ "$fewer" -gt 1 ]; then
			# shellcheck disable=SC2086	# several options
			ok "$kind, $options"	run 0 "$grtrace" report $options more.grt
			continue
		fi
		# shellcheck disable=SC2086	# several options
		ok "steps: $kind, $options"	grows $options
	done
done
# More jobs than a context remembers what they waited for.
if [ "$fewer" -eq 1 ]; then
	make_both fullctx 50
	ok "steps: fullctx, many"	grows
fi
# The trace ends while half of the jobs are in flight.
cut_both()
{
	for file in some more; do
		half=$("$grtrace" report -f json $file.grt 2> err | jq '.trace.wall_ns / 2 | floor')
		"$grtrace" slice --until "${half}ns" -o cut.grt $file.grt > out 2> err && mv cut.grt $file.grt
	done
}
if [ "$fewer" -eq 1 ]; then
	for kind in full fullctx; do
		make_both $kind && cut_both
		for options in --roots --frames --blame; do
			ok "steps: $kind, in flight, $options"	grows $options
		done
	done
fi
rm -f some.grt more.grt

# The sum of a column of the table of CSV that has the other one.
sum_of()	# column, another one, in out
{
	awk -F, -v what="$1" -v table="$2" '
		!NF { in_table = 0 }
		!in_table { for (i = 1; i <= NF; i++) column[$i] = i; in_table = column[table]; next }
		{ sum += $column[what] }
		END { printf "%.0f\n", sum }' out
}

in_700_mb() { bash -c 'ulimit -v 700000 && exec "$@"' bash "$@"; }

# Blame and roots sum to the same wait, in an address space of 700 MB; roots that a limit made unknown get a warning.
same_sums()	# kind
{
	in_700_mb "$grtrace" report --blame -f csv "$1.grt" > out 2> err || return 1
	blamed=$(sum_of waited_ns through)
	in_700_mb "$grtrace" report --roots -f csv "$1.grt" > out 2> err || return 1
	rooted=$(sum_of waited_ns root)
	echo "blame $blamed, roots $rooted" >> err
	[ "$blamed" -gt 0 ] && [ "$blamed" = "$rooted" ] && ! grep -q ",unknown," out && ! grep -q "some roots" err
}

explains()	# kind, job
{
	in_700_mb "$grtrace" report --why "$2" -f json "$1.grt" > out 2> err || return 1
	jq -e '[.roots[].ns] | add' out > sum && jq -e .job.total_ns out > total && cmp sum total
}

exports()	# kind, how many jobs
{
	in_700_mb "$grtrace" export --to ndjson -o out.ndjson "$1.grt" > out 2> err || return 1
	jobs=$(grep -c '"row":"job"' out.ndjson)
	echo "$jobs jobs" >> err
	rm -f out.ndjson
	[ "$jobs" -eq $(($2 / fewer)) ]
}

# A sanitizer reserves more address space than that.
if [ "$fewer" -eq 1 ]; then
	for kind in ordered waiting chain; do
		last=$((10 + 200000 - 1)):1
		[ $kind != ordered ] || last=10:200000
		ok "200,000 jobs: $kind"	make_trace $kind 200000
		ok "$kind: sums of roots"	same_sums $kind
		ok "$kind: why the last one"	explains $kind $last
		ok "$kind: rows"		exports $kind 200000
		rm -f $kind.grt
	done
	ok "contexts wait for room"	make_trace full 20000
	ok "full: sums of roots"	same_sums full
	rm -f full.grt
fi

# A file with wrong sizes must not cost memory.
ok "a chunk that is named twice"	make_trace twice 100000
ok "an index of nothing"		make_trace sparse 300000
for kind in twice sparse; do
	ok "$kind: report"		takes_all $kind 32 "1 job"
	ok "$kind: dump"		takes 27 "COMPLETE" "$grtrace" dump $kind.grt
	ok "$kind: slice"		takes 27 "" "$grtrace" slice --since 0 -o sliced.grt $kind.grt
done
end
