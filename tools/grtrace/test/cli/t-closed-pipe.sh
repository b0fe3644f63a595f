#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a reader that has seen enough, like head, is no failure of what a command prints
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

quiet()		# arguments: into a pipe whose reader is gone
{
	{ sleep 0.1; "$grtrace" "$@" 2> err; echo $? > code; } | : > out
	[ "$(cat code)" = 0 ] && ! grep -qi 'cannot write\|broken pipe\|damaged' err
}

"$gen" grt 2 20000 bulk.grt && "$gen" grt 2 4000 other.grt 40000 || exit 1
"$gen" bulk 0 20000 > bulk.0
"$grtrace" export --to trace.dat -o bulk.dat bulk.grt 2> err

for format in csv json ndjson perfetto trace.dat html; do
	ok "export: $format"		quiet export --to $format -o - bulk.grt
done
ok "slice"				quiet slice --since 0 -o - bulk.grt
ok "repair"				quiet repair -o - bulk.grt
ok "import"				quiet import -o - bulk.dat
ok "merge"				quiet merge -o - bulk.grt bulk.0 other.grt
ok "merge, a timeline"			quiet merge --cpu "$golden/merge/ioctls.txt" --gpu bulk.grt
ok "dump"				quiet dump bulk.grt
ok "dump: json"				quiet dump -f json bulk.grt
ok "report: a row per job"		quiet report --jobs -f csv bulk.grt
ok "report"				quiet report bulk.grt
ok "timeline"				quiet timeline --list bulk.grt
ok "verify"				quiet verify bulk.grt
ok "diff"				quiet diff bulk.grt bulk.grt
ok "help"				quiet help columns
ok "a full disk is a failure"		sh -c "! '$grtrace' export --to csv -o /dev/full bulk.grt 2> err"
ok "and says so"			grep -q 'cannot write' err
end
