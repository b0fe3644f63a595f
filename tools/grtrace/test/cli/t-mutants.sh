#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: with damaged traces every command ends with one of its exit codes
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

hostile=$tools/fuzz/hostile

ok "inputs that were read beyond their end"	run 0 "$build/fuzz/mutants" "$grtrace" 0 1 \
	"$hostile"/crash-2-* "$hostile"/stats-oob-512.grt "$hostile"/*-nonul.grt
ok "rules that are too long"	complains 2 "too long for rules" "" \
	"$grtrace" report --rules "$hostile/rules-70000.txt" "$hostile/base.grt"
ok "a few mutants"	run 0 "$build/fuzz/mutants" "$grtrace" 10 1 "$hostile"/*.grt "$hostile"/*.raw
end
