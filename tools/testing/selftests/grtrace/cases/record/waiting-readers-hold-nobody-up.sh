#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: while a thread waits in read(), poll() and a read() that must not wait answer at once
# kernels: 6.1
# requires: stream-wait
for file in events0 trace_pipe; do
	for what in poll nonblock fault; do
		session_start
		stream-wait "$GRT_DIR/$file" "$what" || fail "$file: see above"
		session_stop
	done
done
