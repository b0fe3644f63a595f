#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: what has no room in a table is told, and a text that is too long is an error
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export LC_ALL=C.UTF-8 GRTRACE_DIR="$dir/debugfs"
scale=$build/test/make/gen-scale

# More rings than the picture has lanes, which are 128.
"$scale" rings 140 rings || exit 1
ok "a picture of many rings"		run 0 "$grtrace" timeline rings
ok "tells how many are missing"		grep -q "12 more rings are not drawn" out
ok "a table of its cells"		run 0 "$grtrace" timeline -f csv rings
ok "tells it, too"			grep -q "^grtrace: warning: 12 more rings are left out: there is room for 128" err
rows_of_rings() { [ "$(awk -F, 'NR > 1 && !seen[$4]++ { n++ } END { print n }' out)" = 128 ]; }
ok "and has the others"			rows_of_rings
ok "one of them is drawn alone"		run 0 "$grtrace" timeline --ring 140 rings
ok "without such a line"		sh -c '! grep "more rings" out'

# Counters of the module that are longer than any reader has room for: their end would be a cut number.
mkdir "$GRTRACE_DIR"
echo 0 > "$GRTRACE_DIR/enabled"
echo stopped > "$GRTRACE_DIR/control"
printf 'buffer_size=4194304\n' > "$GRTRACE_DIR/config"
printf 'version=1\nformat_version=1\n' > "$GRTRACE_DIR/version"
awk 'BEGIN { for (i = 0; i < 1000; i++) printf "counter_%04d=1234567890\n", i }' > "$GRTRACE_DIR/stats"
ok "counters that are too long"		complains 3 "stats has 16383 bytes or more" "report this as a bug" "$grtrace" status
head -n 600 "$GRTRACE_DIR/stats" > some && cp some "$GRTRACE_DIR/stats"
ok "long ones are read"			run 0 "$grtrace" status

# A command that is longer than the head of a file has room for.
: > "$GRTRACE_DIR/stats"
echo running > "$GRTRACE_DIR/control"
"$gen" example 0 > "$GRTRACE_DIR/events0"
long=$(printf '%0600d' 0)
ok "a long command"			run 0 "$grtrace" record --source=module -o long.grt -- true "$long"
ok "is in its file"			run 0 "$grtrace" report long.grt
ok "as far as there is room"		grep -q "true 00*[.][.][.]" out

# Text with more rings than an import has room for, which are 4096.
awk 'BEGIN { for (i = 1; i <= 4100; i++) {
	printf " app-7 [000] ..... %d.%06d: drm_sched_job_queue: dev=0000:03:00.0, fence=%d:1, ring=ring%d, job count:0, hw job count:0, client_id:4\n",
		40 + i / 1000, i % 1000 * 1000, i + 10, i
	printf " app-7 [000] ..... %d.%06d: drm_sched_job_run: dev=0000:03:00.0, fence=%d:1, ring=ring%d, job count:0, hw job count:0, client_id:4\n",
		40 + i / 1000, i % 1000 * 1000 + 10, i + 10, i } }' > text
ok "an import of many rings"		run 0 "$grtrace" import text -o text.grt
ok "tells that some are not known"	grep -q "^grtrace: warning: there are more than 4096 rings: that of further jobs is not known" err
all_jobs() { run 0 "$grtrace" report -f csv --jobs --all text.grt && [ "$(sed 1d out | wc -l)" = 4100 ]; }
ok "but has all jobs"			all_jobs

# More rings than a trace.dat has rows, which are 1023.  The file defines a ring besides those with jobs.
"$scale" rings 1100 rows || exit 1
ok "a trace.dat of many rings"		run 0 "$grtrace" export --to trace.dat rows -o rows.dat
ok "tells how many have no row"		grep -q "^grtrace: warning: there is room for 1023 rings: jobs of 78 more are in the row of unknown rings" err
ok "not of as many as there is room for" run 0 "$grtrace" export --to trace.dat rings -o rings.dat
ok "which has no warning"		sh -c "! grep warning err"

# More rings than top follows, which are 256: a line, and where rows are for programs, a warning.
"$scale" rings 300 crowd || exit 1
ok "top of many rings"			run 0 "$grtrace" top --batch crowd
ok "has a line for it"			grep -q "^more than 256 rings had jobs within a minute: some are missing" out
ok "as rows"				run 0 "$grtrace" top --batch -f csv crowd
ok "has a warning, once"		[ "$(grep -c "warning: more than 256 rings had jobs" err)" = 1 ]

