#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: trace-cmd and KernelShark read an exported trace.dat like grtrace its trace, and it comes back
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export_dat() { run 0 "$grtrace" export --to trace.dat -o "$2" "$1"; }
report() { trace-cmd report -N -t "$@" 2> /dev/null; }

# Lines of trace-cmd as "TIME CPU EVENT FIELDS", without names in brackets.  Tasks may be called
# anything, but the CPU, the time and a known event do not follow each other in a name.
plain_dat()
{
	report "$1" | sed -nE 's/^.*-[0-9]+ +\[0*([0-9]+)\] +([0-9]+\.[0-9]+): ([a-z_]+): +(.*)$/\2 \1 \3 \4/p' |
		sed -E 's/\([^)]*\)//g'
}

# The events of records, with the fields and words of grtrace dump.
dat_events()
{
	plain_dat "$1" | grep -vE '^[^ ]+ [0-9]+ (ring_runs|ring_gap|finished_job|recording|stream_info|metadata|stats|ring|process|clock|policy|loss|stack_text|machine|cgroup) ' |
		sed -E 's/ sched_switch .*prev_pid=([0-9]+) .*next_pid=([0-9]+) .*$/ cpu_switch prev_tid=\1 next_tid=\2/
			s/ sched_wakeup .* pid=([0-9]+) prio=255 target_cpu=0*([0-9])/ cpu_wake tid=\1 target_cpu=\2/
			s/ print / mark text=/' | sort
}

grt_events()
{
	"$grtrace" dump "$@" | awk '$3 != "LOSS"' | sed -E 's/\([^)]*\)//g; s/"//g
		s/^ *([0-9.]+) \[0*([0-9]+)\] ([A-Z_]+) +/\1 \2 \L\3\E /
		s/( cpu_switch .*) prev_state=.*/\1/; s/ mark tgid=[0-9]+ tid=[0-9]+ / mark /' | sort
}

# Jobs: "CTX SEQNO STATUS" and all stages, "-" where they are not known.
dat_jobs()
{
	plain_dat "$1" | awk '$3 == "finished_job" {
		line = ""
		for (i = 4; i <= NF; i++) {
			split($i, part, "=")
			if (part[1] !~ /^(ring|tgid|tid|flags)$/)
				line = line " " part[1] "=" part[2]
		}
		print line
	}' | sort
}

grt_jobs()
{
	"$grtrace" report --jobs --format csv "$1" 2> /dev/null | awk -F, '
		NR == 1 {
			for (i = 1; i <= NF; i++) { sub(/_ns$/, "", $i); at[$i] = i }
			split("ctx seqno status t_order t_dep t_ring t_sched t_submit_host t_queue t_exec t_hw t_gpu_wait t_complete total t_sched_cpu t_wake t_ioctl", wanted, " ")
			next
		}
		{
			line = ""
			for (i = 1; i in wanted; i++)
				line = line " " wanted[i] "=" ($at[wanted[i]] == "" ? "-" : $at[wanted[i]])
			print line
		}' | sort
}

same() { cmp -s "$1" "$2" || { diff "$1" "$2" | head -5 > out; return 1; }; }
has() { [ -s "$1" ] || { echo "$1 is empty" > out; return 1; }; }

# --- the same events and jobs ---

"$gen" grt 3 3000 bulk.grt && "$gen" timeline all > all.grt || exit 1
for scene in blame lossy two-devices kill reset foreign; do
	"$gen" scene $scene > $scene.grt || exit 1
done
for class in 0 3 5 8 10; do
	"$gen" sim $class 7 > sim$class.grt || exit 1
done
for trace in bulk all blame lossy two-devices kill reset foreign sim0 sim3 sim5 sim8 sim10; do
	has_turn || continue
	ok "$trace: export"			export_dat $trace.grt $trace.dat
	dat_events $trace.dat > dat.events
	grt_events $trace.grt > grt.events
	dat_jobs $trace.dat > dat.jobs
	grt_jobs $trace.grt > grt.jobs
	ok "$trace: there are events"		has grt.events
	ok "$trace: trace-cmd has the same"	same grt.events dat.events
	ok "$trace: the same jobs and stages"	same grt.jobs dat.jobs
done

# --- a trace comes back ---

for trace in bulk blame lossy two-devices kill reset foreign sim0 sim3 sim5 sim8 sim10; do
	has_turn || continue
	export_dat $trace.grt $trace.dat
	ok "$trace: import"			run 0 "$grtrace" import -o back.grt $trace.dat
	"$grtrace" dump $trace.grt > a 2> err
	"$grtrace" dump back.grt > b 2> err
	ok "$trace: the same events again"	same a b
	"$grtrace" report --jobs --format csv $trace.grt > a 2> err
	"$grtrace" report --jobs --format csv back.grt > b 2> err
	ok "$trace: the same jobs again"		same a b
	rm -f back.grt
done

# --- rings as CPUs: how long they run jobs is what the report calls busy ---

export_dat bulk.grt bulk.dat
plain_dat bulk.dat | awk '
	function ns(t) { split(t, part, "."); return part[1] * 1000000000 + part[2] }
	$3 == "ring_runs" { from[$2] = ns($1); name[$2] = $6 }
	$3 == "finished_job" && $2 in from { busy[name[$2]] += ns($1) - from[$2]; delete from[$2] }
	END { for (r in busy) printf "%d\n", busy[r] }' | sort > dat.busy
