#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: reports of a snapshot say why it was taken, which job hung, and who waits behind it
# GOLDEN=write in the environment writes the expected output anew.
# Tests call these functions through ok(). $1 and the like are variables of awk and jq, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

golden=$golden/report/snapshots
export LC_ALL=C.UTF-8 COLUMNS=100

scenes="hang alone one others many started not-begun late unseen lossy status rule rule-only request stop
	gpu newer newer-error"
for scene in $scenes; do
	"$gen" scene "snapshot-$scene" > "snapshot-$scene" || exit 1
	ok "$scene: a sound trace"	run 0 "$grtrace" verify "snapshot-$scene"
done
# A mock GPU hung in a virtual machine; its first buffer begins late.
cp "$golden/mock-hang.raw" . || exit 1

tell()		# trace, key of a job behind the one that hung, that one
{
	for options in "report" "report --why $2" "report --why $2 --steps" "report --why $3" "report --roots" \
		       "dump --type SNAPSHOT,ERROR"; do
		echo "$ grtrace $options $1"
		# shellcheck disable=SC2086	# options are words
		"$grtrace" $options "$1" 2>&1
	done
}

agrees()	# trace, and as above
{
	tell "$@" > out
	if [ "${GOLDEN-}" = write ]; then cp out "$golden/$1.txt"; fi
	diff "$golden/$1.txt" out > err
}

# Whether the words are on the first screen, or in the short answer of --why, however its lines end.
screen_says()	{ COLUMNS=900 "$grtrace" report "snapshot-$1" 2> err | tee out | grep -qF -- "$2"; }
why_says()	{ COLUMNS=500 "$grtrace" report --why "$2" "snapshot-$1" 2> err | tee out | grep -qF -- "$3"; }
taken()		{ screen_says "$1" "snapshot $2"; }	# scene, the rest of the line
json()		# trace, condition
{
	"$grtrace" report -f json "$1" 2> err > out && jq -e "$2" out > /dev/null 2> err
}

ok "golden: scripted"			agrees snapshot-hang 17:10 15:43
ok "golden: of a mock GPU"		agrees mock-hang.raw 55:6 59:1

# Why it was taken.
ok "a timeout"		taken hang "1 of a flight recorder, taken at 502.0 ms because compute had a TIMEOUT: job 15:43 of batch[7]"
ok "a job without a SUBMIT" taken late "1 of a flight recorder, taken at 501.9 ms because compute had a TIMEOUT: job 15:43"
ok "a status"		taken status "1 of a flight recorder, taken at 1.0 ms because job 1:1 of batch[7] on gfx ended with EIO"
ok "a rule"		taken rule "1 of a flight recorder, taken at 1.0 ms because rule 4 held for job 1:1 of batch[7] on gfx"
ok "a rule about no job" taken rule-only "1 of a flight recorder, taken at 1.0 ms because rule 4 held"
ok "a request"		taken request "1 of a flight recorder, taken at 3.000 s because somebody asked for it"
ok "a stop, and missed triggers" taken stop "2 of a flight recorder, taken at 1.0 ms because the session was stopped; 3 more triggers came while the snapshot before was held"
ok "a fault of no ring"	taken gpu "1 of a flight recorder, taken at 1.0 ms because a GPU had a FAULT"
ok "a trigger of a newer module" taken newer "2 of a flight recorder, taken at 1.0 ms because of trigger 9, which this grtrace does not know; 1 more trigger came"
ok "an error of a newer module" taken newer-error "1 of a flight recorder, taken at 1.0 ms because gfx had an error with code 99: job 1:1 of batch[7]"
ok "no snapshot, no words"	sh -c "'$gen' scene reset > reset && '$grtrace' report reset > out && ! grep -q snapshot out"
if command -v jq > /dev/null; then
	ok "JSON has it"	json snapshot-hang '.trace.snapshots == [{ number: 1, at_ns: 1502010000, trigger: "ERROR", error: "TIMEOUT", status: null, rule: null, ctx: 15, seqno: 43, ring: "compute", pid: 7, comm: "batch", missed: 0, notes: [] }]'
	ok "a status in JSON"	json snapshot-status '.trace.snapshots[0] | .trigger == "STATUS" and .status == -5 and .error == null and .rule == null'
	ok "a rule in JSON"	json snapshot-rule-only '.trace.snapshots[0] | .trigger == "RULE" and .rule == 4 and .ctx == null and .ring == null'
	ok "a newer trigger in JSON" json snapshot-newer '.trace.snapshots[0] | .trigger == null and .missed == 1'
	ok "none in JSON"	json reset '.trace.snapshots == []'
	ok "the hang in JSON"	json snapshot-hang '.findings[0] | .what == "hang" and .run_ns == 500000000 and .jobs == 4 and .jobs_behind == 4'
	ok "one that is over"	json reset '.findings[0] | .what == "hang" and .jobs_behind == null and .run_ns > 0'
