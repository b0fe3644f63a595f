#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Some test case uses every word of a rule and of an event that is written by hand.  The words come
# from the tables of the code, so a new word without a case is found.  The case
# every-file-and-key-is-typed does the same for the files and keys that the module lists.
# shellcheck disable=SC2016,SC2001 # the dollars are those of the cases
set -uo pipefail
cd -- "$(dirname -- "$0")/../../../../.." || exit 3
rules=drivers/gpu/grtrace/control/rules_cmd.c
cases=tools/testing/selftests/grtrace/cases
grtrace=tools/grtrace/build/grtrace
rule_words=tools/grtrace/build/test/make/rule-words
number=0
echo "TAP version 13"
make -s -C tools/grtrace build/grtrace build/test/make/rule-words >/dev/null 2>&1

# What the cases do: without their comments.
text=$(grep -hv '^[[:blank:]]*#' $cases/lib.sh $cases/*/*.sh)

# result TEXT: it holds if nothing is in $missing, whose lines say what does not
result()
{
	number=$((number + 1))
	if [ -z "$missing" ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		sed "s/^/# /" <<<"$missing"
	fi
}

# expect_typed TEXT PATTERN...: replaces each @ of the extended regular expressions by each line of
# standard input; one of them must then match in a case. Fails if there are no lines.
expect_typed()
{
	local what=$1 word escaped pattern found count=0
	missing=""
	shift
	while read -r word; do
		count=$((count + 1)) found=""
		escaped=$(sed 's/[][(){}.*+?^$|\\]/\\&/g' <<<"$word")
		for pattern; do
			if grep -qE -e "${pattern//@/$escaped}" <<<"$text"; then
				found=y
				break
			fi
		done
		[ -n "$found" ] || missing+="no case types: $word"$'\n'
	done
	[ $count -gt 0 ] || missing="nothing was found in the code"
	result "$what ($count)"
}

# words KIND: of rules
words() { "$rule_words" | sed -n "s/^$1 //p"; }

expect_typed "every metric of rules" "\brule '@ " < <(words metric)
expect_typed "every stage that only reports know, as a rule that is refused" "\brefused ['\"]@ " "for stage in.* @[ ;]" < <(words stage)
missing=$(diff <("$grtrace" help stages | sed "s/ .*//" | sort) <({ words metric; words stage; } | grep -vx status | sort))
result "rules know of all stages of reports, and of no others"
expect_typed "every operator of rules" "\brule '[a-z_]+ @ " < <(words op)
expect_typed "every unit of rules" "\brule '[a-z_]+ [<>=!]+ [0-9]+@ " < <(words unit)
expect_typed "every action of rules" "\brule '[^']* action=@ " < <(words action)
# They are in no table: strcmp() knows them.
expect_typed "every word of rules that is no rule" "\brule ['\"]?@\b" < <(
	sed -nE 's/.*strcmp\(line, "([a-z]+)"\).*/\1/p; s/.*strncmp\(line, "([a-z]+) ".*/\1/p' $rules
	sed -nE 's/.*strncmp\(line, "([a-z]+) ".*/\1/p' $rules)
# The file emit tells of its types, engines and flags; cases take them from there.
for what in TYPE ENGINE FLAG; do
	expect_typed "every $what of emit" 'for .* in \$\(emit_words @\)' <<<"$what"
done
echo "1..$number"
