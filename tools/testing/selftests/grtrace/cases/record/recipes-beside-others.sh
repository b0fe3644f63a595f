#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the commands of Documentation/beside.rst, as they are written there: perf, trace-cmd and grtrace record the same jobs, with times of one clock
# kernels: soak
# arm64: no, Debian's perf brings 30 packages, with Perl and Python, and what it reads is the same
# requires: mock grtrace trace-cmd perf
# vm: own --programs perf
# timeout: 400
#
# A tracer stamps an event grtrace:* right after the module stamped its record, on the same CPU,
# with interrupts off.  So if both have one clock, its time is between that of the record and that
# of the next record of this CPU.  If its clock is ahead by X, each event allows a span of values
# for X, and all together a small one: 0 must be in it.
JOBS=150
manual=$0/../Documentation/beside.rst	# in a guest
[ -e "$manual" ] || manual=$0/../../../../../Documentation/beside.rst

mkdir "$CASE_TMP/bin"
PATH=$CASE_TMP/bin:$PATH
cd "$CASE_TMP" || exit

# program NAME: the script on standard input
program() { { echo "#!/bin/sh"; cat; } >"bin/$1" && chmod +x "bin/$1"; }

program sudo <<'END'
exec "$@"
END
program glxgears <<END
exec workload --scenario mixed --processes 3 --jobs $JOBS >>workload.txt
END
# The guest has no screen for kernelshark's window. trace-cmd reads the same two files instead, with the same
# library.
program kernelshark <<'END'
[ "$1 $3" = "-i -a" ] && trace-cmd report -i "$2" -i "$4" >/dev/null
END

# follow SECTION: runs its commands
follow()
{
	awk -v title="$1" '
		/^=+$/ { if (is_in) exit; is_in = last == title; next }
		is_in && /^    / { print substr($0, 5) }
		{ last = $0 }' "$manual" >commands
	[ -s commands ] || fail "beside.rst has no commands under '$1'"
	sh -eu -o pipefail commands >said 2>&1 || fail "'$1' failed: $(cat said)"
}

types='(submit|commit|end|complete)'	# each job has one of each

# seen TEXT: "TYPE CPU KEY NS" of each event of a job in a text of perf script or trace-cmd report
seen()
{
	head='^.*\[0*([0-9]+)\] +([0-9]+)\.([0-9]{9}): +(grtrace:)?'
	sed -n -E "s/$head$types: .* ctx=([0-9]+) seqno=([0-9]+) .*/\5 \1 \6:\7 \2\3/p" "$1"
}

# records TRACE: the same of each event in a trace, in the order of time; KEY is ":" without a job
records()
{
	grtrace dump --format csv "$1" >dump.csv || fail "dump of $1"
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == "LOSS" { print "lost: " $0 >"/dev/stderr"; exit 1 }
		$at["cseq"] {
			print tolower($1), $at["cpu"], $at["ctx"] ":" $at["seqno"], $at["ts"]
		}' dump.csv
}

# span EVENTS TRACE [AHEAD]: "LEAST MOST", in ns, of how much the clock of EVENTS may be ahead of
# the trace's, after AHEAD was added to it; each event of a job in the trace must be there
span()
{
	records "$2" >stamps || fail "grtrace lost events, so this run proves nothing"
	awk -v ahead="${3-0}" -v jobs=$JOBS '
		NR == FNR { time[$1 " " $2 " " $3] = $4 + ahead; next }
		{
			if ($2 in before) {
				low = before[$2] - $4
				if (!has_low || low > least) least = low
				has_low = 1
				delete before[$2]
			}
		}
		$1 ~ /^(submit|commit|end|complete)$/ {
			key = $1 " " $2 " " $3
			if (!(key in time)) { print "no event of " key; exit 1 }
			high = time[key] - $4
			if (!count++ || high < most) most = high
			before[$2] = time[key]
		}
		END {
			if (count < 4 * jobs || !has_low) {
				print count + 0 " events of " jobs " jobs"
				exit 1
			}
			printf "%d %d\n", least, most
		}' "$1" stamps
}

# one_clock WHO EVENTS TRACE: the clocks differ by 0, and a millisecond would be noticed
one_clock()
{
	found=$(span "$2" "$3") || fail "$1: $found"
	echo "$1: ahead of the trace by ${found% *} to ${found#* } ns"
	if [ "${found% *}" -gt 0 ] || [ "${found#* }" -lt 0 ]; then
		fail "$1: its clock is ahead of the trace's by ${found% *} to ${found#* } ns"
	fi
	for ahead in 1000000 -1000000; do
		found=$(span "$2" "$3" $ahead) || fail "$1: $found"
		if [ "${found% *}" -le 0 ] && [ "${found#* }" -ge 0 ]; then
			fail "$1: a clock that is $ahead ns ahead would not be noticed"
		fi
	done
}

jobs_of() { grtrace report --jobs --format csv "$1" | sed 1d | wc -l; }

