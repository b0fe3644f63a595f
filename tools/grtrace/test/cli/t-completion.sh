#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: bash completes every command, option and name that the help lists
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# Prints the words that bash would offer for the last of these words.
cat > complete <<'END'
. "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
declare -F _command_offset >/dev/null || _command_offset() { COMPREPLY=("program $1"); }
_grtrace
printf '%s\n' "${COMPREPLY[@]}"
END
offers() { bash complete "$build/grtrace.bash" "$@" | sort -u; }

# What the help says, read in another way than by the generator.
commands=$("$grtrace" -h | sed -n '/^  record /,/^$/s/^  \([a-z]*\) .*/\1/p')
tables=$("$grtrace" -h | awk '/^  grtrace help [a-z]/ && NF > 3 { print $3 }')
options() { "$grtrace" "$1" -h | grep -oE '^  (-[A-Za-z], |    )--[A-Za-z-]+' | tr -d , | tr -s ' ' '\n' | grep . | sort -u; }
names() { "$grtrace" help "$1" | cut -d ' ' -f 1 | sort -u; }
lines() { tr -s ' ' '\n' | grep . | sort -u; }

same()		# expected lines, then the words on the line
{
	echo "$1" > out
	shift
	offers "$@" > err
	[ -s out ] && cmp -s out err
}

: > trace.grt
: > 'two words'
ok "the commands"			same "$(echo "$commands" help -h --help --version | lines)" grtrace ''
ok "a part of a command"		same "$(printf 'record\nrepair\nreport\n')" grtrace re
ok "a part of a command that is one"	same record grtrace record
for command in $commands; do
	ok "$command: every option"	same "$(options "$command")" grtrace "$command" -
done
ok "parse_events: every option"		same "$(options dump)" parse_events -
ok "options alone are those of report"	same "$(echo "$(options report)" --version | lines)" grtrace -
ok "help: commands and tables"		same "$(echo "$commands" "$tables" | lines)" grtrace help ''
ok "the names of types"			same "$(names types)" grtrace record --type ''
ok "the names of engines"		same "$(names engines)" grtrace report --engine ''
ok "the names of stages"		same "$(names stages)" grtrace diff --stage ''
ok "the last of several names"		same "$(printf 'SUBMIT,COMMIT\nSUBMIT,COMPLETE\n')" grtrace dump --type SUBMIT,COM
ok "words that the help lists"		same "$(printf 'csv\njson\ntext\n')" grtrace diff --format ''
ok "the same after a letter"		same "$(printf 'csv\njson\ntext\n')" grtrace report -f ''
ok "the same after ="			same "$(printf 'csv\njson\ntext\n')" grtrace report --format =
ok "a part of them after ="		same json grtrace report --format = j
ok "the kinds of histograms"		same "$(printf 'lat,result\n')" grtrace report --hist lat,r
ok "a file"				same trace.grt grtrace report tr
ok "a file with a blank"		same 'two words' parse_events tw
ok "a file after an option"		same trace.grt grtrace record -o tr
ok "nothing after a number"		same '' grtrace report --limit tr
ok "the program of record"		same 'program 6' grtrace record -o trace.grt -q -- ls -
ok "the same without --"		same 'program 6' grtrace record --duration = 1s -q ls ''
ok "no file where none is taken"	same '' grtrace status tr
end
