# SPDX-License-Identifier: GPL-2.0
# Sourced by tests of outputs that have a published schema, after tap.sh.
# shellcheck shell=sh disable=SC2034
if ! command -v jq > /dev/null; then
	echo "1..0 # SKIP no jq on this machine"
	exit 0
fi

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

# The output is what the schema says: no key more and no key less.
keeps_schema()	# schema, definition, expected exit code, then the command
{
	schema_file=$1 def=$2 code=$3
	shift 3
	run "$code" "$@" || return 1
	[ -s out ] || return 1
	jq -r --slurpfile schema "$schema_file" --arg which "$def" -f check.jq out > bad 2>> err ||
		return 1
	head -5 bad >> err
	: > out
	[ ! -s bad ]
}
