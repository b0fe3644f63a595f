#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: programs build with the installed files only, and the library exports only its API
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# A sanitizer's library cannot be loaded into a plain program.
case $build in
*/asan)	echo "1..0 # SKIP the plain build is tested"; exit 0 ;;
esac

cat > sample.c <<'END'
#include <stdio.h>

#include <grtrace.h>

int main(int argc, char **argv)
{
	const struct grtrace_hdr *rec;
	struct grtrace *trace;
	unsigned long submits = 0;
	const char *name = "";

	if (argc != 2 || grtrace_open(&trace, argv[1])) {
		printf("%s (%s)\n", grtrace_error(), grtrace_hint());
		return 1;
	}
	while (grtrace_next(trace, &rec) == 1) {
		const struct grtrace_submit *submit = (const void *)rec;

		if (rec->type != GRTRACE_SUBMIT)
			continue;
		submits++;
		if (grtrace_ring_of(trace, submit->ring))
			name = grtrace_ring_of(trace, submit->ring)->name;
	}
	printf("%lu %s %s %lu\n", submits, name, grtrace_process_of(trace, 100)->comm,
	       (unsigned long)grtrace_lost(trace, GRTRACE_FATE_BUFFER_FULL));
	grtrace_close(trace);
	return 0;
}
END

prefix=$dir/usr
exports() { nm -D --defined-only "$prefix/lib/libgrtrace.so" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort; }
declared() { grep -oE '\bgrtrace_[a-z_]+\(' "$tools/include/grtrace.h" | tr -d '(' | sort -u; }
only_api() { exports > out; declared > err; [ -s out ] && cmp -s out err; }
prints() { run 0 env LD_LIBRARY_PATH="$prefix/lib" ./sample "$1" && [ "$(cat out)" = "$2" ]; }

"$gen" example 0 > events0 || exit 1
: > empty
ok "installs"		run 0 make -s -C "$tools" install O="$build" PROGRAM="$build/grtrace" PREFIX="$prefix" DESTDIR=
ok "the program runs"	run 0 "$prefix/bin/grtrace" --version
ok "so does the loader, with its tables" sh -c "'$prefix/bin/grtrace-load' --schema --url http://127.0.0.1:1 2>&1 | grep -q 'cannot reach'"
ok "pages are there"	[ -s "$prefix/share/man/man1/grtrace-record.1" ]
ok "so is the header for marks"	[ -s "$prefix/include/grtrace-mark.h" ]
ok "and other names"	[ "$(readlink "$prefix/bin/merge_timeline") $(readlink "$prefix/bin/parse_events")" = "grtrace grtrace" ]
ok "only the API is exported"	only_api
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
if command -v pkg-config > /dev/null; then
	flags=$(pkg-config --cflags --libs libgrtrace)
else
	flags="-I$prefix/include -L$prefix/lib -lgrtrace"
fi
# shellcheck disable=SC2086
ok "a program builds"	run 0 "${CC:-cc}" -Wall -Werror -o sample sample.c $flags
ok "it reads"		prints events0 "3 gfx game2 5"
ok "the header is C++ too" run 0 "${CXX:-c++}" -x c++ -fsyntax-only -I"$prefix/include" "$prefix/include/grtrace.h"

# The examples build with the installed files, print the same as the command, and are in the manual
# unchanged.
examples=$tools/examples
manual=$tools/../../Documentation/library.rst
# shellcheck disable=SC2086
builds() { run 0 "${CC:-cc}" -Wall -Wextra -Werror -o "$1" "$examples/$1.c" $flags; }
example() { env LD_LIBRARY_PATH="$prefix/lib" "./$1" trace > "$1.out" 2> err; }
cells() { awk -F, -v names="$1" 'NR == 1 { n = split(names, want, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ for (i = 1; i <= n; i++) printf "%s%s", $at[want[i]], (i < n ? "," : "\n") }'; }
us() { awk -F, '{ printf "%s", $1; for (i = 2; i <= 4; i++) printf ",%s", ($i == "" ? "-" : sprintf("%.1f", $i / 1000)); print "" }'; }
same_jobs()
{
	tail -n +2 jobs.out | awk '{ key = $3; if (NF > 6) key = $3 $4; print key "," $(NF - 2) "," $(NF - 1) "," $NF }' | sort > got
	"$grtrace" report --jobs -f csv trace | cells "ctx seqno t_dep_ns t_exec_ns total_ns" |
		sed 's/,/:/' | us | sort > want
	[ "$(wc -l < want)" = 120 ] && cmp got want
}
same_processes()
{
	sed -n 's/^\([a-z]*\)  *\([0-9]*\)  *\([0-9]*\) jobs,.*/\1,\2,\3/p' processes.out > got
	"$grtrace" report --per-process -f csv trace | cells "comm pid jobs" > want
	[ -s want ] && cmp got want
}
same_blame()
{
	sed -n 's/.* \([0-9.]*\) us"\];/\1/p' blame-dot.out > got
	"$grtrace" report --blame -f csv trace | cells waited_ns | awk '{ printf "%.1f\n", $1 / 1000 }' > want
	[ -s want ] && cmp got want
}
is_shown()
{
	expand "$examples/$1" > want
	awk -v file="$1" '$0 == file { on = 1; next }
		on == 1 && /code-block/ { on = 2; next }
		on == 2 && /^[^ ]/ { exit }
		on == 2 { sub(/^    /, ""); print }' "$manual" | sed '1d;$d' | cmp - want
}
"$gen" load rings=3 jobs=40 wait=200 gap=1 > trace || exit 1
for program in jobs processes blame-dot; do
	ok "example $program builds"	builds "$program"
	ok "it runs"			example "$program"
	ok "it is short"		[ "$(wc -l < "$examples/$program.c")" -le 50 ]
	ok "the manual shows it"	is_shown "$program.c"
done
ok "jobs are the report's"		same_jobs
ok "processes are, too"			same_processes
ok "and blame"				same_blame

# The header of the first release: its functions are there, and programs that were built with it run.
old=$golden/release/1.0.0
old_functions() { grep -oE "\bgrtrace_[a-z_]+\(" "$old/grtrace.h" | tr -d "(" | sort -u > wanted; exports | comm -13 - wanted > out; [ -s wanted ] && [ ! -s out ]; }
# shellcheck disable=SC2086
builds_old() { run 0 "${CC:-cc}" -I"$old" -o "$1" "$examples/$1.c" $flags; }
ok "functions of 1.0.0 are there"	old_functions
for program in jobs processes blame-dot; do
	ok "$program, built for 1.0.0"		builds_old "$program"
	ok "it runs"				example "$program"
done
ok "jobs are the same to it"		same_jobs
ok "processes, too"			same_processes
ok "and blame"				same_blame
run 1 env LD_LIBRARY_PATH="$prefix/lib" ./sample empty
ok "errors have words"	grep -q "'empty' is empty (nothing was recorded" out
end