# More rings than an import once followed: the events of all are joined with their jobs.
awk 'BEGIN { for (i = 1; i <= 300; i++) {
	at = sprintf("%d.%03d", 40 + i / 1000, i % 1000)
	names = sprintf("entity=0xffff8880060%05x, id=5, fence=0xffff88803c%06x, ring=ring%d, job count:0, hw job count:", i * 64, i * 64, i)
	printf " app-7 [000] %s000: drm_sched_job: %s0\n", at, names
	printf " app-7 [000] %s010: drm_sched_job_wait_dep: job ring=ring%d, id=5, depends fence=0xffff88803d000000, context=9, seq=%d\n", at, i, i
	printf " app-7 [000] %s020: drm_run_job: %s1\n", at, names } }' > joins.txt
ok "dependencies on 300 rings"		run 0 "$grtrace" import joins.txt -o joins.grt
has() { [ "$("$grtrace" dump "$1" | grep -c " $2 ")" = "$3" ]; }
ok "are all there"			has joins.grt DEPENDENCY 300
awk 'BEGIN { for (i = 1; i <= 70; i++)
		printf " painter-4102 [000] .... 81.%06d: virtio_gpu_cmd_queue: vdev=%d vq=0 name=control type=0x203 flags=0x0 fence_id=0 ctx_id=2 num_free=248\n", i * 100, i
	for (i = 1; i <= 70; i++)
		printf " kworker/1:3-88 [001] .... 81.%06d: virtio_gpu_cmd_response: vdev=%d vq=0 name=control type=0x1100 flags=0x0 fence_id=0 ctx_id=0 num_free=254\n", 10000 + i * 100, i }' > virtio.txt
ok "commands of 70 virtual GPUs"	run 0 "$grtrace" import virtio.txt -o virtio.grt
ok "all end"				has virtio.grt END 70

# Commands of two virtual GPUs whose fences have the same place: that a COMPLETE is missing is counted.
awk 'BEGIN { for (i = 1; i <= 2; i++) {
		printf " painter-4102 [000] .... 81.%06d: dma_fence_emit: driver=virtio_gpu timeline=control context=%d seqno=7\n", i * 100, 20 + i
		printf " painter-4102 [000] .... 81.%06d: virtio_gpu_cmd_queue: vdev=%d vq=0 name=control type=0x207 flags=0x1 fence_id=7 ctx_id=2 num_free=248\n", i * 100 + 1, i }
	for (i = 1; i <= 2; i++)
		printf " kworker/1:3-88 [001] .... 81.%06d: dma_fence_signaled: driver=virtio_gpu timeline=control context=%d seqno=7\n", 10000 + i * 100, 20 + i }' > fences.txt
ok "two fences in one place"		run 0 "$grtrace" import fences.txt -o fences.grt
ok "are counted"			grep -q "^  1 event that belongs to no known job, left out" err
ok "and one COMPLETE is there"		has fences.grt COMPLETE 1

# Many threads are within an ioctl: the one that submits is known.  If there are too many, a warning says that it is not.
threads()	# NUMBER, FILE
{
	awk -v nr="$1" 'BEGIN { for (i = 1; i <= nr; i++)
			printf "[1000.%06d] CPU IOCTL_ENTER cmd=0xc0106444, arg=0x7ffc12345678 <- app(%d)\n", i * 100, 1000 + i
		printf "[1000.%06d] GPU SUBMIT ctx_id=0x1234, engine=GRAPHICS, ring=1, seqno=42 <- 50us after ioctl\n", nr * 100 + 50 }' > "$2"
}
submits() { "$grtrace" dump "$1" | grep SUBMIT | grep -q " tgid=$2[( ]"; }
threads 100 some && threads 5000 all
ok "100 threads in ioctls"		run 0 "$grtrace" import some -o some.grt
ok "and who submits"			submits some.grt 1100
ok "5000 threads"			run 0 "$grtrace" import all -o all.grt
ok "are too many"			grep -q "^grtrace: warning: more than 4096 threads are within an ioctl: who submits further jobs is not known" err
ok "and nobody is named"		submits all.grt 0

