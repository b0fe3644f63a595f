#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: monitor shows each event once, in order, with the times of reports; its sums are those of reports, and intervals sum to all
# GOLDEN=write in the environment writes the golden files anew.
# Tests call these functions through ok(). $2 and the like are variables of awk and jq, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

imports=$golden/import
golden=$golden/monitor
export LC_ALL=C.UTF-8

"$gen" busy jobs=3000 > busy && "$gen" load jobs=4000 rings=2 lose=50 > lossy || exit 1
scenes="chain blame reset kill firmware full suspend two-devices pipelined foreign cut"
displays="vblanks asked flips two-displays"
for scene in $scenes $displays by-hand; do
	"$gen" scene "$scene" > "$scene" || exit 1
done
cp "$imports/sched-617.txt" "$imports/amdgpu-memory.txt" "$imports/i915-memory.txt" . 2> err
says() { grep -qE -e "$1" out; }

# cells FILE FIELD=VALUE COLUMN...: the cells of rows of CSV with this value, by name
cells()
{
	file=$1 field=${2%=*} value=${2#*=}
	shift 2
	awk -F, -v field="$field" -v value="$value" -v names="$*" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
		$at[field] == value { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? "," : "\n" }' "$file"
}

# The statistics of all, as the report has them: jobs, failures, each time's count, sum, mean, quantiles.
times="count sum_ns mean_ns p50_ns p90_ns p99_ns max_ns"
jobs_agree()	# trace
{
	"$grtrace" monitor --quiet --json drm "$1" > all.json 2> err || return 1
	for scope in ring process; do
		"$grtrace" report "--per-$scope" --all-time --all -f csv "$1" > report.csv 2>> err || return 1
		case $scope in ring) key="device ring" ;; *) key=pid ;; esac
		names="$key jobs cut"
		for stage in t_submit_host t_exec total; do
			for time in $times; do
				names="$names ${stage}_$time"
			done
		done
		# shellcheck disable=SC2086	# names are words
		cells report.csv "scope=$scope" $names | sort > a
		jq -r --arg scope "$scope" --arg times "$times" '
			($times | split(" ")) as $t | (if $scope == "ring" then .rings else .processes end)[] as $r |
			((if $scope == "ring" then [$r.device, $r.ring] else [$r.pid] end) + [$r.jobs, $r.cut] +
			 [("submit_to_run", "exec", "total") as $span | $t[] | $r[$span + "_" + .]]) |
			map(if . == null then "" else tostring end) | join(",")' all.json | sort > b
		diff a b > err || return 1
	done
}

for trace in busy lossy $scenes sched-617.txt amdgpu-memory.txt; do
	ok "jobs, as the report has them: $trace"	jobs_agree "$trace"
done