follow "What the CPU did meanwhile"
perf script --ns -G -i cpu.data >perf.txt 2>words || fail "$(cat words)"
seen perf.txt >events
one_clock "perf record" events jobs.grt
grep -q ' cpu-clock' perf.txt || fail "perf took no sample, so this run proves little"
grep -q '^# Samples: [1-9].*cpu-clock' code.txt ||
	fail "no sample while the slowest job lived: $(head -n 20 code.txt)"
expect_eq "jobs of perf's file" "$(jobs_of both.grt)" "$(jobs_of jobs.grt)"
grtrace dump --type MARK both.grt | grep -q cpu-clock || fail "the samples are no marks"
[ -s both.pftrace ] || fail "there is no picture"

follow "Switches beside jobs, in KernelShark"
trace-cmd report -t cpu.dat >cpu.txt 2>words || fail "$(cat words)"
seen cpu.txt >events
one_clock "trace-cmd record" events jobs.grt
# In the file that grtrace wrote, the times are those of the trace.
grep '^ *jobs.dat: ' both.txt >jobs.txt || fail "both.txt has nothing of jobs.dat"
seen jobs.txt | sort >events
records jobs.grt | grep -E "^$types " | sort >expected
diff events expected >words || fail "jobs.dat has other times than jobs.grt: $(head -n 5 words)"
grep -q '^ *cpu.dat: .* sched_switch: ' both.txt || fail "both.txt has no switch"
sed -n -E 's/^.*\] +([0-9]+)\.([0-9]{9}): .*/\1\2/p' both.txt | sort -n -c ||
	fail "both.txt is not in the order of time"

# drm_run_job, called drm_sched_job_run from Linux 6.17 on, and COMMIT come from the same tracepoint. So in each
# thread both have stamped one call before either stamps the next. Not on each CPU: there another thread may come
# between the two stamps. A COMMIT has no thread; the event grtrace:commit of the same job has.
# The head of a line has three groups: the thread, the seconds and the nanoseconds.
head='^.*-([0-9]+) +\[[0-9]+\] +([0-9]+)\.([0-9]{9}): +'
sed -n -E "s/$head(drm_run_job|drm_sched_job_run): .*/\1 \2\3/p" cpu.txt >runs
[ -s runs ] || fail "trace-cmd saw no job begin: $(head -n 3 cpu.txt)"
sed -n -E "s/$head(grtrace:)?commit: .* ctx=([0-9]+) seqno=([0-9]+) .*/\5:\6 \1/p" cpu.txt >threads
records jobs.grt | awk '
	NR == FNR { thread[$1] = $2; next }
	$1 == "commit" { print thread[$3], $4 }' threads - >commits
awk '
	NR == FNR { run[$1, ++runs[$1]] = $2; next }
	{ commit[$1, ++commits[$1]] = $2 }
	END {
		for (thread in commits) if (!(thread in runs)) {
			print commits[thread] " calls in thread " thread " without drm_run_job"
			exit 1
		}
		for (thread in runs) {
			if (runs[thread] != commits[thread]) {
				print runs[thread] " of " commits[thread] + 0 " calls in thread " thread
				exit 1
			}
			last = 0
			for (i = 1; i <= runs[thread]; i++) {
				one = run[thread, i]
				other = commit[thread, i]
				if (one < last || other < last) {
					print "call " i " in thread " thread
					exit 1
				}
				last = one > other ? one : other
				all++
			}
		}
		print all " calls of drm_run_job in " length(runs) " threads"
		exit !all
	}' runs commits >words || fail "drm_run_job and COMMIT: $(cat words)"
cat words

# perf trace prints its own clock. That one may be off by a tick, 4 ms, where the kernel does not
# trust the time stamp counter: so much may an event be away from what clock_sync says. perf leaves
# out events that an interrupt brings while perf trace itself has the CPU.
follow "Jobs in perf trace"
stamp='^ *([0-9]+)\.([0-9]{3}) .*grtrace:'
sed -n -E "s/${stamp}clock_sync\(mono_ns: ([0-9]+),.*/\1\2000 \3/p" live.txt |
	awk '{ printf "%.0f\n", $1 - $2 }' | sort -n >syncs
[ -s syncs ] || fail "perf trace shows no clock_sync"
sed -n -E "s/$stamp$types\(.* ctx: ([0-9]+), seqno: ([0-9]+).*/\3 \4:\5 \1\2000/p" live.txt >events
records jobs.grt >stamps
awk -v ahead="$(head -n 1 syncs)" -v jobs=$JOBS '
	NR == FNR { time[$1 " " $3] = $4; next }
	{
		off = $3 - time[$1 " " $2] - ahead
		if (off < -4000000 || off > 4000000) {
			print $1 " of " $2 " is " off " ns off"
			exit 1
		}
		seen[$1]++
	}
	END {
		printf "clock_sync: %.1f ms;", ahead / 1e6
		for (type in seen) printf " %d %s", seen[type], type
		print ""
		if (seen["submit"] != jobs || seen["commit"] != jobs) exit 1
		exit !seen["end"] || !seen["complete"]
	}' stamps events >words || fail "perf trace: $(cat words)"
echo "perf trace: $(cat words)"

follow "A file of trace-cmd, without grtrace"
expect_eq "jobs that trace-cmd recorded" "$(jobs_of there.grt)" $JOBS