# More GPUs than a Perfetto trace names: the last one is called what it is.
gpus()	# NUMBER, FILE
{
	awk -v nr="$1" 'BEGIN { for (i = 1; i <= nr; i++)
		printf " app-7 [000] ..... 40.%06d: drm_sched_job_queue: dev=%04x:03:00.0, fence=%d:1, ring=gfx, job count:0, hw job count:0, client_id:4\n app-7 [000] ..... 40.%06d: drm_sched_job_run: dev=%04x:03:00.0, fence=%d:1, ring=gfx, job count:0, hw job count:0, client_id:4\n", i * 100, i, i + 10, i * 100 + 10, i, i + 10 }' > "$2"
}
gpus 256 "256" && gpus 257 "257"
for nr in 256 257; do
	ok "$nr GPUs"			run 0 "$grtrace" import $nr -o $nr.grt
	ok "in a Perfetto trace"	run 0 "$grtrace" export --to perfetto $nr.grt -o $nr.pftrace
done
names() { grep -aq "$1" "$2"; }
ok "255 have names"			names "00ff:03:00.0" 256.pftrace
ok "and there is a name for others"	names "other GPUs" 257.pftrace

# The limits of the model, as its page has them, in the same order.
number()	# file, name: the value of the #define
{
	value=$(sed -n "s/^#define $2[[:blank:]]*\([^[:blank:]].*\)/\1/p" "$tools/lib/$1" | sed 's,/[*].*,,; s/u//g')
	eval "echo \$(($value))"
}
limits()
{
	number model/pool.h GRT_MAX_DEPS
	number model/fence.c MAX_FENCES
	number model/model_private.h GRT_MAX_RETIRED
	number model/fence.c MAX_ASKED
	number model/order.c MAX_SWAPPED
	number model/hw_queue.c MAX_AHEAD
	number model/spans.h GRT_MAX_SPANS
	number model/piece.h GRT_MAX_PIECES
	number model/piece.h GRT_MAX_ROOM
	number analysis/roots.h GRT_ROOTS_JOBS
	number analysis/roots.h GRT_ROOTS_SPANS
	number analysis/roots.h GRT_ROOTS_LOGGED
	number analysis/root_log.c MAX_DEPTH
	number analysis/root_log.c MAX_OPENS
	number analysis/roots.h GRT_ROOTS_HANGS
	number model/credit.c MAX_FLIPS
	number model/timeline.c MAX_OPEN
	number model/device.c MAX_PARTS
	number job/loss.c MAX_SPANS
	number job/names.c MAX_RINGS
	number job/omitted.c MAX_CHANGES
	number job/omitted.c MAX_POLICIES
	number model/cpu.c MAX_THREADS
	number model/cpu.c HISTORY
	number model/entry.c THREADS
	number model/straggler.c MAX_GONE
	number model/straggler.c MAX_LATE
	number model/suspect.c MAX_BACK
	number model/suspect_over.c MAX_OVER
	number model/pool.c MAX_SLOTS
}
same_limits()
{
	limits > out
	sed -n '/^Limits$/,$s/^   [*] - \([0-9]\)/\1/p' "$tools/../../Documentation/model.rst" |
		sed 's/ and /\n/; s/,//g' | diff - out > err
}
ok "the page of the model has its limits" same_limits

# A page has a picture from far of each ring, however many there are.
far() { run 0 "$grtrace" export --to html -o page.html "$1" && [ "$(grep -o 'id="lod[0-9]*"' page.html | wc -l)" = "$2" ]; }
"$scale" rings 300 far || exit 1
ok "a page of 300 rings from far"	far far 300

# amdgpu tells the indirect buffers of jobs just before their SUBMITs.  If that is long before, a warning says that they are
# not known.
buffers()	# NUMBER, FILE
{
	awk -v nr="$1" 'BEGIN { for (i = 1; i <= nr; i++)
			printf " app-7 [000] ..... 62.%06d: amdgpu_cs_ioctl: timeline=gfx, fence=44:%d, ring_name=gfx, num_ibs=3\n", i, i
		for (i = 1; i <= nr; i++)
			printf " app-7 [000] ..... 63.%06d: drm_sched_job_queue: dev=0000:2d:00.0, fence=44:%d, ring=gfx, job count:0, hw job count:0, client_id:4\n", i, i }' > "$2"
}
buffers 300 few && buffers 65540 many || exit 1
ok "the indirect buffers of 300 jobs"	run 0 "$grtrace" import few -o few.grt
ok "are known"				[ "$("$grtrace" dump few.grt | grep -c " num_ibs=3")" = 300 ]
ok "of 65540 jobs"			run 0 "$grtrace" import many -o many.grt
ok "they are too many"			grep -q "^grtrace: warning: more than 65536 jobs of amdgpu have no SUBMIT yet: how many indirect buffers" err
ok "and of the first ones not known"	[ "$("$grtrace" dump many.grt | grep -c " num_ibs=3")" = 4 ]

end
