#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a session started with "start hold" ends when the descriptor that wrote it goes, however its owner dies
# kernels: 6.1
state() { cat "$GRT_DIR/control"; }
is() { [ "$(state)" = "$1" ]; }

sh -c 'exec 3>"$0/control"; echo "start hold" >&3; sleep 60' "$GRT_DIR" &
holder=$!
wait_for 5 is running
emit submit 1 gfx 900 1
kill -9 $holder
wait $holder || :
wait_for 5 is stopped
expect_stat written 1

# After an ordinary stop and start the old holder no longer counts.
sh -c 'exec 3>"$0/control"; echo "start hold" >&3; sleep 60' "$GRT_DIR" &
holder=$!
wait_for 5 is running
expect_refused control 'start hold'
session_stop
session_start
kill -9 $holder
wait $holder || :
sleep 0.2
expect_eq control "$(state)" running
session_stop
