#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a module is unloaded while its files are written and read and sessions start: nobody waits for ever
# kernels: 6.1
# requires: modules
# timeout: 60
lasts=8
need_module grtrace_filter

# meanwhile NAME: again and again until the time is up; a line in a file for each time that it worked
meanwhile()
{
	set +e
	while [ ! -e "$CASE_TMP/over" ]; do
		"$1" 2>/dev/null && echo >>"$CASE_TMP/$1.rounds"
	done
}
sessions() { echo start >"$GRT_DIR/control" && echo stop >"$GRT_DIR/control" && echo reset >"$GRT_DIR/control"; }
# Where the file is at that moment.
writes()
{
	echo submit >"$GRT_DIR/filter_events"
	cat "$GRT_DIR/filter_events"
} >/dev/null
modules() { rmmod grtrace_filter && modprobe grtrace_filter; }

for worker in sessions writes modules; do
	: >"$CASE_TMP/$worker.rounds"
done
children=""
for worker in sessions writes writes modules; do
	meanwhile $worker &
	children="$children $!"
done
sleep $lasts
# A module that is in use is not removed: on a slow machine it may take many tries.
(wait_for 30 test -s "$CASE_TMP/modules.rounds") || :
: >"$CASE_TMP/over"
for child in $children; do
	wait "$child" || :
done
for worker in sessions writes modules; do
	rounds=$(wc -l <"$CASE_TMP/$worker.rounds")
	echo "$worker: $rounds rounds"
	[ "$rounds" -gt 0 ] || fail "$worker: $rounds rounds, so this run proves nothing"
done