fi

# The job that hung, and who waits behind it.
so_far="15:43 of batch[7] on compute hung: when the snapshot was taken, it had run 500.0 ms (START inferred) and was not over."
waited=" It had itself waited 1.9 ms before it ran, 1.9 ms of that behind game[9] on compute (1:1 first)."
ok "on the ring, in the scheduler, by dependencies" screen_says hang "$so_far 4 jobs of batch[7], game[9] and copier[8] wait behind it; the oldest is 15:44 of batch[7] on compute, submitted 499.9 ms before the snapshot was taken.$waited"
ok "nobody"		screen_says alone "$so_far The trace shows no other job in flight.$waited"
ok "one elsewhere"	screen_says one "$so_far 1 other job is in flight, and does not wait behind it.$waited"
ok "two elsewhere"	screen_says others "$so_far 2 other jobs are in flight, and none waits behind it.$waited"
ok "many processes"	screen_says many "$so_far 4 jobs of batch[7], game[9], copier[8] and 1 more wait behind it; the oldest"
ok "a START that was seen" screen_says started "it had run 500.0 ms and was not over."
ok "no START where drivers report it" screen_says not-begun "it had been on its ring 501.9 ms, how long of that it ran is not known, and was not over."
ok "a job from before the trace" screen_says late "15:43 on compute hung: when the snapshot was taken, it had run 501.9 ms (START inferred) and was not over. 1 job of batch[7] waits behind it; it is 15:44 of batch[7] on compute"
ok "of which nothing was seen" screen_says unseen "15:43 hung, and the trace has no other event of it. 2 jobs of batch[7] and game[9] wait behind it; the oldest is 15:44"
ok "lost events"	screen_says lossy "Whether 1 job without an end waits for it is not known: events are missing."

# The chain of each, up to the end of the trace.
ok "why: the job itself" why_says hang 15:43 "500.0 ms  >99%  it ran (START inferred), and HUNG: it is not over when the snapshot was taken"
ok "why: behind it on the ring" why_says hang 15:44 "499.9 ms  >99%  compute was blocked by 15:43 of batch[7], which HUNG"
ok "why: in the scheduler" why_says hang 9:3 "499.8 ms  100%  compute was blocked by 15:43 of batch[7], which HUNG"
ok "why: by a dependency" why_says hang 17:9 "499.7 ms  100%  compute was blocked by 15:43 of batch[7], which HUNG"
ok "why: behind that one" why_says hang 17:10 "17:10 (copier[8], copy) waited 499.6 ms behind its own context, which waited for 15:44 (batch[7], compute)"
ok "why: a job that runs" why_says hang 5:1 "499.5 ms  >99%  it ran (START inferred), and is not over when the snapshot was taken"
ok "why: a display"	why_says hang 5:2 "499.4 ms  100%  the fence 90:5, which belongs to no job of this trace, was not signalled"
ok "why: a snapshot long after the last event" why_says request 1:2 "2.999 s from submit on, and not over when the snapshot was taken"
ok "why: a hang without events" why_says unseen 9:3 "not known; it could not run before 15:43, which HUNG"
ok "why: it did not wait for itself" why_says not-begun 15:43 "not known: it HUNG, and the trace does not show that it began to run"
ok "why: lost events"	why_says lossy 9:3 "The trace does not show its COMPLETE, so the rest is not known."

# What a job waited for, and what it did, sum to its age; jobs in flight are in no sum of a report.
adds_up()	# scene, key, its age
{
	"$grtrace" report --why "$2" -f json "snapshot-$1" > out 2> err &&
	jq -e --argjson age "$3" '.job.total_ns == null and ([.roots[].ns] | add) == $age and
		(([.roots[].share] | add) - 1 | fabs) < 0.001' out
}
no_sums()
{
	"$grtrace" report --roots --blame --per-ring -f json snapshot-hang > out 2> err && jq -e '
		([.roots[].waited_ns] | add) == 10000 and ([.blame[].waited_ns] | add) == 10000 and
		([.rings[] | .stages.total | values | .count] | add) == 1' out
}
if command -v jq > /dev/null; then
	for job in "15:43 501910000" "15:44 499910000" "9:3 499810000" "17:9 499710000" "17:10 499610000" \
		   "5:1 499510000" "5:2 499410000"; do
		# shellcheck disable=SC2086	# two words
		ok "adds up: $job ns"	adds_up hang $job
	done
	ok "adds up: past the last event" adds_up request 1:2 2998900000
	ok "jobs in flight are in no sum" no_sums
fi