# Rows: each event of a kind once, in the order of the trace, and those of jobs that are over with their times.
rows_agree()	# trace
{
	"$grtrace" monitor --json drm "$1" 2> err | grep -v '^{"statistics"' > rows.json || return 1
	"$grtrace" dump --format json "$1" 2>> err |
		jq -r 'select(.type | IN("SUBMIT", "DEPENDENCY", "COMMIT", "COMPLETE", "ERROR")) |
			[.ts, .ctx, .seqno] | map(. // 0 | tostring) | join(" ")' > a || return 1
	jq -r 'select(.event != "LOSS") | [.time_ns, .ctx, .seqno] | map(. // 0 | tostring) | join(" ")' rows.json > b
	diff a b > err || return 1
	"$grtrace" report --jobs --all-time --all -f csv "$1" > jobs.csv 2> err
	jq -r 'select(.event == "COMPLETE") | [.ctx, .seqno, .exec_ns, .total_ns] |
		map(if . == null then "" else tostring end) | join(" ")' rows.json | sort > b
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["complete_ns"] != "" && $at["flags"] !~ /inferred_complete/ {
			cut = $at["flags"] ~ /(^|[|])cut/
			print $at["ctx"] " " $at["seqno"] " " (cut ? "" : $at["t_exec_ns"]) " " (cut ? "" : $at["total_ns"]) }' jobs.csv | sort > a
	diff a b > err
}

for trace in busy chain blame reset kill firmware suspend two-devices pipelined lossy; do
	ok "rows, as the trace has them: $trace"	rows_agree "$trace"
done

# Waits for fences are counted for their ring.
run 0 "$grtrace" monitor -q --json drm chain
ok "waits per ring"			jq -e '[.rings[] | [.ring, .deps, .waits]] == [["gfx", 1, 1], ["compute", 1, 1]]' out
run 0 "$grtrace" monitor -q --json drm lossy
ok "no dependencies recorded: waits are not known" jq -e '[.rings[].waits] | unique == [null]' out
run 0 "$grtrace" monitor -q --json drm busy
ok "jobs declare fences, but no event tells of waits: these are not known" jq -e '[.rings[] | select(.deps > 0) | .waits] | unique == [null]' out
ok "bars have all that was measured"	jq -e '([.rings[].exec_count] | add) == ([.histograms[] | select(.ring) | .exec[].count] | add)' out

# Displays: the report has the same, and what clients were told sums up to that.
displays_agree()	# trace
{
	"$grtrace" report --displays --all-time -f csv "$1" > report.csv 2> err
	"$grtrace" monitor -q --json vblank "$1" > all.json 2>> err || return 1
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["gpu"] "," $at["crtc"] "," $at["refresh_ns"] "," $at["seen"] "," $at["missing"] "," $at["missing_lost"] "," $at["restarts"] }' report.csv | sort > a
	jq -r '.crtcs[] | [.gpu, .crtc, .refresh_ns, .seen, .missing, .missing_lost, .restarts] |
		map(if . == null then "" else tostring end) | join(",")' all.json | sort > b
	diff a b > err || return 1
	counts="asked in_time missed passed asked_unknown told prompt late told_unknown latency_count"
	awk -F, -v names="$counts" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
		{ for (i = 1; i <= n; i++) sum[i] += $at[name[i]] }
		END { for (i = 1; i <= n; i++) print name[i], sum[i] + 0 }' report.csv > a
	jq -r --arg names "$counts" '.clients as $c | $names | split(" ")[] | . as $n | "\($n) \([$c[][$n] // 0] | add // 0)"' all.json > b
	diff a b > err
}

for trace in $displays; do
	ok "displays, as the report has them: $trace"	displays_agree "$trace"
done
run 0 "$grtrace" monitor --json vblank asked
ok "a row of each client's answer"	[ "$(grep -c '"event":"DELIVERED"' out)" = "$(jq -s '[.[] | select(.statistics) | .clients[].told] | add' out)" ]
ok "two clients of one blank"		sh -c 'jq -e "select(.event == \"DELIVERED\" and .frame == 5) | .client_id" out | sort -u | wc -l | grep -qx 2'
ok "with the time since they asked"	jq -se '[.[] | select(.event == "DELIVERED" and .frame == 5) | .latency_ns] | sort == [10000, 18000000]' out
run 0 "$grtrace" monitor -q --json vblank vblanks
ok "nobody was seen to ask: not known"	jq -e '.clients == []' out

