#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The part of bench/overhead that runs in the guest. For each turn of a tracer it prints
# "LOOP|CALLS|TRACER|UNTRACED_S|TRACED_S|EVENTS|LEAST": the tracer saw EVENTS events, and LEAST or more
# happened. For a tracer that is not installed it prints "LOOP||TRACER|REASON".
set -eu
rounds=$1 writes=$2 jobs=$3
beside=12	# jobs before and after the writes
tracefs=/sys/kernel/tracing
mkdir /tmp/overhead
cd /tmp/overhead

fail() { echo "overhead: $*" >&2; [ ! -s said ] || cat said >&2; exit 1; }

# The loops. Each writes the seconds that it took, as it says itself, to the file 'took'; the dd of
# busybox does not say it. Jobs before and after the writes show that a tracer of jobs was on all
# the time.
cat >loop-writes <<END
#!/bin/sh -e
workload --scenario batch --jobs $beside
/usr/local/bin/dd if=/dev/zero of=/dev/null bs=4k count=$writes 2>dd
workload --scenario batch --jobs $beside
sed -n 's/.* copied, \([0-9.]*\) s.*/\1/p' dd >took
END
cat >loop-jobs <<END
#!/bin/sh -e
workload --scenario batch --jobs $jobs --duration-us 1:1 >workload
sed -n 's/^elapsed \([0-9.]*\) s$/\1/p' workload >took
END
chmod +x loop-writes loop-jobs

# name | loops | what runs it | program that it needs, and its package
rows()
{
	cat <<-'END'
	nothing                                    |writes jobs|nothing|
	grtrace record --source=module             |writes jobs|grtrace --source=module|
	grtrace record --source=bpf                |writes jobs|grtrace --source=bpf|
	grtrace record --source=bpf, without marks |writes|grtrace_without_marks --source=bpf|
	grtrace record --source=tracefs            |writes jobs|grtrace --source=tracefs|
	grtrace record -e syscalls:sys_enter_write |writes|grtrace_writes -e $events|
	grtrace record --probe ksys_write          |writes|grtrace_writes --probe ksys_write|
	ftrace, nobody reads                       |writes jobs|ftrace|
	trace-cmd record                           |writes jobs|trace_cmd|trace-cmd trace-cmd
	perf record                                |writes jobs|perf|perf linux-perf
	bpftrace, count()                          |writes jobs|bpftrace|bpftrace bpftrace
	END
}

# Sets what the other tracers record of a loop, and the least number of events that they must see.
of_loop()	# LOOP
{
	case $1 in
	writes)
		calls=$writes others=$writes events=syscalls:sys_enter_write perf_events=$events
		program='tracepoint:syscalls:sys_enter_write { @ = count(); }'
		own=$((4 * 2 * beside)) ;;
	jobs)
		calls=$jobs others=$((6 * jobs)) fence=dma_fence:dma_fence_signaled
		events="gpu_scheduler $fence" perf_events="gpu_scheduler:* $fence"
		program="tracepoint:gpu_scheduler:*, tracepoint:$fence { @ = count(); }"
		own=$((4 * jobs)) ;;
	esac
}

# number FORMAT: from what the tracer said last, with its commas taken out
number() { sed -n "s/$1/\\1/p" said | tail -n 1 | tr -d ,; }

# Each runs the loop under its tracer. It sets $seen to the events that the tracer saw, and $of to the least
# number of events that happened.
run_nothing() { "./loop-$loop" && seen=- of=-; }

run_grtrace()
{
	grtrace record "$@" -b 8M -o trace -- "./loop-$loop"
	seen=$(number '.*: \([0-9,]*\) events\{0,1\}, .* lost$') of=$own
}

run_grtrace_without_marks() { run_grtrace --type SUBMIT,COMMIT,END,COMPLETE "$@"; }
run_grtrace_writes() { run_grtrace "$@" && of=$writes; }

run_ftrace()
{
	here=$tracefs/instances/overhead
	mkdir $here
	echo 8192 >$here/buffer_size_kb
	for event in $events; do
		echo 1 >"$here/events/$(echo "$event" | tr : /)/enable"
	done
	"./loop-$loop"
	echo 0 >$here/tracing_on
	of=$others seen=$(cat $here/per_cpu/cpu*/stats |
		awk '/^(entries|overrun):/ { n += $2 } END { print n + 0 }')
	echo 0 >$here/events/enable
	rmdir $here
}

run_trace_cmd()
{
	set --
	for event in $events; do set -- "$@" -e "$event"; done
	trace-cmd record -b 8192 -o trace "$@" "./loop-$loop"
	of=$others seen=$(trace-cmd report --stat -i trace |
		awk '/^(entries|read events):/ { n += $NF } END { print n + 0 }')
}

run_perf()
{
	set -f
	set --
	for event in $perf_events; do set -- "$@" -e "$event"; done
	set +f
	perf record -a -m 8M -o trace "$@" "./loop-$loop"
	seen=$(number '.*(\([0-9]*\) samples).*') of=$others
}

run_bpftrace()
{
	bpftrace -o counts -c "/bin/sh $PWD/loop-$loop" -e "$program"
	seen=$(sed -n 's/^@: //p' counts) of=$others
}

# turn HOW...: runs the loop in that way; $took has its seconds
turn()
{
	rm -rf took trace trace.* counts
	how=$1
	shift
	"run_$how" "$@" </dev/null >said 2>&1 || fail "'$name' failed"
	took=$(cat took 2>/dev/null) || took=""
	case $took in
	"" | 0.000 | *[!0-9.]*) fail "'$name': the loop does not say how long it took" ;;
	esac
	case $seen in
	-) ;;
	"" | 0) fail "'$name' recorded nothing, so its time means nothing" ;;
	esac
}

for loop in writes jobs; do
	of_loop $loop
	for round in $(seq "$rounds"); do
		echo "$loop: round $round of $rounds" >&2
		rows >table
		while IFS='|' read -r name loops way needs; do
			name=$(echo "$name" | sed 's/ *$//')
			case " $loops " in *" $loop "*) ;; *) continue ;; esac
			if [ "$needs" ] && ! command -v "${needs% *}" >/dev/null; then
				hint="sudo apt-get install ${needs#* }"
				echo "$loop||$name|no ${needs% *} here: $hint"
				continue
			fi
			turn nothing
			untraced=$took
			eval "turn $way"
			echo "$loop|$calls|$name|$untraced|$took|$seen|$of"
		done <table
	done
done
