#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every control command that a user could type is typed by a test case: the names come
# from the tables of the code, so that a new one without a case is found.
# shellcheck disable=SC2016,SC2001 # the dollars are those of the cases
set -uo pipefail
cd -- "$(dirname -- "$0")/../../../../.." || exit 3
src=drivers/gpu/grtrace
cases=tools/testing/selftests/grtrace/cases
number=0
echo "TAP version 13"

# What the cases do: without their comments.
text=$(grep -hv '^[[:blank:]]*#' $cases/*.sh)

# expect_typed TEXT PATTERN...: each line of standard input, put for every @ of an extended
# regular expression, makes one of them match in some case; no line at all proves nothing
expect_typed()
{
	local what=$1 word escaped pattern found count=0 missing=""
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
		[ -n "$found" ] || missing+="# no case types: $word"$'\n'
	done
	[ $count -gt 0 ] || missing="# nothing was found in the code"$'\n'
	number=$((number + 1))
	if [ -z "$missing" ]; then
		echo "ok $number - $what ($count)"
	else
		printf 'not ok %d - %s\n%s' $number "$what" "$missing"
	fi
}

# { "control", 0600, ... } of the tables, and X(filter_pid, ...) of one that makes rows of it
files()	# MODE
{
	sed -nE "s/^\t\{ \"([a-z_]*)\",[ \t]*($1),.*/\1/p" $src/control/files.c $src/ext/*.c
	[ "$1" = 0400 ] || sed -nE 's/^\tX\((filter_[a-z]*),.*/\1/p' $src/ext/filter_setup.c
}
keys() { sed -nE 's/^\t\{ \.name = "([a-z_]*)".*/\1/p' $src/control/keys.c; }
aliases() { sed -nE 's/.* \.alias = "([a-z_]*)".*/\1/p' $src/control/keys.c; }
# words of a table in C: those of the lines from one that matches up to its end
table() { sed -n "/$2/,/};/p" "$src/$1"; }

# That it is written, not just looked at: a file behind '>', or a word of lib.sh
write='(> ?"?\$(GRT_DIR|dir)/@"?|\b(put|takes|refused|expect_refused) @)\b'
expect_typed "every control file that can be written" "$write" \
	'^\t*[a-z_]*\(\) \{ echo .* >"\$GRT_DIR/@"' '^emit\(\).*/@"' < <(files 0600)
expect_typed "every control file that can be read" '(\$GRT_DIR|\$dir)/@\b' '\b(for|in) .*\b@\b' \
	'\b(sum|rows|samples) @\b' < <(files 0400)
expect_typed "every key, as a line of config or a file" '\b@=' "$write" < <(keys)
expect_typed "every alias" '\b@=' "$write" < <(aliases)
expect_typed "every word of a key, with its key" "@" < <(
	awk -F'"' '/^\t\{ \.name = "/ { key = $2 }
		/\.words = "/ { for (i = 1; i < NF; i++) if ($i ~ /\.words = $/) print key, $(i + 1) }' $src/control/keys.c |
		while read -r key words; do
			for word in ${words//\// }; do
				grep -oiE -m 1 -e "\b(takes )?${key}[ =]$word\b" <<<"$text" || echo "$key=$word"
			done
		done)
expect_typed "every word of control" '\bctl @("|$| )' 'echo "?@"?( 2>/dev/null)? ?>"?\$(GRT_DIR|dir)/control' \
	'echo "?@"? >&[0-9]' < <(
	table control/files.c 'control_words\[\]' | sed -nE 's/^\t\{ "([a-z_ ]*)",.*/\1/p')
expect_typed "every profile" 'for profile in.* @( |;)' 'profile=@\b' < <(
	sed -nE '/^static const char \* const names\[\]/{s/.*\{(.*)\}.*/\1/; s/[", ]+/\n/g; p}' $src/control/profile.c | grep .)
expect_typed "every metric of rules" "\brule '@ " < <(
	table policy/rule.c '} metrics\[\]' | sed -nE 's/^\t\{ "([a-z_]*)",.*/\1/p')
expect_typed "every stage that only reports know, as a rule that is refused" "\brefused ['\"]@ " "for stage in.* @[ ;]" < <(
	table policy/rule.c 'elsewhere\[\]' | grep -oE '"[a-z_]+"' | tr -d '"')
expect_typed "every operator of rules" "\brule '[a-z_]+ @ " < <(
	table policy/rule.c '} ops\[\]' | grep -oE '"[<>=!]+"' | tr -d '"')
expect_typed "every unit of rules" "\brule '[a-z_]+ [<>=!]+ [0-9]+@ " < <(
	table policy/rule.c '} units\[\]' | grep -oE '"[a-z]+"' | tr -d '"')
expect_typed "every word of rules that is no rule" "\brule ['\"]?@\b" < <(
	sed -nE 's/.*strcmp\(line, "([a-z]+)"\).*/\1/p; s/.*strncmp\(line, "([a-z]+) ".*/\1/p' $src/control/rules_cmd.c
	sed -nE 's/.*strncmp\(line, "([a-z]+) ".*/\1/p' $src/control/rules_cmd.c)
expect_typed "every mode of sampling" '\bput sampling_mode @\b' < <(
	sed -n '/mode_names\[\]/,/};/p' $src/ext/sampling.c | grep -oE '"[a-z]+"' | tr -d '"')
# The file emit tells of its types, engines and flags; cases take them from there.
for what in TYPE ENGINE FLAG; do
	expect_typed "every $what of emit" 'for .* in \$\(emit_words @\)' <<<"$what"
done
echo "1..$number"
