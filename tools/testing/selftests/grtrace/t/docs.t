#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The manuals name everything that 'grtrace help TABLE' prints, and the generated manual is current.
# The case manual-names-what-there-is checks the files, keys and statistics of the module.
# shellcheck disable=SC2001,SC2016 # the backquotes are the manual's
set -uo pipefail
cd -- "$(dirname -- "$0")/../../../../.." || exit 3
grtrace=tools/grtrace/build/grtrace
manual=Documentation/control-files.rst
number=0
echo "TAP version 13"
make -s -C tools/grtrace build/grtrace build/format.rst build/drivers.rst >/dev/null 2>&1

result()	# STATUS TEXT: what was missing is in $missing
{
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed 's/^/# /' <<<"$missing"
	fi
}

# expect_all TEXT: the manual must contain each line of standard input; fails if there are no lines
expect_all()
{
	local wanted count=0
	missing=""
	while read -r wanted; do
		count=$((count + 1))
		grep -qF -- "$wanted" "$manual" || missing+="$manual does not say: $wanted"$'\n'
	done
	[ "$count" -gt 0 ] || missing+="nothing was found in the code"
	[ -z "$missing" ]
	result $? "$1 ($count)"
}

expect_all "every fate" < <("$grtrace" help fates | sed 's/ .*//; s/.*/``&``/')
# Rows like "* - ``sample``, ``sampling``", and in the manual page tags like ".B sample, sampling".
manual_keys() { sed -n '/^Keys$/,/^Each key has a file/s/^   [*] - \(``.*\)/\1/p' $manual | tr -d '`' | sed 's/, /\n/g' | sort; }
page_keys()
{
	awk '/^\.SH/ { in_keys = /KEYS/ } in_keys && tag { print } { tag = /^\.TP/ }' \
		tools/grtrace/man/grtrace-config.1 | sed 's/^\.B //; s/, /\n/g' | sort
}
missing=$(diff <(manual_keys) <(page_keys) | sed -n 's/^</not in the manual page:/p; s/^>/no such key:/p')
[ -n "$(page_keys)" ] || missing="grtrace-config.1 has no keys"
[ -z "$missing" ]
result $? "grtrace-config(1) has every key and alias of $manual, and no other"
# The rows of the tables "Modules" and "Commands" of the overview
overview_rows()	# TITLE
{
	awk -v title="$1" 'last == title && /^=/ { in_table = 1; next } in_table && /^=/ { exit }
		in_table { print } { last = $0 }' Documentation/overview.rst |
		sed -n 's/^   \* - ``\(grtrace [a-z]*\|grtrace[a-z0-9_]*\)``$/\1/p' | sort
}
missing=$(diff <(sed -n 's/^obj-\$(CONFIG_[A-Z0-9_]*) += \(.*\)\.o$/\1/p' drivers/gpu/grtrace/Kbuild | sort) <(overview_rows Modules))
[ -n "$(overview_rows Modules)" ] && [ -z "$missing" ]
result $? "the overview has every module, and no other"
missing=$(diff <(sed -n 's/^\tX(\([a-z]*\),.*/grtrace \1/p' tools/grtrace/cmd/commands.h | sort) <(overview_rows Commands))
[ -n "$(overview_rows Commands)" ] && [ -z "$missing" ]
result $? "the overview has every command, and no other"
manual=Documentation/import.rst
expect_all "every event that imports understand" < <("$grtrace" help imports | sed 's/.*/``&``/')
expect_all "every flag of what an import infers" < <(
	"$grtrace" help flags | sed -nE 's/^(inferred_(key|end|complete)) .*/``\1``/p')
# What adapters probe: "MODULE TRACEPOINT", from their tables and from the table in the manual.
adapter_probes()
{
	local file
	for file in drivers/gpu/grtrace/adapters/*.c; do
		sed -n '/\.names = {\|PROBE(\|\.symbol_name = "/{ s/\.module = "[a-z0-9_]*"//; s/[^"]*"\([a-z0-9_]*\)"[^"]*/\1 /gp }' "$file" |
			tr -s ' ' '\n' | sed -n "s/^[a-z]/grtrace_$(basename "$file" .c) &/p"
	done | sort -u
}

written_probes()
{
	awk '/^FREQUENCY/ { exit }
		/^   \* -/ { cell = 0 }
		/^(   \*|    ) -/ { cell++ }
		cell == 2 && match($0, /``grtrace_[a-z0-9_]*``/) { module = substr($0, RSTART + 2, RLENGTH - 4) }
		cell > 2 { text = $0
			while (match(text, /``[a-z0-9]+_[a-z0-9_]*``/)) {
				name = substr(text, RSTART + 2, RLENGTH - 4)
				text = substr(text, RSTART + RLENGTH)
				if (name !~ /^(num_ibs|hw_done_ns)$/) print module, name
			} }' Documentation/producers.rst | sort -u
}

missing=$(diff <(written_probes) <(adapter_probes))
[ -z "$missing" ] && [ "$(adapter_probes | wc -l)" -gt 40 ]
result $? "which module makes which event: the table (<) has all that adapters probe (>)"

for made in format drivers; do
	missing="make -C tools/grtrace format does not give what is checked in: run it and commit"
	cmp -s tools/grtrace/build/$made.rst Documentation/$made.rst
	result $? "Documentation/$made.rst is what the tables generate"
done
version=$(sed -n 's/^#define GRT_VERSION[[:space:]]*"\(.*\)"/\1/p' drivers/gpu/grtrace/version.h)
missing="version.h has $version"
[ -n "$version" ] && [ "$(sed -n "s/^## \([0-9.]*\), .*/\1/p" CHANGELOG.md | head -n 1)" = "$version" ] &&
	[ "$(sed -n "1s/^grtrace (\(.*\)) .*/\1/p" debian/changelog)" = "$version" ] &&
	[ "$("$grtrace" --version)" = "grtrace $version" ]
result $? "the newest entries of both changelogs are about this version"
# a path from the top, or from one of these folders
missing=$(grep -hoE '`[A-Za-z_/.0-9-]+[./][A-Za-z_/.0-9-]+`' Documentation/architecture.rst CONTRIBUTING.md \
	{drivers,drivers/gpu/grtrace,include,bench,scripts,tools,tools/grtrace{,/bpf},tools/testing/selftests/grtrace}/README.md \
	drivers/gpu/grtrace/FAQ.md | tr -d '`' | sort -u |
	while read -r path; do
		case $path in *NAME* | events0* | *.ko | trace.dat) continue ;; esac
		for from in . tools/grtrace tools/testing/selftests/grtrace{,/cases} tools/grtrace/bpf tools/grtrace/{test,lib/{model,sink}} drivers{,/gpu,/gpu/grtrace} \
			include tools Documentation; do
			[ ! -e "$from/$path" ] || continue 2
		done
		echo "no $path"
	done)
[ -z "$missing" ]
result $? "every file that the map names is there"
echo "1..$number"
