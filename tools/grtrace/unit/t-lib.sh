#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: what is installed suffices to build against, and the library shows only its API
# The functions are called through ok().
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
declared() { grep -oE '\bgrtrace_[a-z_]+\(' "$unit/../include/grtrace.h" | tr -d '(' | sort -u; }
only_api() { exports > out; declared > err; [ -s out ] && cmp -s out err; }
prints() { run 0 env LD_LIBRARY_PATH="$prefix/lib" ./sample "$1" && [ "$(cat out)" = "$2" ]; }

"$gen" example 0 > events0 || exit 1
: > empty
ok "installs"		run 0 make -s -C "$unit/.." install O="$build" PREFIX="$prefix" DESTDIR=
ok "the program runs"	run 0 "$prefix/bin/grtrace" --version
ok "pages are there"	[ -s "$prefix/share/man/man1/grtrace-record.1" ]
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
run 1 env LD_LIBRARY_PATH="$prefix/lib" ./sample empty
ok "errors have words"	grep -q "'empty' is empty (nothing was recorded" out
end
