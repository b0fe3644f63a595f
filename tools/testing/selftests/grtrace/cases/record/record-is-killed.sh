#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: kill -9 of record at 12 moments and more: the session stops, the old file stays, the written part can be read, the rest extracted, no temporary file stays
# kernels: 6.1
# requires: mock grtrace
# timeout: 300
# GRTRACE_ROUNDS: how many moments; 12 by default, 100 in the soak.
rounds=${GRTRACE_ROUNDS:-12}
cd "$CASE_TMP" || exit
is() { [ "$(cat "$GRT_DIR/control")" = "$1" ]; }

config filter_type_mask=0
echo precious >k.grt
cut=0 extracted=0
for i in $(seq "$rounds"); do
	grtrace record -q -o k.grt &
	pid=$!
	wait_for 10 is running
	workload --scenario batch --jobs 20 >workload.txt &
	# At any moment of it: before and after it has written something, sooner and later.
	[ $((i % 2)) -eq 0 ] || wait_for 10 recording_has_begun k.grt
	sleep 0.0$((i % 10))$((i / 10))
	kill -9 $pid
	wait || :
	wait_for 10 is stopped
	expect_eq "round $i: the file that was there" "$(cat k.grt)" precious
	if [ "$(stat unread_bytes)" -gt 0 ]; then
		expect_status 3 grtrace record -q -o other.grt
		grep -q '^hint: sudo grtrace extract' out || fail "round $i: $(cat out)"
		expect_status 0 grtrace extract -q -o rest.grt
		expect_readable rest.grt "$i"
		extracted=$((extracted + 1))
	else
		expect_status 3 grtrace extract -q -o rest.grt
	fi
	expect_stat unread_bytes 0
	for file in k-cut-*.grt; do
		[ -e "$file" ] || continue
		expect_readable "$file" "$i"
		cut=$((cut + 1))
	done
	rm -f k-cut-*.grt rest.grt
	expect_eq "round $i: temporary files" "$(find . -name '*grtrace-*' | wc -l)" 0
done
[ $cut -gt $((rounds / 5)) ] || fail "$cut recordings were cut, so this run proves nothing"
echo "$cut were cut, $extracted had a rest"
