#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the JSON of report follows its published schema, with exactly its keys
# Tests call these functions through ok(). $defs is a name in jq, not a variable of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# shellcheck source=SCRIPTDIR/schema.sh
. "$tools/test/cli/schema.sh"

says()		# name, definition, then options of report
{
	name=$1 def=$2
	shift 2
	keeps "$name" report.schema.json "$def" 0 "$grtrace" report -f json "$@"
}

all="--per-ring --per-device --per-engine --per-process --per-client --per-ctx --per-cgroup --per-pod --idle --blame --overhead --stacks=jobs"
histograms="--hist lat,size,result"

ok "the schema is JSON"			run 0 jq -e '.["$defs"] | length > 4' report.schema.json
"$gen" scenes > scenes || exit 1
while read -r scene key; do
	"$gen" scene "$scene" > "$scene" || exit 1
	says "$scene: first screen" report "$scene"
	# shellcheck disable=SC2086	# options are words
	says "$scene: all tables" report $all $histograms "$scene"
	says "$scene: steps" report --step 1ms --per-process "$scene"
	says "$scene: a job a line" job --jobs "$scene"
	says "$scene: events" events --events "$scene"
	says "$scene: why" why --why "$key" "$scene"
done < scenes
for scene in vblanks marks flips bursts; do
	"$gen" scene "$scene" > "$scene" || exit 1
	says "$scene: frames" frames --frames "$scene"
	says "$scene: frames by process" frames --frames --per-process --refresh 100 "$scene"
done
for scene in memory leak no-ends leak-lossy placed twice two-gpus old-memory; do
	"$gen" scene "$scene" > "$scene" || exit 1
	says "$scene: memory" memory --memory "$scene"
done
for scene in hang alone unseen lossy late status rule rule-only request stop gpu newer newer-error; do
	"$gen" scene "snapshot-$scene" > "snapshot-$scene" || exit 1
	says "a snapshot: $scene" report "snapshot-$scene"
done
says "a snapshot: why" why --why 17:10 snapshot-hang
for scene in pods odd-pods; do
	"$gen" scene "$scene" > "$scene" || exit 1
	# shellcheck disable=SC2086	# options are words
	says "$scene: all tables" report $all --roots "$scene"
	says "$scene: a job a line" job --jobs "$scene"
done
says "no memory" memory --memory -p 99 memory
says "no frames" frames --frames -p 99 vblanks

# Wrong documents are noticed: valid ones with one change.
key=$(sed -n 's/^chain //p' scenes)
# shellcheck disable=SC2086	# options are words
"$grtrace" report -f json $all $histograms chain > report.json 2> err || exit 1
"$grtrace" report -f json --jobs chain > job.json || exit 1
"$grtrace" report -f json --events chain > events.json || exit 1
"$grtrace" report -f json --why "$key" chain > why.json || exit 1
"$grtrace" report -f json --frames bursts > frames.json || exit 1
"$grtrace" report -f json --memory memory > memory.json || exit 1
nr=0

wrong()		# name, definition, what to do to the document
{
	nr=$((nr + 1))
	jq -c "$3" "$2.json" > wrong-$nr || exit 1
	! cmp -s "$2.json" wrong-$nr || exit 1
	breaks "wrong: $1" report.schema.json "$2" wrong-$nr
}

wrong "a table that is not there"	report 'del(.trace)'
wrong "a table that nobody knows"	report '.more = []'
wrong "a key that is not there"		report 'del(.trace.jobs)'
wrong "a key that nobody knows"		report '.trace.more = 1'
wrong "text for a number"		report '.trace.jobs = "3"'
wrong "a part for a whole"		report '.trace.jobs = 3.5'
wrong "true for a number"		report '.trace.jobs = true'
wrong "null for what is known"	report '.trace.events = null'
wrong "a number for text"		report '.trace.name = 7'
wrong "a list for an object"		report '.trace = []'
wrong "an object for a list"		report '.blame = {}'
wrong "a key of a row"			report '.blame[0].more = 1'
wrong "a row that is none"		report '.blame[0] = 1'
wrong "a job without its ring"		job 'del(.ring)'
wrong "one job of several"		job 'if .ctx == 2 then .more = 1 else . end'
wrong "a time as text"			job '.total_ns = "1"'
wrong "an event without a count"	events 'del(.events[0].count)'
wrong "an event of unknown count"	events '.events[0].count = null'
wrong "a reason that is not there"	why 'del(.[keys_unsorted[0]])'
wrong "a frame without a verdict"	frames 'del(.frames[0].verdict)'
wrong "a verdict that is none"		frames '.frames[0].verdict = "early"'
wrong "frames that nobody counts"	frames 'del(.processes)'
wrong "a move without its bytes"	memory 'del(.moves[0].bytes)'
wrong "live bytes as text"		memory '.live[0].live_end_bytes = "1"'
wrong "a scope that is none"		memory '.memory[0].scope = "some"'
head -c 100 report.json > part.json
"$gen" pair exported.grt && "$grtrace" export --to json exported.grt > exported.json
keeps "export: the report" report.schema.json report 0 jq -c .report exported.json
keeps "export: a job" report.schema.json job 0 jq -c '.jobs[0]' exported.json
breaks "wrong: part of a document" report.schema.json report part.json
: > none.json
breaks "wrong: no document" report.schema.json report none.json
breaks "wrong: a job for a report" report.schema.json report job.json
breaks "wrong: a report for a job" report.schema.json job report.json

# So are schemas with fewer or more keys.
other()		# name, what to do to the schema
{
	nr=$((nr + 1))
	jq "$2" report.schema.json > schema-$nr.json || exit 1
	breaks "$1" schema-$nr.json report report.json
}

other "a key that it does not know"	'del(.["$defs"].report.properties.blame)'
other "a key in a table"		'del(.["$defs"].trace.properties.cut)'
other "a key that is not there"		'.["$defs"].trace.required += ["more"]'
other "another type"			'.["$defs"].trace.properties.jobs.type = "string"'
compare_documents
end
