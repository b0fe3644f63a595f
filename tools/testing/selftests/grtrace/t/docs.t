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
	grep -F -A 1 -- "\`\`$file\`\`" $manual | grep -qF -- "- $mode" ||
		missing+="$manual does not say: $file has mode $mode"$'\n'
done < <(sed -n 's/^\t{ "\([a-z_]*\)",[ \t]*\(0[0-7]*\),.*/\1 \2/p' $src/control/files.c)
[ "$count" -gt 0 ] || missing="nothing was found in the code"
[ -z "$missing" ]
result $? "every control file, with its mode ($count)"

expect_all "every config key" < <(sed -n 's/^\t{ "\([a-z_]*\)",[ \t]*&grt_.*/* - ``\1``/p' $src/control/config.c)
expect_all "every key is a module parameter, with autostart and enabled" < <(
	sed -n 's/^\t{ "\([a-z_]*\)",[ \t]*&grt_.*/``\1``/p' $src/control/config.c
	printf '``autostart``\n``enabled``\n``trace_pipe``\n')
missing=$(comm -23 <(sed -n 's/^\t{ "\([a-z_]*\)",[ \t]*&grt_.*/\1/p' $src/control/config.c | sort) \
	<(sed -n 's/^KEY_PARAM(\(.*\));/\1/p' $src/control/params.c | sort))
[ -z "$missing" ]
result $? "every config key has a KEY_PARAM"
expect_all "every name in stats" < <(
	sed -n 's/^\tseq_printf(m, "\([a-z_]*\)=%.*/``\1``/p' $src/control/stats.c
	sed -n 's/^\tX([A-Z_]*,[ \t]*\([a-z_]*\),[ \t]*[0-9]*, ".*/``\1``/p' include/uapi/linux/grtrace.h |
		sed -n '/^``written``/,/^``disabled``/p')
expect_all "every word of control" < <(sed -n 's/^\t{ "\([a-z]*\)",[ \t]*grt_session_.*/``\1``/p' $src/control/files.c)

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