# The last events, and where they come from.
last_events()	{ "$grtrace" report "$@" 2> err | sed -n '/^LAST EVENTS/,/^$/p'; }
ok "the last events end at the trigger"	sh -c "'$grtrace' report mock-hang.raw 2> err | sed -n '/^LAST EVENTS/,/^\$/p' | sed '\$d' | tail -1 | grep -q '^   -0.006 ms  ERROR       59:1  batch\[131\]   copy     TIMEOUT\$'"
twelve()	{ [ "$(last_events mock-hang.raw | wc -l)" -eq 14 ]; }	# with the title and the empty line
ok "there are twelve"			twelve
of_ring()	{ ! last_events mock-hang.raw | grep -q ' gfx '; }
ok "of the ring, or about the job"	of_ring
ok "of all rings if it was for none"	sh -c "'$grtrace' report snapshot-request | grep -q '^LAST EVENTS before the snapshot\$'"
ok "none for a time that was asked for"	sh -c "'$grtrace' report --since 1ms snapshot-hang > out && ! grep -q '^LAST EVENTS' out"
ok "none beside a table"		sh -c "'$grtrace' report --idle snapshot-hang > out && ! grep -q '^LAST EVENTS' out"
ok "none where there is no snapshot"	sh -c "'$grtrace' report reset > out && ! grep -q '^LAST EVENTS' out"

# What the beginning lacks is no loss.
ok "an incomplete beginning"		sh -c "COLUMNS=500 '$grtrace' report mock-hang.raw 2> err | grep -q '^0 events lost · 9 jobs partly unknown because the beginning is incomplete · '"
"$gen" scene lossy > lossy
ok "real losses are said as before"	sh -c "COLUMNS=500 '$grtrace' report lossy | grep -q '^4 events lost (buffer_full 4) · [0-9]* jobs* partly unknown because of that'"

# Other commands keep the record, at its time.
last_is()	{ "$grtrace" dump "$1" 2> err | tail -1 | grep -q ' SNAPSHOT  *session_id=.* ctx=59 seqno=1 ring=.* trigger=ERROR number=2 detail=1 missed=1$'; }
ok "dump prints it last"		last_is mock-hang.raw
ok "dump limits lines"			sh -c "[ \$('$grtrace' dump -n 5 mock-hang.raw 2> err | wc -l) = 5 ]"
ok "slice"				run 0 "$grtrace" slice --since 0 -o whole.grt mock-hang.raw
ok "keeps it"				last_is whole.grt
ok "and says what it is"		sh -c "'$grtrace' report whole.grt | grep -q '^snapshot 2 of a flight recorder'"
ok "a slice that ends before"		run 0 "$grtrace" slice --until 100ms -o early.grt mock-hang.raw
ok "ends before the snapshot"		sh -c "'$grtrace' report early.grt > out && grep -q '^snapshot 2 of .* taken at 829.7 ms' out && ! grep -q 'when the snapshot was taken' out"
ok "repair"				run 0 "$grtrace" repair -o fixed.grt whole.grt
ok "keeps it, too"			last_is fixed.grt
"$gen" scene snapshot-hang > first && "$grtrace" slice --since 0 -o first.grt first > out || exit 1
ok "merge"				run 0 "$grtrace" merge -o both.grt first.grt whole.grt
ok "keeps both"				sh -c "[ \$('$grtrace' report both.grt | grep -c '^snapshot [12] of a flight recorder') = 2 ]"
for merged in whole.grt early.grt fixed.grt both.grt; do
	ok "$merged is sound"		run 0 "$grtrace" verify "$merged"
done
ok "export to a trace.dat"		run 0 "$grtrace" export --to trace.dat -o x.dat mock-hang.raw
ok "and back"				run 0 "$grtrace" import -o back.grt x.dat
ok "it is last again"			last_is back.grt
same_hang()	{ COLUMNS=500 "$grtrace" report back.grt | grep -F "59:1 of batch[131] on copy hung: when the snapshot was taken, it had run 522.5 ms (START inferred)" > out; }
ok "and says the same"			same_hang
ok "export for Perfetto"		run 0 "$grtrace" export --to perfetto -o x.pftrace mock-hang.raw
ok "has a mark"				grep -qa "snapshot 2 of a flight recorder" x.pftrace
ok "export as a page"			run 0 "$grtrace" export --to html -o x.html mock-hang.raw
if command -v babeltrace2 > /dev/null; then
	ok "export as CTF"		run 0 "$grtrace" export --to ctf -o x.ctf mock-hang.raw
	ok "has the record"		sh -c "babeltrace2 x.ctf | grep -q 'grtrace:SNAPSHOT: .*seqno = 1, .*missed = 1 }'"
fi
ok "timeline says why"			sh -c "'$grtrace' timeline mock-hang.raw 2> err | grep -q '^snapshot 2 of a flight recorder'"
end
