#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace annotate: every DRM ioctl is printed or counted, in lines that merge reads
# Where BPF programs cannot be loaded, only the options are tested.
# Tests call these functions through ok().
# $options is a list; $0 and $! belong to inner shells; grep only names the file that it reads.
# shellcheck disable=SC2317,SC2086,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

ioctls=$build/test/make/drm-ioctls
ln -s "$grtrace" grtrace-bpf-annotate
ln -s "$grtrace" grtrace_bpf_loader
ok "no operand"			complains 2 "annotate takes no files" "grtrace annotate -h" "$grtrace" annotate file
ok "no such process"		complains 2 "no process has the number" "" "$grtrace" annotate -p 99999999999
ok "grtrace-bpf-annotate"	run 0 ./grtrace-bpf-annotate -h
ok "is annotate"		grep -q "^usage: grtrace annotate" out
ok "grtrace_bpf_loader"		run 0 ./grtrace_bpf_loader -h
ok "is annotate, too"		grep -q "^usage: grtrace annotate" out
ok "make check-deps"		run 0 make -s -C "$tools/bpf" check-deps
ok "says what is missing"	run 2 make -s -C "$tools/bpf" check-deps BPF_CC= BPFTOOL=
ok "and how to get it"		grep -qx "hint: sudo apt-get install clang-14 bpftool" err

if [ "$(id -u)" -eq 0 ]; then
	why=$("$grtrace" annotate -q -d 10ms 2>&1 > /dev/null | head -n 1)
	# An ordinary user is told what is missing, before anything is opened.
	ok "not for everybody"	complains 3 "CAP_SYS_ADMIN is missing" "sudo grtrace annotate" \
		setpriv --reuid 65534 --clear-groups --bounding-set -all "$grtrace" annotate -d 10ms
else
	ok "only for root"	complains 3 "CAP_SYS_ADMIN is missing" "sudo grtrace annotate" "$grtrace" annotate -d 10ms
	why="only root may"
fi
if [ -n "$why" ]; then
	ok "recording # SKIP $why"	true
	end
fi

# Records $file while the arguments of drm-ioctls run.
annotated()	# options, then -- and these arguments
{
	file=cpu.txt
	options=""
	while [ "$1" != -- ]; do options="$options $1"; shift; done
	shift
	: > words
	"$grtrace" annotate $options -o $file 2> words &
	pid=$!
	until grep -q "^recording" words 2> /dev/null; do kill -0 $pid || return 1; sleep 0.05; done
	"$ioctls" "$@" > took < /dev/null
	got=$?
	kill -INT $pid
	wait $pid || return 1
	return $got
}
# The lines of a file, and the sum of what its comments say is lost.
count() { grep -c "\] $1 .* comm=drm-ioctls " cpu.txt; }
told() { awk '/^# [0-9]+ events? lost on CPU/ { n += $2 } END { print n + 0 }' cpu.txt; }
sums() { [ "$(($(count IOCTL_ENTER) + $(count IOCTL_EXIT) + $(told)))" -eq "$1" ]; }
form() { ! grep -v -E -x -e "$1" -e '# .*' cpu.txt > out; }

stamp='\[[0-9]+\.[0-9]{6}\]'
id="pid=[0-9]+ tid=[0-9]+ comm=[^=]+"
line="$stamp (IOCTL_ENTER $id cmd=0x[0-9a-f]+ arg=0x[0-9a-f]+( name=[A-Z0-9_]+)?|IOCTL_EXIT $id ret=-?[0-9]+( duration_ns=[0-9]+)?)"

