#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The tests of tools/grtrace: makes one stream of many TAP programs, with our numbers. The plans
# show if a program stopped half-way. Usage: unit.t [TARGET...]: those of its Makefile, check-plain
# if there is none.
renice -n 10 $$ >/dev/null	# guests beside it know the time by the clock
root=$(cd -- "$(dirname -- "$0")/../../../../.." && pwd)

of_tools() { make -s -C "$root/tools/grtrace" "$@"; }

{
	status=0
	for target in "${@:-check-plain}"; do
		of_tools -j"$(nproc)" "$target" PROVE="$root/scripts/tap-run" || status=$?
	done
	echo "MAKE-STATUS $status"
} 2>&1 | awk '
	BEGIN			{ print "TAP version 13" }
	function result(good, text) { printf "%s %d - %s\n", good ? "ok" : "not ok", ++number, text }

	/^MAKE-STATUS /		{ status = $2; next }
	/^[ \t]*1\.\.[0-9]+/	{ sub(/^[ \t]*1\.\./, ""); planned += $1; next }
	/^(not )?ok( |$)/ {
		good = /^ok/
		sub(/^(not )?ok *[0-9]*( *-)? */, "")
		result(good, $0)
		next
	}
	{ print "# " $0 }
	END {
		done = number
		result(done > 0 && done == planned, "unit tests: " done + 0 " results, " planned + 0 " planned")
		result(status == 0, "make check ended with " status)
		print "1.." number
	}'
