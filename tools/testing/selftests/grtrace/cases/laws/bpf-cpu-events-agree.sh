#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --cpu with BPF programs follows the threads that grtrace_cpu follows, and sees each DRM ioctl
# requires: mock grtrace
# kernels: 6.1
cd "$CASE_TMP" || exit
has_begun() { recording_has_begun bpf.grt; }

modprobe grtrace_cpu
grtrace record --source=bpf --cpu -b 16M -o bpf.grt 2>words &
pid=$!
wait_for 20 has_begun
sleep 1
grtrace record --source=module --cpu -b 16M -q -o module.grt -- workload --scenario mixed --jobs 300 >workload.txt ||
	fail "the module: $(cat workload.txt)"
sleep 0.2
kill -INT $pid
wait $pid || fail "record: $(cat words)"
for source in bpf module; do
	grtrace verify $source.grt || fail "verify $source"
	grtrace dump --format csv $source.grt >$source.csv
done

# events SOURCE: lines "TID what", each thread's in the order of time
events()
{
	awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 == "CPU_SWITCH" {
		what = "switch " $at["prev_tid"] " " $at["next_tid"] " " $at["prev_state"]
		if ($at["flags"] ~ /PREV_FOLLOWED/) print $at["prev_tid"], what
		if ($at["flags"] ~ /NEXT_FOLLOWED/) print $at["next_tid"], what
	}
	$1 == "CPU_WAKE" { print $at["tid"], "wake" }
	$1 ~ /^SYNC_WAIT_E/ { print $at["tid"], $1, $at["ctx"] ":" $at["seqno"], $at["status"] }' "$1.csv"
}
events bpf >bpf.txt
events module >module.txt
# The programs end after the module. From 7.0 on a thread may be preempted between the two probes of
# one event, which then come in another order.
case $(uname -r) in [1-6].*) allowed=0 ;; *) allowed=0.02 ;; esac
awk -v allowed=$allowed '
	function rest() { return substr($0, length($1) + 2) }
	NR == FNR { theirs[$1, ++n[$1]] = rest(); next }
	{
		tid = $1
		seen[tid]++
		compared++
		if (theirs[tid, seen[tid]] == rest() || lost[tid])
			next
		if (!allowed) print "thread " tid ", event " seen[tid] ": " theirs[tid, seen[tid]] ", module: " rest()
		lost[tid] = 1
	}
	END {
		for (tid in seen) {
			threads++
			off = n[tid] - seen[tid]
			if (off < 0 && -off > allowed * seen[tid]) { bad++; print "thread " tid ": " n[tid] + 0 " events, module: " seen[tid] }
			if (lost[tid] && !allowed) bad++
		}
		print "compared", compared + 0, "events of", threads + 0, "threads"
		exit bad > 0 || compared < 1000 || threads < 4
	}' bpf.txt module.txt >compared || fail "$(tail -n 20 compared)"
tail -n 1 compared

# t_wake comes from these events.
known() { grtrace report --jobs --format csv "$1.grt" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["t_wake_ns"] != "" { n++ } END { print n + 0 }'; }
echo "t_wake is known of $(known bpf) jobs, module: $(known module)"
[ "$(known bpf)" -ge $(($(known module) * 9 / 10)) ] || fail "t_wake is not known"
[ "$(known bpf)" -gt 10 ] || fail "t_wake is known of too few jobs to prove anything"

# From 7.0 on an event is lost if both twins of a program were preempted.  The trace says how many.
lost=$(told_lost <bpf.csv)
# t_ioctl is of jobs that processes submitted.
known_ioctl=$(grtrace report --jobs --format csv bpf.grt | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["t_ioctl_ns"] != "" { n++; if ($at["t_ioctl_ns"] > 1e9) exit 1 } END { print n + 0 }') || fail "a t_ioctl of more than a second"
[ "$known_ioctl" -ge $((300 - lost)) ] || fail "t_ioctl is known of $known_ioctl jobs only"

# One IOCTL before each SUBMIT, by its thread.
awk -F, -v lost="$lost" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 == "IOCTL" { cmd[$at["tid"]] = $at["cmd"]; ioctls++ }
	$1 == "SUBMIT" { submits++; if (tolower(cmd[$at["tid"]]) !~ /6442$/) bad++; cmd[$at["tid"]] = "" }
	END { print ioctls + 0 " ioctls, " submits + 0 " SUBMITs, without their ioctl: " bad + 0; exit bad > lost || submits < 300 - lost }' bpf.csv ||
	fail "a SUBMIT without its ioctl"
