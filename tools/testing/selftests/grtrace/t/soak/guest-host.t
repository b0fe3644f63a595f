#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A guest that draws in 3D, and this machine as its host: its clock is compared over a socket, its recording comes
# over one, and what QEMU did for its jobs is found by the numbers of fences. QEMU's log is the outsider: with the
# clocks of the recordings alone, no effect may come before its cause.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"
tools=$GRT_ROOT/tools/grtrace
make -s -C "$tools" -j"$GRTRACE_JOBS" build/grtrace >&2 || { echo "1..0"; exit 1; }
grtrace=$tools/build/grtrace
cd "$work" || exit 1
mkdir share in

: >listen.err
"$grtrace" listen -o in 127.0.0.1:0 >listen.log 2>listen.err &
listen=$!
# What this test started, and nothing else.
trap 'kill "$listen" 2>/dev/null; wait; rm -rf "$work"' EXIT
for _ in $(seq 100); do
	port=$(sed -n 's/.*listens at .*:\([0-9]*\)$/\1/p' listen.err)
	[ -z "$port" ] || break
	sleep 0.1
done

cat >guest.sh <<END
mkfifo /tmp/input
exec 3<>/tmp/input
cube="chroot /3d env XDG_RUNTIME_DIR=/tmp kmscube -c"
\$cube 3 <&3 >/tmp/out 2>&1	# reads the program and the driver from the disk
grtrace record -q --clock-from 10.0.2.2:$port -o /share/guest.grt -- \$cube 60 <&3 >/tmp/out 2>&1 || exit
grtrace record -q --to 10.0.2.2:$port -- \$cube 20 <&3 >/tmp/out 2>&1 || exit
# The same again, where the recording does not know how the clocks compare.
grtrace record -q -o /share/alone.grt -- \$cube 20 <&3 >/tmp/out 2>&1
END
in_guest()
{
	"$GRT_VM/run" --gpu virgl --mem 2048 --net --gpu-log "$work/qemu.log" --share "$work/share" --timeout 600 -- \
		"modprobe grtrace_virtio_gpu; $(cat guest.sh)"
}
check "three recordings in a guest"	in_guest
kill "$listen"
wait "$listen"
is "listen ends in order"		$? 0
sent=$(echo in/*.grt)
check "one came over a socket"		"$grtrace" verify "$sent"

merged() { "$grtrace" merge --guest "$1" --host qemu.log --pairs pairs.csv -o both.grt >said; local rc=$?; cat said; return $rc; }
# All jobs with a fence have their fence; by the clock that was compared, all causes come first.
all_paired()
{
	awk '/ are of jobs of the guest, which has [0-9]* with a fence$/ { n = $1; jobs = $16 } END { exit !(n > 20 && n == jobs) }' said &&
		! grep -q 'not counted' said
}
by_peer() { sed -n 's/.*by the clock of a peer, within \([0-9.]* [a-z]*\).*/\1/p' said | grep .; }
check "a file whose recorder asked this machine for the time" merged share/guest.grt
check "its clock is known by that"	by_peer
check "each job has its fence, and no effect comes before its cause" all_paired
check "one that came over the socket"	merged "$sent"
check "its clock is known, too"		by_peer
check "each job has its fence there"	all_paired

# The fences themselves bound the clock: the peer's answer must lie within these bounds.
bounds_agree()
{
	awk -F, 'NR == 1 { next }
		{ b = substr($7, 8) - substr($6, 8); d = substr($9, 8) - substr($10, 8) }
		NR == 2 || b < most { most = b } NR == 2 || d > least { least = d }
		END { printf "by the fences its times are off by %.0f to %.0f us\n", -most / 1e3, -least / 1e3; exit !(least <= 0 && most >= 0) }' pairs.csv
}
check "so say the fences"		bounds_agree
check "one without any clock"		merged share/alone.grt
by_fences() { sed -n 's/.*and the order of its fences, within \([0-9.]* [a-z]*\)$/\1/p' said | grep . || grep -q 'by CLOCK_REALTIME$' said; }
check "its clock follows from the fences" by_fences
check "each job has its fence as well"	all_paired
# A clock that is wrong is noticed.
wrong() { "$grtrace" merge --guest share/guest.grt --host qemu.log --offset 2:50ms -o both.grt >said && grep ' pairs are not counted above' said; }
check "a wrong clock is noticed"	wrong
merged share/guest.grt >/dev/null
cat said
check "both are lanes of one picture"	sh -c "'$grtrace' timeline --ascii -w 100 both.grt | grep -c -E '^(virtio-gpu|control) ' | grep -x 2"
"$grtrace" timeline --ascii -w 100 both.grt
end
