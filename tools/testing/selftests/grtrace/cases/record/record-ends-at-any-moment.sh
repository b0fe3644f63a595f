#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: ^C, TERM and a full disk at random moments of record: the old file stays or a whole file replaces it; no temporary file and no session stay
# kernels: 6.1
# requires: mock grtrace
# timeout: 600
# GRTRACE_ROUNDS is the number of rounds of each; 2 by default.
rounds=${GRTRACE_ROUNDS:-2}
cd "$CASE_TMP" || exit
mkdir small
trap 'umount "$CASE_TMP/small" 2>/dev/null || :' EXIT

# random LIMIT: a number below LIMIT
random() { echo $(($(od -An -v -t u4 -N 4 /dev/urandom) % $1)); }
jobs() { workload --scenario batch --jobs "$1" >workload.txt 2>&1 || :; }

# Only FILE... is left in the folder.
left_clean()
{
	expect_eq "$what: control" "$(cat "$GRT_DIR/control")" stopped
	expect_stat unread_bytes 0
	folder=$1
	shift
	expect_eq "$what: files" "$(cd "$folder" && echo *)" "$*"
}

# send SIGNAL MS: after so long, or as soon as record is there
send()
{
	sleep "0.$(printf %03d "$2")"
	until killall "-$1" grtrace 2>/dev/null; do :; done
}

# of_signal SIGNAL STATUS: a whole file has replaced the other, or record ended before it began
of_signal()
{
	mkdir -p disk
	echo precious >disk/k.grt
	# Most of them at its beginning.
	ms=$(($(random 400) * $(random 400) / 400))
	what="SIG$1 after $ms ms"
	jobs 40 &
	send "$1" "$ms" &
	# Not record in the background: it would ignore SIGINT there.
	status=0
	grtrace record -q -o disk/k.grt 2>words || status=$?
	wait
	left_clean disk k.grt
	case $status in
	0)
		grtrace verify -s 1s disk/k.grt >verify.txt 2>&1 || fail "$what: $(cat verify.txt)"
		expect_eq "$what: events" "$(grtrace dump --format csv disk/k.grt |
			awk -F, 'NR > 1 && $1 != "LOSS"' | wc -l)" "$(stat written)"
		whole=$((whole + 1)) ;;
	"$2")	expect_eq "$what: the file that was there" "$(cat disk/k.grt)" precious
		early=$((early + 1)) ;;
	*)	fail "$what: status $status: $(cat words)" ;;
	esac
}

# Room for a part of a recording; the written part can be read.
of_disk()
{
	kib=$((8 + $(random 100)))
	what="a disk of $kib KiB"
	disks=$((disks + 1))
	mount -t tmpfs -o size=${kib}k tmpfs small || skip "cannot mount a small tmpfs"
	echo precious >small/k.grt
	expect_status 3 grtrace record -q -o small/k.grt -- workload --scenario batch --jobs 500
	expect_eq "$what: errors" "$(grep '^grtrace:' out | grep -vc '^grtrace: warning:')" 1
	grep -q '^hint: free some space' out || fail "$what: $(cat out)"
	expect_eq "$what: the file that was there" "$(cat small/k.grt)" precious
	cut=$(cd small && echo k-cut-*.grt)
	if [ "$cut" = 'k-cut-*.grt' ]; then
		left_clean small k.grt
	else
		left_clean small "$cut" k.grt
		grep -q "what was recorded is in 'small/$cut'" out || fail "$what: $(cat out)"
		grtrace verify -s 1s "small/$cut" >verify.txt 2>&1 || :
		for rule in closed checksums chunks index cseq time; do
			grep -q "^ok  *$rule " verify.txt || fail "$what: $(cat verify.txt)"
		done
		kept=$((kept + 1))
	fi
	umount small
	wait_for 60 sh -c "! pidof workload"
}

config filter_type_mask=0
whole=0 early=0 disks=0 kept=0
for _ in $(seq "$rounds"); do
	of_signal INT 130
	of_signal TERM 143
	of_disk
done
# So few rounds may all have had too little room, or have ended too early.
for _ in 1 2 3 4 5 6 7 8; do
	[ $whole -gt 0 ] || of_signal TERM 143
	[ $kept -gt 0 ] || of_disk
done
echo "$whole were whole, $early ended before they began; of $disks full disks $kept were kept"
if [ $whole -eq 0 ] || [ $kept -eq 0 ]; then
	fail "none was whole, or none was kept, so this run proves nothing"
fi
