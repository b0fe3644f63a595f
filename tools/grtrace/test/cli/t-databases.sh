#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: databases of hostile traces are sound, and have all rows
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"
for program in sqlite3 perl; do
	command -v $program > /dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done

# One of each source; "make databases" takes more.
ok "hostile traces in databases"	run 0 "$tools/fuzz/databases" "$build" . 1 9
ok "none of which is left out"		grep -q '^9 traces, [1-9] exported, 0 found' out
ok "how to call it"			run 255 "$tools/fuzz/databases"
end
