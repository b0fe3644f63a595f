#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the JSON of report is what its published schema says, no key more and no key less
# The functions are called through ok(); $2 and the like are for awk or jq.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

if ! command -v jq > /dev/null; then
	echo "1..0 # SKIP no jq on this machine"
	exit 0
fi
schema=$unit/../../../Documentation/report.schema.json

# What of JSON Schema the file uses; prints what it objects to.
cat > check.jq <<'END'
def kind: if type == "number" and . == floor then "integer" else type end;
def fits($type): kind as $is | [$type] | flatten | any(. == $is or (. == "number" and $is == "integer"));
def check($s; $at):
	if $s["$ref"] then
		check($schema[0]["$defs"][$s["$ref"] | ltrimstr("#/$defs/")]; $at)
	elif $s.anyOf then
		[. as $value | $s.anyOf[] as $one | [$value | check($one; $at)]] as $all
		| if $all | any(length == 0) then empty else $all[0][] end
	elif $s.type and (fits($s.type) | not) then
		"\($at): \(kind), not \($s.type)"
	elif type == "object" then
		($s.required // [] | .[]) as $key | select(has($key) | not) | "\($at): no \($key)"
	else empty end,
	if ($s["$ref"] or $s.anyOf) then empty
	elif type == "object" then
		to_entries[] | . as $e
		| if $s.properties[$e.key] then $e.value | check($s.properties[$e.key]; "\($at).\($e.key)")
		  elif $s.additionalProperties == false then "\($at): nobody knows \($e.key)"
		  else empty end
	elif type == "array" and $s.items then
		to_entries[] | . as $e | $e.value | check($s.items; "\($at)[\($e.key)]")
	else empty end;
check($schema[0]["$defs"][$which]; $which)
END

keeps()		# definition, then options of report
{
	def=$1
	shift
	"$grtrace" report -f json "$@" > out 2> err || return 1
	[ -s out ] || return 1
	jq -r --slurpfile schema "$schema" --arg which "$def" -f check.jq out > bad 2>> err || return 1
	head -5 bad >> err
	: > out
	[ ! -s bad ]
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
