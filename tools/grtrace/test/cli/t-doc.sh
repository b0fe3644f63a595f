#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: every command has a manual page, and both name the same options
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

man=$tools/man

# -o --output FILE, one line each; all have --help
help_options()
{
	"$grtrace" "$1" -h | sed -nE 's/^  +(-.{0,24}[^ ])  +.*/\1/p; s/^  (-.{25,}) .*/\1/p' |
		tr -d , | tr -s ' ' | grep -v -e '--help' | sort
}

# The tags of the section OPTIONS, without their fonts.
page_options()
{
	awk '/^\.SH/ { in_options = /^\.SH OPTIONS$/ } in_options && tag { print } { tag = /^\.TP/ }' \
		"$man/grtrace-$1.1" |
		sed -E 's/^\.[BIR]+ //; s/\\f[BIPR]//g; s/\\-/-/g; s/[",]//g' |
		tr -s ' ' | sed 's/ $//' | grep -v -e '--help' | sort
}

agree()
{
	help_options "$1" > out
	page_options "$1" > err
	cmp -s out err
}

commands=$("$grtrace" -h | awk 'NF && /^  [a-z]+ +[a-z]/ && $1 != "grtrace" { print $1 }')
ok "there are commands"			[ "$(echo "$commands" | wc -l)" -ge 7 ]
ok "options are found"			[ "$(help_options record | wc -l)" -ge 5 ]
for command in $commands; do
	ok "$command: help is printed"	run 0 "$grtrace" help "$command"
	ok "$command: page and help agree" agree "$command"
	ok "$command: the overview names it" grep -q "grtrace.-$command (1)" "$man/grtrace.1"
	if command -v man > /dev/null; then
		ok "$command: the page is sound" run 0 man --warnings=w -l "$man/grtrace-$command.1"
		ok "$command: without a warning" [ ! -s err ]
	fi
done
# What "help TABLE" prints.
tables=$("$grtrace" -h | awk '/^  grtrace help [a-z]/ && NF > 3 { print $3 }')
names() { "$grtrace" help "$1" | cut -d " " -f 1; }
tags()		# section, page
{
	awk -v section="^.SH $1" '/^\.SH/ { is_on = $0 ~ section } is_on && tag { print } { tag = /^\.TP/ }' \
		"$man/$2.1" | sed "s/^\.BR* //" | tr -d ',"' | tr -s " " "\n"
}
same() { echo "$1" > out; echo "$2" > err; [ -s out ] && cmp -s out err; }
ok "there are tables"			[ "$(echo "$tables" | wc -l)" -ge 5 ]
ok "the overview names each table"	same "$tables" "$(tags TABLES grtrace)"
for table in $tables; do
	ok "$table: has rows"		[ "$(names "$table" | grep -c .)" -ge 5 ]
	ok "$table: a name is there once" [ -z "$(names "$table" | sort | uniq -d)" ]
done
ok "the page has each flag"		same "$(names flags)" "$(tags "FLAGS OF A JOB" grtrace-report)"
ok "the page has each column"		same "$(names columns)" \
	"$(sed -n "/^device,ring/,/^\.fi/p" "$man/grtrace-report.1" | grep -v "^\.fi" | tr "," "\n" | grep .)"
"$gen" scene chain > trace || exit 1
ok "reports have these columns"		same "$(names columns)" "$("$grtrace" report --jobs -f csv trace | head -n 1 | tr "," "\n")"
# Where the table of drivers says "see below" of the start of jobs, the driver has a row for it below.
starts_are_below()
{
	"$build/gen-drivers" > out 2> err || return 1
	awk '/^How it is known/ { is_below = 1 }
		!is_below && /^   \* - ``/ { name = $3; gsub("`", "", name); nr = 0; next }
		!is_below && /^     -/ && ++nr == 5 && /see below/ { wants[name] = 1; n++ }
		is_below && /^[a-z0-9_]+$/ { name = $0 }
		is_below && /^   \* - start$/ { has[name] = 1 }
		END { for (name in wants) if (!has[name]) { print name; bad = 1 } exit bad || !n }' out > err
}
ok "the start of jobs"			starts_are_below
# What record refuses: "--keep needs --rotate", a line for each option and each other one.
record_rules()
{
	sed -n '/ rules\[\] = {/,/OPT_RULES_END/p' "$tools/cmd/record.c" | tr -d '\n\t' |
		grep -oE 'OPT_(REFUSES|NEEDS)\("[^"]*", *"[^"]*"' |
		awk -F '"' '{
			how = /^OPT_NEEDS/ ? "needs" : "not with"
			n = split($4, others, " ")
			for (i = 1; i <= n; i++)
				print "--" $2, how, "--" others[i]
		}' | sort
}

page_rules()
{
	awk '/^\.SH/ { is_on = /OPTIONS THAT EXCLUDE EACH OTHER/; option = "" }
		!is_on { next }
		/^\.TP/ { is_tag = 1; next }
		/^\.PP/ { option = ""; next }
		{ gsub(/\\-/, "-") }
		is_tag { option = $2; how = "?"; is_tag = 0; next }
		$0 == "needs" || $0 == "not with" { how = $0 }
		option { while (match($0, /--[a-z-]+/)) {
			print option, how, substr($0, RSTART, RLENGTH)
			$0 = substr($0, RSTART + RLENGTH)
		} }' "$man/grtrace-record.1" | sort
}
ok "record: there are rules"		[ "$(record_rules | wc -l)" -ge 40 ]
ok "record: the page has each rule"	same "$(record_rules)" "$(page_rules)"
ok "the version"			run 0 "$grtrace" --version
ok "the version is one"			grep -qE '^grtrace [0-9]+\.[0-9]+' out
ok "no command is wrong usage"		run 2 "$grtrace"
ok "no such command to help with"	complains 2 "no command" "grtrace" "$grtrace" help nothing
end
