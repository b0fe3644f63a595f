#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: monitor nvidia counts what a stand-in for NVIDIA's driver counts itself, per process; each interrupt has its own time, on two CPUs at once; kill -9 leaves no probe
# requires: grtrace nvidia-calls
# kernels: 6.1
# timeout: 300
cd "$CASE_TMP" || exit
stand_in=/sys/kernel/debug/grtrace_nvidia

# Without a driver there is one error, and what to do.
expect_status 3 grtrace monitor nvidia
expect_eq "errors without the driver" "$(grep -c '^grtrace: ' out)" 1
grep -q "^grtrace: the driver of NVIDIA is not loaded" out || fail "$(cat out)"
grep -q "^hint: .*modprobe nvidia" out || fail "no hint: $(cat out)"

need_module grtrace_nvidia_mock
nodes()
{
	rm -f gpu*
	major=$(awk '$2 == "grtrace_nvidia" { print $1 }' /proc/devices)
	for minor in 0 1 255; do mknod "gpu$minor" c "$major" $minor; done
}
nodes
cpus=$(grep -c '^processor' /proc/cpuinfo)
state() { cat "$TRACEFS/dynamic_events" "$TRACEFS/kprobe_events"; ls "$TRACEFS/instances"; }
state >before

# begin OPTIONS...: a monitor that has begun
begin()
{
	rm -f rows.json
	grtrace monitor --json "$@" nvidia >rows.json 2>words &
	monitor=$!
	wait_for 60 records
}

# An instance is on when it is made, then off until all of its events are enabled, this one last.
records()
{
	grep -q 1 "$TRACEFS"/instances/*/events/grtrace_*/nvidia_open/enable && grep -q 1 "$TRACEFS"/instances/*/tracing_on
}

end()
{
	kill -INT $monitor
	wait $monitor || fail "monitor: $(cat words)"
	tail -n 1 rows.json >all.json
	grep -q '^{"statistics":"nvidia","scope":"all"' all.json || fail "no statistics: $(cat all.json)"
}

# objects FILE ARRAY: those of a member of the statistics, a line each
objects() { sed -n "s/.*\"$2\":\[\([^]]*\)\].*/\1/p" "$1" | tr '{' '\n' | grep ':' || :; }
# member NAME: of objects, or of a line
member() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }
total() { awk '{ sum += $1 } END { printf "%.0f\n", sum }'; }
rows() { grep "\"event\":\"$1\"" rows.json || :; }

# truth FUNCTION COLUMN: of the times that the stand-in measured
truth()
{
	awk -F, -v name="$1" -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == name { print $at[column] }' truth.csv
}

begin --interval 1s
nvidia-calls gpu0 40 hold >held &
holder=$!
nvidia-calls gpu255 25 &
user=$!
for _ in 1 2 3; do nvidia-calls gpu0 5; done
cat gpu1 2>/dev/null && fail "a GPU that cannot be opened was opened"
wait $user
wait_for 60 grep -q open held
# Two CPUs at once, with very different times.
echo "33 0 60 200 900" >$stand_in/interrupts &
first=$!
echo "34 $((cpus - 1)) 60 2000 100" >$stand_in/interrupts
wait $first
sh -c "echo 1048576 >$stand_in/p2p; echo 65536 >$stand_in/p2p"
echo "suspend 20000" >$stand_in/power
sleep 0.5
echo "resume 10000" >$stand_in/power
echo "79 pid=4242, name=train, GPU has fallen off the bus." >$stand_in/xid
echo "NVRM: nothing that counts" >/dev/kmsg
echo "31 pid='<unknown>', name=<unknown>, MMU fault" >$stand_in/xid
sleep 1
end
cat $stand_in/counts >counts.csv
cat $stand_in/times >truth.csv
kill $holder

# --- counts ---

missed=$(member missed <all.json)
expect_eq "events lost" "$(member lost <all.json)" 0
# The stand-in's rows, and ours, as "pid name number".
awk -F, 'NR == 1 { for (i = 3; i <= NF; i++) name[i] = $i; next }
	{ for (i = 3; i <= NF; i++) if ($i) print $1, name[i], $i }' counts.csv | grep -v '^1 ' | sort >theirs