ok "it records"			annotated -- 1000
ok "every ENTER"		[ "$(count IOCTL_ENTER)" -eq 1000 ]
ok "every EXIT"			[ "$(count IOCTL_EXIT)" -eq 1000 ]
ok "and the lines are"		form "$line"
ok "the first one"		grep -q -E "^$stamp IOCTL_ENTER pid=([0-9]+) tid=\1 comm=drm-ioctls cmd=0xc0106400 arg=0x0$" cpu.txt
ok "what the kernel said"	[ "$(grep -c ' ret=-25 duration_ns=[1-9]' cpu.txt)" -eq 1000 ]
ok "no other ioctl"		[ -z "$(grep 'cmd=0x5401' cpu.txt)" ]
ok "the sums"			[ "$(grep -c -x '# end: seen=\([0-9]*\) written=\1 lost=0' cpu.txt)" -eq 1 ]
ok "in the order of time"	sh -c "grep '^\\[' cpu.txt | LC_ALL=C sort -c -s -k 1,1"
ok "the file is for root"	[ "$(stat -c %a cpu.txt)" = 600 ]
ok "nothing else is left"	[ -z "$(find . -name 'cpu.txt.*')" ]
# From the millionths of the stamps and the durations.
durations() { awk '{ at = $1; gsub(/[^0-9]/, " ", at); split(at, s, " "); us = s[1] * 1000000 + s[2] } / IOCTL_ENTER / { in_us[$4] = us }
	/ IOCTL_EXIT / && $4 in in_us { d = us - in_us[$4]; sub(/.*duration_ns=/, ""); n = $0 / 1000; if (n - d > 1 || d - n > 1) exit 1 }' cpu.txt; }
ok "durations fit the stamps"	durations

# The soak has a million.
calls=${ANNOTATE_CALLS:-20000}
ok "four threads at once"	annotated -- "$calls" 64 4
ok "all are there or counted"	sums $((8 * calls))
ok "a buffer that is too small"	annotated -b 64K -- 50000 64 4
ok "loses, and counts all"	sums 400000
lost=$(told)
if [ "$lost" -gt 0 ]; then
	ok "merge adds them up"	run 0 "$grtrace" merge --cpu cpu.txt --gpu "$golden/names/name-at.grt" --stats-only
	ok "as CPU events"	grep -q "$(echo "$lost" | sed -E ':a; s/([0-9])([0-9]{3})(,|$)/\1,\2\3/; ta') CPU events are missing in the file" out
else
	ok "merge adds them up # SKIP none was lost" true
fi

if "$ioctls" 1 32 > took 2>&1 < /dev/null; then
	ok "a 32-bit program"	annotated -- 1000 32
	ok "is recorded, too"	sums 2000
	ok "with its numbers"	[ "$(grep -c ' ret=-25 duration_ns=[1-9]' cpu.txt)" -eq 1000 ]
	ok "and no other ioctl"	[ -z "$(grep 'cmd=0x5401' cpu.txt)" ]
else
	ok "a 32-bit program # SKIP this machine runs none" true
fi

ok "nanoseconds"		annotated -n -- 10
stamp='\[[0-9]+\.[0-9]{9}\]'
line="$stamp (IOCTL_ENTER $id cmd=0x[0-9a-f]+ arg=0x[0-9a-f]+( name=[A-Z0-9_]+)?|IOCTL_EXIT $id ret=-?[0-9]+( duration_ns=[0-9]+)?)"
ok "in all lines"		form "$line"
"$gen" scene blame > blame || exit 1
ok "merge reads them"		run 0 "$grtrace" merge --cpu cpu.txt --gpu blame --clock-offset 0
ok "all of them"		[ "$(grep -c 'CPU IOCTL_ENTER cmd=0xc01064' out)" -eq 10 ]

# One process, and the end of it.
sleep 2 &
sleeper=$!
ok "another process"		annotated -p $sleeper -- 100
ok "is not recorded"		[ "$(count IOCTL_ENTER)" -eq 0 ]
kill $sleeper
ok "it ends with its process"	run 0 timeout 20 "$(command -v sh)" -c 'sleep 0.3 & exec "$0" annotate -q -p $! -o own.txt' "$grtrace"
ok "-q is quiet"		[ ! -s err ]
ok "no such process"		complains 3 "cannot watch process" "ps -e" "$grtrace" annotate -p 4194303
ok "to standard output"		run 0 "$grtrace" annotate -q -d 50ms
ok "with the sums"		grep -q '^# end: seen=' out
ok "the reader may end"		sh -c '"$0" annotate -q -d 2s | head -n 1' "$grtrace"

# A name that tries to break the line.
cat > rename.c << 'END'
#include <sys/ioctl.h>
#include <sys/prctl.h>
int main(void)
{
	prctl(PR_SET_NAME, "a cmd=1\n\033[31m");
	ioctl(0, 0x6400, 7);
	return 0;
}
END
"${CC:-cc}" -o rename rename.c || exit 1
ioctls=./rename
ok "a name with odd characters"	annotated --
ok "breaks no line"		[ "$(grep -c -E '\] IOCTL_ENTER pid=[0-9]+ tid=[0-9]+ comm=a cmd=1\?\?\[31m cmd=0x6400 arg=0x7$' cpu.txt)" -eq 1 ]
ok "and merge reads it"		run 0 "$grtrace" merge --cpu cpu.txt --gpu blame --clock-offset 0 --deltas
ok "as it was"			grep -q 'cmd=0x6400, arg=0x7 <- a cmd=1??\[31m(' out

# Into a trace: record --cpu.
begin_record() { "$grtrace" record --source=bpf --cpu -o cpu.grt 2> words & pid=$!; until ls cpu.grt.grtrace-rec-* > /dev/null 2>&1; do kill -0 $pid || return 1; sleep 0.05; done; sleep 1; }
ioctls=$build/test/make/drm-ioctls
ok "record --cpu"		begin_record
"$ioctls" 1000 > took < /dev/null
kill -INT $pid
ok "ends well"			wait $pid
ok "it has the ioctls"		[ "$("$grtrace" dump --type IOCTL cpu.grt | grep -c ' cmd=0xc01064')" -ge 1000 ]
ok "and keeps the rules"	run 0 "$grtrace" verify cpu.grt
ok "tracefs has no --cpu"	complains 3 "the source tracefs has no --cpu" "--source=bpf --cpu" "$grtrace" record --source=tracefs --cpu -o none.grt

# Programs go with their process.
programs() { bpftool prog show 2> /dev/null | grep -c -E ' name (enter|exit)_(64|32|any) '; }
if command -v bpftool > /dev/null || PATH=$PATH:/usr/sbin command -v bpftool > /dev/null; then
	PATH=$PATH:/usr/sbin
	sleep 1		# the kernel frees those of the test before a moment later
	before=$(programs)
	: > words
	"$grtrace" annotate -o killed.txt 2> words &
	pid=$!
	until grep -q "^recording" words 2> /dev/null; do kill -0 $pid || break; sleep 0.05; done
	ok "there are programs"		[ "$(programs)" -gt "$before" ]
	kill -9 $pid
	wait $pid 2> /dev/null
	tries=50
	while [ "$(programs)" -gt "$before" ] && [ $tries -gt 0 ]; do sleep 0.1; tries=$((tries - 1)); done
	ok "none is left after kill -9"	[ "$(programs)" -eq "$before" ]
	ok "nor a file of that name"	[ ! -e killed.txt ]
fi
end
