#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace annotate: each DRM ioctl, of 64-bit and 32-bit programs, is printed or counted; merge puts SUBMITs inside them
# requires: mock grtrace
# kernels: 6.1 7.x
cd "$CASE_TMP" || exit
# begin OPTIONS...: records to cpu.txt
begin()
{
	: >words
	grtrace annotate -o cpu.txt "$@" 2>words &
	pid=$!
	wait_for 20 grep -q '^recording' words
}
finish()
{
	kill -INT $pid
	wait $pid || fail "annotate: $(cat words)"
	grep -q -x '# end: seen=\([0-9]*\) written=[0-9]* lost=[0-9]*' cpu.txt || fail "no sums: $(tail -n 1 cpu.txt)"
}
# count TYPE COMM: lines
count() { grep -c "\] IOCTL_$1 .* comm=$2 " cpu.txt || :; }
told() { awk '/^# [0-9]+ events? lost on CPU/ { n += $2 } END { print n + 0 }' cpu.txt; }
# expect_all CALLS: two events each, printed or counted as lost
expect_all() { expect_eq "events" $(($(count ENTER drm-ioctls) + $(count EXIT drm-ioctls) + $(told))) $((2 * $1)); }

# arm64 has programs at functions from 6.4 on, and drm-ioctls has no calls of 32-bit programs for it.
kinds="64 32" pay=0
case $(uname -m)-$(uname -r) in
aarch64-6.1.*) kinds=64 pay=1 ;;
aarch64-*)     kinds=64 ;;
esac
for bits in $kinds; do
	begin
	drm-ioctls 5000 "$bits" 2 </dev/null >took || fail "drm-ioctls $bits"
	finish
	expect_all 10000
	[ "$(count ENTER drm-ioctls)" -gt 0 ] || fail "all were lost, so this run proves nothing"
	grep -q 'cmd=0x5401' cpu.txt && fail "an ioctl that is not DRM's"
	grep -q 'comm=drm-ioctls cmd=0xc0106400 arg=0x0$' cpu.txt || fail "no IOCTL_ENTER of drm-ioctls has its command and argument"
	grep -q 'comm=drm-ioctls ret=-25 duration_ns=[1-9]' cpu.txt || fail "no IOCTL_EXIT of drm-ioctls has its result and a duration"
done
# Programs at ioctl's own functions make no other system call slower. Where the kernel permits none
# there, they are at the entry of all system calls, and the file says so.
expect_eq "lines that say others pay" "$(grep -c '^# recorded at sys_enter' cpu.txt)" $pay

# A buffer that is much too small.
begin -b 64K
kill -STOP $pid
drm-ioctls 20000 64 </dev/null >took
kill -CONT $pid
finish
expect_all 20000
[ "$(told)" -gt 1000 ] || fail "only $(told) were lost, so this run proves nothing"

# A GPU: its descriptor has a driver, so ioctls have names; SUBMITs are inside an ioctl.
begin -n
grtrace record -q -o gpu.grt -- workload --scenario batch --jobs 200 >workload.txt
for node in /dev/dri/renderD*; do drm-ioctls 1 64 <"$node" >took; done
finish
grep -q 'comm=drm-ioctls cmd=0xc0106400 arg=0x0 name=DRM_IOCTL_VERSION$' cpu.txt || fail "no name: $(grep drm-ioctls cpu.txt)"
grtrace merge --cpu cpu.txt --gpu gpu.grt --clock-offset auto --stats-only >stats 2>words || fail "merge: $(cat words)"
cat words
grep -qE '^clock offset: -?[0-9]{1,6} ns, .*: ([0-9]+) of \1 SUBMITs ' words || fail "not every SUBMIT is inside an ioctl: $(cat words)"

# Nothing stays.
begin
kill -9 $pid
wait $pid || :
before=$(wc -c <words)
drm-ioctls 100 </dev/null >took
expect_eq "words after the kill" "$(wc -c <words)" "$before"