"$grtrace" report --format json bulk.grt 2> err |
	jq -r '.time[] | select(.ring and .busy_ns > 0) | .busy_ns' | sort > grt.busy
ok "rings are busy"				has grt.busy
ok "as long as the report says"			same grt.busy dat.busy

# --- losses ---

dropped() { report "$1" | sed -nE 's/^CPU:[0-9]+ \[([0-9]+) EVENTS DROPPED\]$/\1/p' | awk '{ n += $1 } END { print n + 0 }'; }
lost=$("$grtrace" dump lossy.grt | sed -nE 's/.* LOSS .* count=([0-9]+) .*/\1/p' | awk '{ n += $1 } END { print n + 0 }')
export_dat lossy.grt lossy.dat
ok "events are missing"				[ "$lost" -gt 0 ]
ok "trace-cmd says how many"			[ "$(dropped lossy.dat)" -eq "$lost" ]

# --- names that attack, rings and processes that are not known ---

"$gen" scene names > names.grt || exit 1
ok "hostile names"				export_dat names.grt names.dat
report names.dat > names.txt
ok "no control character is left"		sh -c "! LC_ALL=C grep -q '[[:cntrl:]]' names.txt"
ok "no event is lost"				[ "$(dat_events names.dat | wc -l)" -eq "$(grt_events names.grt | wc -l)" ]
# With sanitizers not every trace had its turn.
for trace in bulk all lossy; do
	[ -f "$trace.dat" ] || "$grtrace" export --to trace.dat -o "$trace.dat" "$trace.grt" 2> err || exit 1
done
ok "an unknown process is not 0"		sh -c "trace-cmd report all.dat 2> err | grep -q '^ *unknown-8388608 .* memory:'"
ok "an unknown name of a process"		sh -c "trace-cmd report all.dat 2> err | grep -q '<...>-14 .* sync_wait_enter:'"
ok "with trace-cmd's plugins, too"		sh -c "trace-cmd report all.dat 2> err | grep -q 'sched_switch: *<...>:10 \[255\] T|t ==> <...>:11 \[255\]'"

# --- how it is written ---

ok "to a pipe"					sh -c "'$grtrace' export --to trace.dat -o - bulk.grt | cmp - bulk.dat"
ok "by default beside the trace"		run 0 "$grtrace" export --to trace.dat two-devices.grt
ok "under its name"				grep -q '^two-devices.dat, ' err
ok "what is there is no input"			complains 3 "" "" "$grtrace" export --to trace.dat -o blame.grt blame.grt
ok "filters of jobs are refused"		complains 2 "no filters of jobs" "grtrace slice" "$grtrace" export --to trace.dat --ring gfx blame.grt
ok "a disk without room"			sh -c "! '$grtrace' export --to trace.dat -o /dev/full bulk.grt 2> err"
ok "says so"					grep -q "cannot write '/dev/full'" err
ok "no folder for temporary files"		sh -c "! TMPDIR=/nowhere '$grtrace' export --to trace.dat -o x.dat bulk.grt 2> err"
ok "has a hint"					grep -q "hint: set TMPDIR" err

ok "a part of the time"				run 0 "$grtrace" export --to trace.dat -o part.dat --since 100500ns --until 300500ns bulk.grt
dat_events part.dat > dat.events
grt_events --since 100500ns --until 300500ns bulk.grt > grt.events
ok "has its events"				same grt.events dat.events

# --- KernelShark ---

flags=$(pkg-config --cflags --libs libkshark)
# shellcheck disable=SC2086
ok "libkshark builds"				run 0 "${CC:-cc}" -o kshark-list "$tools/test/make/kshark-list.c" $flags
for trace in bulk all lossy; do
	./kshark-list $trace.dat > kshark 2> err
	# Gaps are entries of their own there.
	awk -F '\t' '$5 !~ /missed/ { sub(/^.*\//, "", $5); print $2, $5 }' kshark | sort | uniq -c > kshark.counts
	plain_dat $trace.dat | awk '{ print $2, $3 }' | sort | uniq -c > dat.counts
	ok "$trace: KernelShark has events"	has dat.counts
	ok "$trace: as many, by CPU and kind"	same dat.counts kshark.counts
done
awk -F '\t' '$5 ~ /submit$/ { print $3 }' kshark | sort | uniq -c > kshark.counts
"$grtrace" dump --type SUBMIT --format csv lossy.grt | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["tid"] }' |
	sort | uniq -c > dat.counts
ok "submits are of their threads"		same dat.counts kshark.counts
# Texts of several lines: the machine, its boot, and the pod of a cgroup.
"$grtrace" report --jobs -f csv "$golden/truth/machine-cgroup.grt" > jobs.before 2> err
"$grtrace" export --to trace.dat -o mc.dat "$golden/truth/machine-cgroup.grt" 2> err
"$grtrace" report --jobs -f csv mc.dat > jobs.after 2> err
ok "machine, boot, pod, namespace and container come back"	cmp jobs.before jobs.after
ok "the pod is found"			run 0 "$grtrace" report --jobs -f csv -F 'pod == ml/train-0' mc.dat
ok "all of its jobs"			[ "$(wc -l < out)" -eq "$(wc -l < jobs.before)" ]
end
