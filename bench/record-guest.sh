#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The part of bench/record that runs in the guest. Prints "RECORDER RATE NS JOBS LOST CPU_S
# FIRED_CPU_S" for each step; CPU_S includes FIRED_CPU_S, the time of the process that fires.
set -eu
here=$(dirname "$0")
seconds=$1 buffer=$2 usual=$3 idle=$4
set_rate() { echo "$1" >/sys/module/grtrace_bench/parameters/rate; }

insmod "$here/grtrace_bench.ko" "seconds=$seconds"
mkdir /tmp/record
cp -r "$here"/* /tmp/record/
cd /tmp/record

fail() { echo "record: $*" >&2; cat said >&2; exit 1; }

# Fires, and says how long it took, on the clock and on its CPU.
cat >fire <<'END'
#!/bin/sh
cat /sys/kernel/debug/grtrace_bench/paced >fired || exit 1
times >fire_times
END
chmod +x fire

of_grtrace()	# SOURCE
{
	./measure 1 grtrace record --source="$1" -b "${buffer}K" -o file -- ./fire
}

program()	# NAME ARGUMENTS...
{
	program=$PWD/$1/$1 libraries=$PWD/$1
	shift
	LD_LIBRARY_PATH=$libraries ./measure 1 "$program" "$@"
}

by_module() { of_grtrace module; }
by_bpf() { of_grtrace bpf; }
by_tracefs() { of_grtrace tracefs; }
by_trace_cmd()
{
	program trace-cmd record -b "$buffer" -o file -e gpu_scheduler -e dma_fence:dma_fence_signaled ./fire
}
by_perf()
{
	program perf record -a -m "${buffer}K" -o file -e 'gpu_scheduler:*' -e dma_fence:dma_fence_signaled ./fire
}

lost_by_grtrace() { sed -n 's/.*, \([0-9,]*\) lost.*/\1/p' said | tail -n 1 | tr -d ,; }
lost_by_module() { lost_by_grtrace; }
lost_by_bpf() { lost_by_grtrace; }
lost_by_tracefs() { lost_by_grtrace; }
lost_by_trace_cmd()
{
	awk '/overrun:|dropped events:/ { lost += $NF } END { print lost + 0 }' said
}
# the number of samples is there in any case; lost chunks are told only if there are some
lost_by_perf()
{
	sed -n 's/.*(\([0-9]*\) samples).*/\1/p' said | awk -v jobs="$(cut -d ' ' -f 2 fired)" '
		{ lost = 4 * jobs - $1 } END { print (lost > 0 ? lost : 0) }'
}

# seconds of the lines of 'times': user and system, of the shell and its children
time_of_fire()
{
	awk '{ for (i = 1; i <= NF; i++) { split($i, t, "m"); sum += 60 * t[1] + t[2] } } END { print sum }' fire_times
}

step()	# RECORDER RATE: false if something was lost, or the machine cannot fire at this rate
{
	rm -f file file.* fired fire_times
	set_rate "$2"
	"by_$1" >measured 2>said || fail "$1 failed"
	cat measured >>said
	lost=$("lost_by_$1")
	[ "$lost" ] || fail "$1 does not say what it lost"
	read -r ns jobs <fired
	name=$1
	case $1 in
	trace_cmd) name=trace-cmd ;;
	esac
	echo "$name $2 $ns $jobs $lost $(cut -d ' ' -f 2 measured) $(time_of_fire)"
	[ "$lost" -eq 0 ] && [ $((jobs * 1000000000 / ns)) -gt $(($2 * 9 / 10)) ]
}

recorders="module bpf tracefs"
[ ! -x trace-cmd/trace-cmd ] || recorders="$recorders trace_cmd"
[ ! -x perf/perf ] || recorders="$recorders perf"
for recorder in $recorders; do
	step "$recorder" "$idle" || :
	rate=$usual
	while step "$recorder" "$rate"; do rate=$((rate * 3 / 2)); done
done
