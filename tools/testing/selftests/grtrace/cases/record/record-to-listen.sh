#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --to gives listen all jobs, from each source, over TCP, a socket file and vsock: those that another recorder sees; both have one clock, so their comparison must find that
# requires: mock grtrace
# kernels: 6.1 7.x
# timeout: 300
JOBS=300
cd "$CASE_TMP" || exit
server=""
trap '[ -z "$server" ] || kill "$server"; modprobe -qr vsock_loopback || :' EXIT

# listen_at ADDRESS: files go to the folder in; sets $server, $port
listen_at()
{
	rm -rf in
	mkdir in
	: >said		# nothing of the one before
	grtrace listen -o in --once "$1" >log 2>said &
	server=$!
	wait_for 10 grep -q "listens at" said
	port=$(sed -n 's/.*listens at .*:\([0-9]*\)$/\1/p' said)
}

# keys FILE: jobs, as each source knows them
keys()
{
	grtrace report --jobs --all -f csv "$1" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["ctx"], $at["seqno"], $at["ring"] }' | sort
}

# clocks_agree FILE WHAT
clocks_agree()
{
	grtrace dump --definitions -f json "$1" | sed -n 's/.*"PEER".*"own_ns":\([0-9]*\).*"peer_ns":\([0-9]*\).*"within_ns":\([0-9]*\).*/\1 \2 \3/p' >peers
	awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > $3 || !$3) exit 1 } END { exit NR < 2 }' peers ||
		fail "$2: one clock differs from itself: $(cat peers)"
	echo "$2: own and peer clock, within: $(head -n 1 peers)"
}

# check SOURCE OTHER ADDRESS TO: OTHER records the same jobs to a file
check()
{
	listen_at "$3"
	to=$4
	[ "$to" != tcp ] || to=127.0.0.1:$port
	grtrace record --source="$2" -q -o own.grt -- grtrace record --source="$1" --to "$to" -- \
		workload --scenario mixed --jobs $JOBS --processes 3 >words 2>&1 || fail "$1 to $to: $(cat words said)"
	wait "$server" || fail "$1 to $to: listen ended with $?: $(cat log said)"
	server=""
	cat log
	grep -q dropped words && fail "$1: events were dropped for a listener that reads"
	file=$(echo in/*.grt)
	grtrace verify "$file" >verify.txt || fail "$1: verify: $(grep FAILED verify.txt)"
	keys "$file" >theirs
	keys own.grt >ours
	expect_eq "$1 to $to: jobs" "$(wc -l <theirs)" $JOBS
	cmp ours theirs || fail "$1 to $to: other jobs than $2 has: $(diff ours theirs)"
	clocks_agree "$file" "$1 to $to"
}

check module tracefs tcp:127.0.0.1:0 tcp
if [ -e /sys/kernel/btf/vmlinux ]; then
	check bpf module "unix:$CASE_TMP/socket" "unix:$CASE_TMP/socket"
fi
if modprobe -q vsock_loopback; then
	check tracefs module vsock:local:10764 vsock:local:10764
else
	echo "vsock: not tried, this kernel has no vsock_loopback"
fi

# The clock alone, for a file.
: >said
grtrace listen -o in 127.0.0.1:0 >log 2>said &
server=$!
wait_for 10 grep -q "listens at" said
port=$(sed -n 's/.*listens at .*:\([0-9]*\)$/\1/p' said)
grtrace record -q --clock-from "127.0.0.1:$port" -o clock.grt -- workload --scenario mixed --jobs 30 >words 2>&1 || fail "$(cat words)"
clocks_agree clock.grt "a file"

# A listener that goes away ends the recording, and the session with it.
mkfifo hold
: >words
{ status=0; grtrace record --to "127.0.0.1:$port" -- sh -c 'read -r _' <hold >words 2>&1 || status=$?; echo $status >ended; } &
exec 7>hold
wait_for 20 grep -q begins log
kill "$server"
wait "$server" || fail "listen ended with $?"
server=""
wait_for 20 grep -q "is gone: the recording is over" words
exec 7>&-
wait_for 20 test -s ended
expect_eq "status of record" "$(cat ended)" 3
grep -q "ended the stream (grtrace listen was ended): at most .* events were sent, and it is not known how many of them were kept" words ||
	fail "what became of the events is not told: $(cat words)"
expect_eq control "$(cat "$GRT_DIR/control")" stopped
grep -q "cut .*: grtrace listen was ended" log || fail "what was cut is not told: $(cat log)"
