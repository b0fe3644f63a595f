#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: memory and steps of exports, comparisons and imports grow with their input
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

kib_of()	# expected exit code, then the command
{
	wanted=$1
	shift
	# shellcheck disable=SC2016	# of the inner shell
	"$build/test/make/measure" 1 sh -c '"$@" > out; [ $? -eq "$0" ]' "$wanted" "$@" > taken 2> err || return 1
	cut -d ' ' -f 3 taken
}

"$build/test/make/gen-scale" procs 10 ten.grt && program=$(kib_of 0 "$grtrace" report ten.grt) || exit 1

takes()		# at most so many MiB besides the program, expected exit code, then the command
{
	limit=$1
	shift
	kib=$(kib_of "$@") || return 1
	kib=$((kib - program))
	echo "$kib KiB, at most $limit MiB" >> err
	[ "$fewer" -gt 1 ] || [ "$kib" -le $((limit << 10)) ]
}

ok "a trace of 12,000 rings"	make_trace rings 12000
ok "a page"		takes 150 0 "$grtrace" export --to html -o page.html rings.grt
ok "a report by time"	takes 122 0 "$grtrace" report --per-second rings.grt
ok "for Perfetto"	takes 132 0 "$grtrace" export --to perfetto -o rings.pftrace rings.grt
ok "as JSON"		takes 68 0 "$grtrace" report -f json rings.grt
ok "a comparison"	takes 190 4 "$grtrace" diff rings.grt rings.grt
rm -f rings.* page.html

# Each job waited for all that the others did.
for trace in chain:90 framed:95; do
	kind=${trace%:*}
	ok "a trace of $kind"	make_trace "$kind" 100000
	ok "a page of $kind"	takes "${trace#*:}" 0 "$grtrace" export --to html -o page.html "$kind.grt"
done
rm -f chain.grt framed.grt page.html

# Steps do not depend on the machine.  Four times the input needs four times the steps, and a little
# more where it is sorted; comparing each with each would need sixteen times.
steps() { "$build/steps/grtrace" "$@" 2>&1 > out | tail -n 1; }
grows()		# steps of some, of four times as many
{
	echo "$1 steps, $2" > err
	[ "$1" -gt 0 ] && [ "$2" -le $((6 * $1)) ]
}

compares()	# kind
{
	for n in 2000 8000; do
		"$build/test/make/gen-scale" "$1" "$n" "$n.grt" || return 1
	done
	if [ "$fewer" -gt 1 ]; then
		run 0 "$grtrace" diff 2000.grt 2000.grt
	else
		grows "$(steps diff 2000.grt 2000.grt)" "$(steps diff 8000.grt 8000.grt)"
	fi
}
ok "steps: diff, names of one process"	compares renamed
ok "steps: diff, a pid used again"	compares reused

# Behind a thousand others, each job waits for a thousand of them, one after the other.
exports()	# kind, format
{
	for n in 400 1600; do
		"$build/test/make/gen-scale" "$1" "$n" "$n.grt" || return 1
	done
	if [ "$fewer" -gt 1 ]; then
		run 0 "$grtrace" export --to "$2" -o exported 1600.grt
	else
		grows "$(steps export --to "$2" -o exported 400.grt)" "$(steps export --to "$2" -o exported 1600.grt)"
	fi
}
for kind in ordered alternate chain full fullctx; do
	for format in html perfetto; do
		ok "steps: $format, $kind"	exports "$kind" "$format"
	done
done

backwards()	# how many jobs: ftrace's text with the newest line first
{
	awk -v jobs="$1" 'BEGIN { for (i = jobs; i; i--) {
		job = sprintf("dev=a, fence=5:%d, ring=gfx, job count:0, hw job count:0, client_id:3", i)
		printf " w-8 [000] %.6f: drm_sched_job_done: fence=5:%d signaled\n", 20.0004 + i / 1000, i
		printf " w-8 [000] %.6f: drm_sched_job_run: %s\n", 20.0001 + i / 1000, job
		printf " p-9 [000] %.6f: drm_sched_job_queue: %s\n", 20 + i / 1000, job
	} }'
}
backwards 400 > some
backwards 1600 > many
if [ "$fewer" -eq 1 ]; then
	ok "steps: import, the newest line first" \
		grows "$(steps import -o some.grt some)" "$(steps import -o many.grt many)"
fi
ok "memory: import, the newest line first"	takes 40 0 "$grtrace" import -o many.grt many
end
