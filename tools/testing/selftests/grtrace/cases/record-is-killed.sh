#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: kill -9 of record, 50 times: the session stops, the file can be read as far as it was written
# kernels: 6.1
# requires: mock grtrace
# timeout: 300
cd "$CASE_TMP"
is() { [ "$(cat "$GRT_DIR/control")" = "$1" ]; }

config filter_type_mask=0
for i in $(seq 50); do
	rm -f k.grt
	grtrace record -q -o k.grt &
	pid=$!
	wait_for 10 is running
	workload --scenario batch --jobs 20 >workload.txt
	kill -9 $pid
	wait $pid || :
	wait_for 10 is stopped
	# killed before its first chunk was whole it holds nothing, and that is told
	grtrace dump k.grt >dump.txt 2>words || grep -q '^grtrace:' words ||
		fail "round $i: neither events nor an error: $(cat words)"
	grtrace verify -s 1s k.grt >verify.txt 2>&1 || :
	if grep '^FAILED' verify.txt | grep -v ' closed '; then
		fail "round $i: $(cat verify.txt)"
	fi
done
