#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the JSON of report is what its published schema says, no key more and no key less
# The functions are called through ok(); $2 and the like are for awk or jq.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# shellcheck source=SCRIPTDIR/schema.sh
. "$unit/schema.sh"

schema=$unit/../../../Documentation/report.schema.json

keeps()		# definition, then options of report
{
	def=$1
	shift
	keeps_schema "$schema" "$def" 0 "$grtrace" report -f json "$@"
}

all="--per-ring --per-device --per-engine --per-process --per-client --per-ctx --idle --blame --overhead"
histograms="--hist lat,size,result"

# A schema that knows less or wants more must be noticed.
notices()	# what to do to the schema
{
	real=$schema
	jq "$1" "$real" > broken.json
	schema=broken.json
	keeps report chain
	got=$?
	schema=$real
	: > err
	[ "$got" -ne 0 ]
}

ok "the schema is JSON"			run 0 jq -e '.["$defs"] | length > 4' "$schema"
"$gen" scenes > scenes || exit 1
while read -r scene key; do
	"$gen" scene "$scene" > "$scene" || exit 1
	ok "$scene: first screen"	keeps report "$scene"
	# shellcheck disable=SC2086	# options are words
	ok "$scene: all tables"		keeps report $all $histograms "$scene"
	ok "$scene: a job a line"	keeps job --jobs "$scene"
	ok "$scene: why"		keeps why --why "$key" "$scene"
done < scenes
ok "a key that it does not know"	notices 'del(.["$defs"].report.properties.blame)'
ok "a key in a table"			notices 'del(.["$defs"].trace.properties.cut)'
ok "a key that is not there"		notices '.["$defs"].trace.required += ["more"]'
ok "another type"			notices '.["$defs"].trace.properties.jobs.type = "string"'
end
