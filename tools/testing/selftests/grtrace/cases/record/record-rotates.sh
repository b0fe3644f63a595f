#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --rotate loses no event at a seam, each file explains itself, --keep and --max-size hold
# kernels: 6.1
# requires: mock grtrace
JOBS=4000
# An emulator may hold up a CPU between the time of an event and its number: hence -s
cd "$CASE_TMP"
events() { grtrace dump --format csv "$1" | grep -cE '^(SUBMIT|DEPENDENCY|FENCE_SIGNALED|COMMIT|START|END|COMPLETE|ERROR),'; }

expect_status 0 grtrace record -o t.grt --rotate 128K -- workload --scenario mixed --jobs $JOBS
expect_stat lost_events 0
written=$(stat written)
set -- t-*.grt
[ $# -ge 3 ] || fail "only $# files, so this run proves nothing: $*"
sum=0
shift $(($# - 1))
last=$1
set -- t-*.grt
for file; do
	expect_status 0 grtrace verify -s 1s "$file"
	grtrace report "$file" >report.txt 2>warning || fail "report of $file: $(cat warning)"
	[ ! -s warning ] || fail "a warning about $file: $(cat warning)"
	# the last one may begin where nothing follows
	[ "$file" = "$last" ] && [ "$(events "$file")" -eq 0 ] || grep -q 'gfx' report.txt ||
		fail "$file does not know its rings: $(cat report.txt)"
	sum=$((sum + $(events "$file")))
done
expect_eq "events of all files" $sum "$written"
expect_status 0 grtrace verify -s 1s t-*.grt

rm -f t-*.grt
expect_status 0 grtrace record -o t.grt --rotate 128K --keep 2 -- workload --scenario mixed --jobs $JOBS
set -- t-*.grt
expect_eq "files kept" $# 2
[ ! -e t-0001.grt ] || fail "the first file is still there"
expect_status 0 grtrace verify -s 1s "$@"

# With half of the events lost, events and losses of all files still sum to the events seen.
rm -f t-*.grt
expect_status 0 grtrace record -o t.grt -b 64K --rotate 64K -- sh -c "
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo 'submit 7 GRAPHICS 3 1 count=3000' >$GRT_DIR/emit
		sleep 0.05
	done"
full=$(stat buffer_full) written=$(stat written)
[ "$full" -gt 0 ] || fail "the buffer never filled, so this run proves nothing"
set -- t-*.grt
[ $# -ge 3 ] || fail "only $# files: $*"
for file; do grtrace dump "$file" 2>>warning; done >dump.txt
[ ! -s warning ] || fail "a warning: $(cat warning)"
expect_eq "events of all files" "$(grep -c " SUBMIT " dump.txt)" "$written"
expect_eq "losses of all files" "$(sed -n "s/.* LOSS .* count=\([0-9]*\) .*/\1/p" dump.txt |
	awk '{ sum += $1 } END { print sum + 0 }')" "$full"
expect_status 0 grtrace verify -s 1s "$@"

expect_status 0 grtrace record -o m.grt --max-size 400K -- workload --scenario mixed --jobs $JOBS
grep -q 'stopped at --max-size' out || fail "the end is not told: $(cat out)"
[ "$(command stat -c %s m.grt)" -le 409600 ] || fail "the file has $(command stat -c %s m.grt) bytes"
expect_eq control "$(cat "$GRT_DIR/control")" stopped
expect_status 0 grtrace report m.grt

# The command runs on when the recording ends; the next case wants the GPU for itself.
wait_for 60 sh -c "! pidof workload"