while read -r array column name; do
	objects all.json "$array" | grep '"scope":"process"' | while read -r object; do
		echo "$(echo "$object" | member pid) $name $(echo "$object" | member "$column")"
	done
done <<-'END' | grep -v ' 0$' | sort >ours
	devices opens open
	devices closes close
	devices ioctls ioctl
	memory mmaps mmap
	memory mmap_bytes mmap_bytes
	memory faults fault
	memory vma_opens vma_open
	memory vma_closes vma_release
	memory vma_accesses vma_access
	async polls poll
	p2p get_pages p2p_get
	p2p bytes p2p_bytes
	p2p put_pages p2p_put
	p2p dma_maps p2p_dma_map
END
[ "$(wc -l <theirs)" -gt 60 ] || fail "there were few calls, so this run proves nothing: $(cat theirs)"
if [ "$missed" = 0 ]; then
	diff theirs ours >differences || fail "the stand-in (<) and the monitor (>) differ: $(head -n 20 differences)"
else
	echo "$missed were missed"
	awk -v most="$missed" 'NR == FNR { is[$1 " " $2] = $3; next }
		$2 !~ /bytes/ { off += $3 - is[$1 " " $2]; if ($3 < is[$1 " " $2]) bad = 1 }
		END { exit bad || off > most }' ours theirs || fail "more is missing than $missed: $(diff theirs ours)"
fi
expect_eq "mappings of one page" "$(rows MMAP | grep -c '"bytes":4096,')" $((40 / 4 + 25 / 4 + 1 + 3 * 2 + 2 * 5))
! rows MMAP | grep -v '"bytes":\(4096\|8192\|12288\|16384\),' || fail "a mapping has another size"
ioctls=$(awk '$2 == "ioctl" { print $3 }' ours | total)
expect_eq "rows of ioctls, of $ioctls" "$(rows IOCTL | wc -l)" $(((ioctls + 99) / 100))
rows IOCTL | grep -q '"cmd":3223340586,"name":"RM_CONTROL"' || fail "no ioctl has its name: $(rows IOCTL | head -n 1)"
expect_eq "the GPU" "$(rows OPEN | member gpu | sort -u | paste -s -d ' ')" "nvidia0 nvidia1 nvidiactl"
expect_eq "opens that failed" "$(rows OPEN | grep -c '"result":-5')" 1
expect_eq "the same in the sums" "$(objects all.json devices | grep '"scope":"all"' | member failed_opens)" 1
expect_eq "files that are open" "$(objects all.json open | grep -c .)" 1
expect_eq "who has one" "$(objects all.json open | member pid)" $holder
expect_eq "how many" "$(objects all.json open | member files)" 1

# Intervals sum to all.
grep '"scope":"interval"' rows.json >laps
[ "$(wc -l <laps)" -gt 1 ] || fail "there is one interval only"
objects laps devices | grep '"scope":"all"' | member ioctls | total >sum
expect_eq "ioctls of all intervals" "$(cat sum)" "$ioctls"

# --- times ---

# in_order WHAT LESS MORE
in_order() { [ "$2" -le "$3" ] || fail "$1: $2 is more than $3: $(cat truth.csv)"; }

# between WHAT TABLE NAME FUNCTION: count, sum, least and greatest are between those inside and around.  A top
# half that interrupts a probe has none, which is counted; it may have been the shortest or the longest one.
between()
{
	object=$(objects all.json "$2" | grep "\"name\":\"$3\"")
	calls=$(truth "$4" calls) timed=$(echo "$object" | member timed)
	[ "$calls" -gt 0 ] || fail "$1: there were none"
	in_order "$1: timed" "$timed" "$calls"
	in_order "$1: not timed" $((calls - timed)) "$missed"
	for number in sum min max; do
		ns=$(echo "$object" | member ${number}_ns)
		case $number:$missed in
		*:0 | min*) in_order "$1: $number inside" "$(truth "$4" inside_${number}_ns)" "$ns" ;;
		esac
		case $number:$missed in
		*:0 | sum* | max*) in_order "$1: $number around" "$ns" "$(truth "$4" around_${number}_ns)" ;;
		esac
	done
}

