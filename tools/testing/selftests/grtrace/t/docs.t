#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The manual names what the code has: control files with their modes, config keys with
# their bounds and defaults, statistics, fates; and the generated part is current.
# shellcheck disable=SC2001,SC2016 # the backquotes are the manual's
set -uo pipefail
cd -- "$(dirname -- "$0")/../../../../.." || exit 3
src=drivers/gpu/grtrace
manual=Documentation/control-files.rst
number=0
echo "TAP version 13"

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

# expect_all TEXT: every line of standard input must be a literal part of the manual;
# no line at all proves nothing
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

# { "control", 0600, ... } in files.c; in the table its name, then its mode
count=0 missing=""
while read -r file mode; do
	count=$((count + 1))
	cat $manual Documentation/modules.rst | grep -F -A 1 -- "\`\`$file\`\`" | grep -qF -- "- $mode" ||
		missing+="$manual does not say: $file has mode $mode"$'\n'
done < <(sed -n 's/^\t{ "\([a-z_]*\)",[ \t]*\(0[0-7]*\),.*/\1 \2/p' $src/control/files.c $src/ext/*.c)
[ "$count" -gt 0 ] || missing="nothing was found in the code"
[ -z "$missing" ]
result $? "every control file, with its mode ($count)"

# { .name = "sample", .alias = "sampling", ... } in keys.c
keys() { sed -n 's/^\t{ .name = "\([a-z_]*\)".*/\1/p' $src/control/keys.c; }
aliases() { sed -n 's/.* .alias = "\([a-z_]*\)".*/\1/p' $src/control/keys.c; }
actions() { sed -n 's/^\t{ .name = "\([a-z_]*\)".*is_action.*/\1/p' $src/control/keys.c; }

expect_all "every config key" < <(keys | sed 's/.*/``&``/')
expect_all "every alias, behind its key" < <(aliases | sed 's/.*/, ``&``/')
expect_all "every name of a number" < <(
	sed -n 's/.*\.words = "\([a-z_ /]*\)".*/\1/p' $src/control/keys.c | tr '/' ' ' | tr ' ' '\n' | sort -u)
expect_all "every example is of a key that is" < <(
	sed -n 's/.*Example: ``\([a-z_]*\)=.*/\1/p' $manual | sort -u | while read -r key; do
		{ keys; aliases; } | grep -x "$key" >/dev/null && echo "\`\`$key\`\`" || echo "no key $key"
	done)
missing=$(comm -23 <(keys | sort) <(sed -n 's/.*Example: ``\([a-z_]*\)=.*/\1/p' $manual | sort -u) |
	grep -vx 'buffer_size\|global_seq\|clock\|watch_.*')
[ -z "$missing" ]
result $? "every key has an example"
# { "sample", { "100", ... } } in profile.c; in the manual a line each, "-" = left alone
missing=""
count=0
while read -r line; do
	count=$((count + 1))
	sed -n '/^Profiles$/,/^What it costs$/p' Documentation/policy.rst | tr '\n' ' ' | tr -s ' ' |
		grep -F -- "$line" >/dev/null || missing+="Documentation/policy.rst does not say: $line"$'\n'
done < <(sed -n 's/^\t{ "\([a-z_]*\)",[ \t]*{ "\([^"]*\)",[ \t]*"\([^"]*\)",[ \t]*"\([^"]*\)",[ \t]*"\([^"]*\)".*/* - ``\1`` - \2 - \3 - \4 - \5/p' \
	$src/control/profile.c)
[ "$count" -gt 5 ] || missing="nothing was found in the code"
[ -z "$missing" ]
result $? "every setting of a profile ($count)"
expect_all "autostart and enabled are module parameters" < <(
	printf '``autostart``\n``enabled``\n``trace_pipe``\n')
missing=$(comm -23 <(comm -23 <({ keys; aliases; } | sort) <(actions | sort)) \
	<(sed -n 's/^KEY_PARAM(\([a-z_]*\),.*/\1/p' $src/control/params.c | sort))
[ -z "$missing" ]
result $? "every config key and alias has a KEY_PARAM"
manual=Documentation/modules.rst
expect_all "every name in sampling_stats" < <(
	sed -n '/^#define COUNTERS/,/^$/p' $src/ext/sampling.c | grep -o 'X([a-z_]*)' | sed 's/X(\(.*\))/``\1``/'
	sed -n 's/^\t*seq_p[a-z]*(m, "\([a-z_]*\)=%*.*/``\1``/p' $src/ext/sampling.c | grep -v mode)
manual=Documentation/control-files.rst
expect_all "every name in stats" < <(
	sed -n 's/^\t*seq_p[a-z]*(m, "\([a-z_]*\)=.*/``\1``/p' $src/control/stats.c $src/control/stats_tables.c
	sed -n 's/^\tX([A-Z_]*,[ \t]*\([a-z_]*\),[ \t]*[0-9]*, ".*/``\1``/p' include/uapi/linux/grtrace.h |
		sed -n '/^``written``/,/^``disabled``/p')
expect_all "every word of control" < <(sed -n '/control_words\[\]/,/};/s/^\t{ "\([a-z_ ]*\)",.*/``\1``/p' $src/control/files.c)
expect_all "every column of the tables of statistics, every result" < <(
	sed -n -e 's/^\tseq_puts(m, "\(.*\)\\n");/\1/p' -e 's/^\tseq_printf(m, "\([a-z]*\),%llu\\n".*/\1/p' $src/control/stats_tables.c |
		sed 's/" FATE_COLUMNS "*//' | tr , '\n' | sed -n 's/..*/``&``/p')

manual=Documentation/import.rst
expect_all "every event that imports understand" < <(
	sed -nE 's/^\t(\{ |[A-Z0-9]+\()"([a-z0-9_]+)", grt_take_.*/``\2``/p' tools/grtrace/lib/import/kinds.c)
expect_all "every flag of what an import infers" < <(
	sed -nE 's/^\tX\(INFERRED_[A-Z]+,[ \t]*(inferred_(key|end|complete)),.*/``\1``/p' tools/grtrace/lib/model/job.h)
missing="make -C tools/grtrace format does not give what is checked in: run it and commit"
make -s -C tools/grtrace build/format.rst >/dev/null 2>&1
cmp -s tools/grtrace/build/format.rst Documentation/format.rst
result $? "Documentation/format.rst is what the tables generate"
echo "1..$number"