# Memory: by operation, as the report has it.
memory_agrees()	# kind, trace
{
	"$grtrace" report --memory --all-time --all -f json "$2" > report.json 2> err &&
		"$grtrace" monitor -q --json "$1" "$2" > all.json 2>> err || return 1
	jq -r '.causes[] | [.scope, .pid, .moves, .moved_bytes, .binds, .unbinds, .evictions, .evicted_bytes, .shrinks, .shrink_bytes, .pwrite_bytes, .pread_bytes] |
		map(. // 0 | tostring) | join(" ")' report.json | sort > a
	jq -r '[.memory[] | . + {key: "\(.scope) \(.pid // 0)"}] | group_by(.key)[] | . as $rows |
		def of($op; $what): [$rows[] | select(.op == $op) | .[$what]][0] // 0;
		[of("move"; "events"), of("move"; "bytes"), of("bind"; "events"), of("unbind"; "events"),
		 of("evict"; "events"), of("evict"; "bytes"), of("shrink"; "events"), of("shrink"; "bytes"),
		 of("pwrite"; "bytes"), of("pread"; "bytes")] |
		select(add > 0) | map(tostring) | "\($rows[0].key) " + join(" ")' all.json | sort > b
	diff a b > err && [ -s a ]
}

ok "memory of amdgpu"			memory_agrees amdgpu amdgpu-memory.txt
ok "memory of i915"			memory_agrees i915 i915-memory.txt
run 0 "$grtrace" monitor --json amdgpu amdgpu-memory.txt
ok "submit to run, of each job"		jq -se '[.[] | select(.event == "SCHED_RUN") | .latency_ns] | sort == [11000, 21000, 31000]' out
ok "and of all"				jq -se '.[-1].rings[0] | .submit_to_run_sum_ns == 63000 and .run_to_complete_count == 3' out
ok "interrupts by source"		jq -se '[.[-1].interrupts[] | [.client, .source, .interrupts]] == [[20, 181, 1]]' out
ok "a size that is not known is no 0"	jq -se '[.[] | select(.event == "BO_CREATE") | .bytes] == [null]' out
run 0 "$grtrace" monitor --json i915 amdgpu-memory.txt
ok "nothing of another driver"		jq -se 'length == 1 and .[0].events == 0' out

# Events written by hand, where there are others, do not count.
run 0 "$grtrace" monitor --json drm by-hand
ok "written by hand: counted where nothing else is" sh -c '[ "$(wc -l < out)" -gt 1 ]'

# Intervals: jobs, questions and memory count in one of them, and sum to all.
laps_sum()	# kind, interval, trace, path of numbers
{
	"$grtrace" monitor -q --json --interval "$2" "$1" "$3" > out 2> err || return 1
	jq -se --arg n "$4" '
		def total: [.[] | getpath(["'"$5"'"])[] | .[$n] // 0] | add // 0;
		(map(select(.scope == "interval")) | total) == (map(select(.scope == "all")) | total)' out > err
}

ok "jobs of intervals"			laps_sum drm 500ms busy jobs rings
ok "times of intervals"			laps_sum drm 500ms busy exec_sum_ns processes
ok "and where events were lost"		laps_sum drm 200ms lossy jobs rings
ok "questions of intervals"		laps_sum vblank 100ms asked asked clients
ok "answers of intervals"		laps_sum vblank 100ms asked told clients
ok "missing blanks of intervals"	laps_sum vblank 100ms asked missing crtcs
run 0 "$grtrace" monitor -q --interval 500ms drm busy
ok "each has its title"			[ "$(grep -c '^=== DRM Scheduler Statistics ===$' out)" -ge 3 ]

# The screen.
for what in drm:chain drm:reset drm:lossy drm:firmware vblank:asked i915:i915-memory.txt amdgpu:amdgpu-memory.txt; do
	kind=${what%%:*} trace=${what#*:}
	"$grtrace" monitor "$kind" "$trace" > whole 2> err
	head -n 100 whole > out
	if [ "${GOLDEN-}" = write ]; then mkdir -p "$golden" && cp out "$golden/$kind-${trace%.txt}.txt"; fi
	ok "screen: $kind, $trace"	sh -c 'diff "$1" out > err' - "$golden/$kind-${trace%.txt}.txt"
done
run 0 "$grtrace" monitor -q drm lossy
ok "losses are told"			says "^! [0-9,]* events? w(as|ere) (lost|left out)|unknown number"
run 0 "$grtrace" monitor drm chain
header='TIME\(ms\) +EVENT +JOB_ID +RING +QUEUED DETAILS'
ok "the header"				says "^$header\$"
ok "milliseconds with nanoseconds"	says '^1000[.]050000 +RUN +1:1 +gfx +0 hw=1$'
for kind in drm:"DRM Scheduler" i915:"Intel i915" amdgpu:"AMD amdgpu" vblank:"DRM Vblank"; do
	run 0 "$grtrace" monitor -q "${kind%%:*}" chain
	ok "title of ${kind%%:*}"	says "^=== ${kind#*:} Statistics ===\$"
done
COLUMNS=80 "$grtrace" monitor -q drm busy > out 2> err
ok "statistics fit 80 columns"		[ "$(wc -L < out)" -le 80 ]
COLUMNS=40 "$grtrace" monitor -q vblank asked > out 2> err
ok "on 40 columns they are longer than a line, and complete"	says '^=== DRM Vblank'
"$grtrace" monitor drm busy > out 2> err
ok "no colours in a pipe"		sh -c '! grep -q "$(printf "\\033")" out'

# A stream gives what its file does.
"$grtrace" monitor drm busy > a
run 0 sh -c '"$0" monitor drm - < busy' "$grtrace"
ok "a file on standard input"		cmp a out
run 0 sh -c 'tail -c +1 busy | "$0" monitor drm -' "$grtrace"
ok "a stream through a pipe"		cmp a out
# Two signals end it at once, even while the pipe is open.  Signals before it catches them would just kill it.
mkfifo pipe && exec 3<> pipe && cat chain >&3
"$grtrace" monitor --json drm - < pipe > out 2> err &
until grep -q '^SigCgt:.*[2367abef]$' /proc/$!/status; do sleep 0.01; done
kill -INT $! && kill -INT $! && wait $!
exec 3>&-
ok "which a signal ends: all that came counts" jq -se '.[-1].statistics == "drm" and .[-1].events == 13' out

# Memory has a limit, whatever the trace has.
"$gen" bulk 0 400000 > bulk || exit 1
memory_stays()	# MiB
{
	case $build in */asan) return 0 ;; esac
	# shellcheck disable=SC3045	# dash and bash have it
	(ulimit -v $(($1 * 1024)) && "$grtrace" monitor --json drm bulk 2> err | tail -n 1 > out) && grep -q '"statistics"' out
}
ok "memory of 400000 events"		memory_stays 192

for trace in crash-2-2707.grt crash-4-255-b.grt; do
	for kind in drm i915 amdgpu vblank; do
		ok "ends: $kind, $trace"	run 0 timeout 60 "$grtrace" monitor -q --interval 100ms "$kind" "$tools/fuzz/hostile/$trace"
	done
done
ok "nothing to read"			complains 4 "'standard input' is empty" "recorder" sh -c 'true | "$0" monitor drm -' "$grtrace"
ok "monitor what"			complains 2 "monitor what[?] drm, i915, amdgpu, vblank or nvidia" "monitor -h" "$grtrace" monitor
ok "no such thing"			complains 2 "cannot monitor 'voodoo'" "monitor -h" "$grtrace" monitor voodoo
ok "nvidia has no file"			complains 2 "no file and no --source" "monitor -h" "$grtrace" monitor nvidia busy
ok "and no source"			complains 2 "no file and no --source" "monitor -h" "$grtrace" monitor --source bpf nvidia
ok "and no short interval"		complains 2 "100ms or more" "monitor -h" "$grtrace" monitor -i 1ms nvidia
# A machine that has the driver is no machine for this test.
if ! grep -q '^nvidia ' /proc/modules 2>/dev/null; then
	ok "the driver is not there"	complains 3 "driver of NVIDIA is not loaded" "modprobe nvidia" "$grtrace" monitor nvidia
fi
ok "no two files"			complains 2 "one file" "monitor -h" "$grtrace" monitor drm busy lossy
ok "no short interval"			complains 2 "100ms or more" "monitor -h" "$grtrace" monitor --interval 1ms drm busy
ok "no source of a file"		complains 2 "not both" "monitor -h" "$grtrace" monitor --source bpf drm busy
ok "no such source"			complains 2 "no source 'ebpf'" "one of" "$grtrace" monitor --source ebpf drm
export GRTRACE_DIR="$dir/debugfs"
mkdir "$GRTRACE_DIR" && echo 1 > "$GRTRACE_DIR/enabled" && echo running > "$GRTRACE_DIR/control"
ok "a session that runs keeps its events" complains 3 "a session runs already" "record --live" "$grtrace" monitor --source=module drm
end