between "top halves" interrupts isr nvidia_isr
between "bottom halves" interrupts isr_bh nvidia_isr_kthread_bh
between suspend power suspend nvidia_suspend
between resume power resume nvidia_resume
for half in isr isr_bh; do
	timed=$(objects all.json interrupts | grep "\"name\":\"$half\"" | member timed)
	expect_eq "$half: in the distribution" "$(objects all.json $half | member count | total)" "$timed"
done
[ "$missed" != 0 ] || expect_eq "bottom halves that were waited for" "$(objects all.json until_bottom_half | member count | total)" 120
slept=$(rows RESUME | member asleep_ns)
{ [ "$slept" -ge 500000000 ] && [ "$slept" -lt 5000000000 ]; } || fail "asleep for $slept ns"
expect_eq "the GPU that slept" "$(rows RESUME | member gpu)" 0000:01:00.0
expect_eq "the peer" "$(rows P2P_DMA_MAP | head -n 1 | member peer)" 0000:02:00.0

# --- errors, and what is missing ---

expect_eq "Xids" "$(rows XID_ERROR | wc -l)" 2
expect_eq "who caused it" "$(rows XID_ERROR | grep '"xid":79,' | member pid) $(rows XID_ERROR | member comm | head -n 1)" "4242 train"
expect_eq "a cause that is not known" "$(rows XID_ERROR | grep '"xid":31,' | member pid)" null
expect_eq "GPUs with Xids" "$(objects all.json xids | member gpu | sort -u)" 0000:01:00
expect_eq "warnings" "$(grep -c '^grtrace: ' words)" 1
for name in nvidia_isr_msix nvidia_isr_bh_unlocked nvidia_p2p_get_pages_persistent nvidia_p2p_dma_unmap_pages; do
	grep -q "^grtrace: .*lacks functions.*$name" words || fail "'$name' is not told as missing: $(cat words)"
done
! grep -q 'nvidia_open\|refused' words || fail "$(cat words)"
objects all.json p2p | grep -q '"scope":"all".*"dma_unmaps":null' || fail "calls of a missing function are known: $(objects all.json p2p)"

# --- text ---

grtrace monitor nvidia >text 2>words &
monitor=$!
wait_for 60 records
nvidia-calls gpu0 3
echo "48 DBE" >$stand_in/xid
sleep 0.5
kill -INT $monitor
wait $monitor || fail "monitor: $(cat words)"
head -n 1 text | grep -q '^TIME(ms) .*EVENT .*COMM .*PID .*GPU .*DETAILS' || fail "no header: $(head -n 1 text)"
grep -q '^[0-9.]* *MMAP *nvidia-calls *[0-9]* *nvidia0 .*size=8192 offset=0$' text || fail "no mapping: $(grep MMAP text)"
grep -q '^[0-9.]* *XID_ERROR *- *- *0000:01:00 *xid=48 DBE$' text || fail "no error: $(grep XID text)"
for section in 'Device Operations' 'Memory Management' 'Interrupt Handling' 'P2P GPU-GPU Communication' \
	'Power Management' Errors 'Async Operations' 'Currently Open'; do
	grep -q -e "^--- $section ---" text || fail "no section '$section'"
done
cat text

# --- the driver goes while it is watched, and comes again; a newer one has an event for Xids ---

need_module grtrace_nvidia_xid
begin
nvidia-calls gpu0 3
rmmod grtrace_nvidia_mock || fail "the driver cannot be removed while a monitor runs"
modprobe grtrace_nvidia_mock
nodes
nvidia-calls gpu0 2
echo "79 GPU has fallen off the bus." >/sys/module/grtrace_nvidia_xid/parameters/xid
echo "48 only in the log" >$stand_in/xid
sleep 0.5
end
expect_eq "processes that opened the device, before and after the reload" "$(rows OPEN | member pid | sort -u | wc -l)" 2
expect_eq "Xids of the event" "$(rows XID_ERROR | member xid)" 79
expect_eq "their GPU" "$(objects all.json xids | member gpu)" 0000:01:00.0
rmmod grtrace_nvidia_xid

# --- the end ---

state >after
cmp before after || fail "something is left: $(diff before after)"
is_as_before() { state >after && cmp -s before after; }
begin
kill -9 $monitor
wait || :
wait_for 60 is_as_before
