#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the bridge and a driver's adapter are loaded and unloaded between sessions and within them, under load; each job has each event once, and ftrace saw the same
# requires: mock grtrace
# vm: own --with amdgpu --mem 2000
# kernels: 6.1
# timeout: 600
#
# GRTRACE_ROUNDS: how many sessions; 8 by default, 1000 in the soak.
rounds=${GRTRACE_ROUNDS:-8}
JOBS=10		# of amdgpu, before and after an adapter comes; two of them are the kernel's own
# shellcheck source=SCRIPTDIR/../fire_amdgpu.sh
. "$0/fire_amdgpu.sh"

begin_load()
{
	while [ ! -e "$CASE_TMP/enough" ]; do
		workload --scenario batch --jobs 20
		sleep 0.01
	done >/dev/null 2>&1 &
	load=$!
}

end_load()
{
	touch "$CASE_TMP/enough"
	[ -z "${load-}" ] || wait "$load" || :
}

trap 'end_load; sched_ftrace_undo' EXIT
modprobe amdgpu || fail "there is no amdgpu"
load_btf amdgpu
modprobe grtrace_fire_amdgpu "offsets=$(amdgpu_offsets)" count=10 killed=0
fire() { echo $JOBS >/sys/module/grtrace_fire_amdgpu/parameters/again; }
mark() { echo "$*" >"$TRACEFS/trace_marker"; }

loaded() { [ -d "/sys/module/grtrace_$1" ]; }
load() { modprobe "grtrace_$1"; }
unload() { ! loaded "$1" || rmmod "grtrace_$1"; }

# session FIRST THEN: adapters that are loaded when it starts, and those that come later
session()
{
	unload amdgpu
	unload drm_bridge
	for adapter in $1; do load "$adapter"; done
	echo >"$TRACEFS/trace"
	ctl start
	mark grtrace before
	fire
	mark grtrace coming
	for adapter in $2; do load "$adapter"; done
	mark grtrace after
	fire
	mark grtrace over
	sleep 0.02
	ctl stop
	ftrace_stop
	dump_session
	fates_sum
	duplicates=$(($(column SUBMIT duplicate) + $(column COMMIT duplicate)))
	ctl reset
	echo 1 >"$TRACEFS/tracing_on"
}

# expect OWNER OWNER: who records the jobs, before and after the other adapters come: bridge, amdgpu or
# nobody.  amdgpu records jobs of amdgpu only, and the kernel's own without their SUBMIT.
expect()
{
	awk -F, -v before="$1" -v after="$2" '
		FNR == NR {
			if (FNR == 1) { for (i = 1; i <= NF; i++) at[$i] = i; next }
			if ($at["type"] ~ /^(SUBMIT|COMMIT|END|COMPLETE)$/) ours[$at["type"] " " $at["ctx"] ":" $at["seqno"]]++
			next
		}
		/^#/ { next }
		/grtrace before/ { owner = before; next }
		/grtrace coming/ { owner = before == after ? before : ""; next }
		/grtrace after/ { owner = after; next }
		/grtrace over/ { owner = ""; next }
		{ type = "" }
		function key(    text) {
			text = $0
			if (match(text, /fence=[0-9]+:[0-9]+/))
				return substr(text, RSTART + 6, RLENGTH - 6)
			match(text, /(ctx|context)=[0-9]+/)
			text = substr(text, RSTART, RLENGTH); sub(/.*=/, "", text)
			match($0, /seqno=[0-9]+/)
			return text ":" substr($0, RSTART + 6, RLENGTH - 6)
		}
		function ctx(key) { sub(/:.*/, "", key); return key }
		/: amdgpu_cs_ioctl: / { is_sent[key()] = 1; next }
		/: amdgpu_sched_run_job: / { is_amdgpu[ctx(key())] = 1; next }
		/: submit: / || /: drm_sched_job_queue: / { type = "SUBMIT"; is_job[ctx(key())] = 1 }
		/: commit: / || /: drm_sched_job_run: / { type = "COMMIT"; is_job[ctx(key())] = 1 }
		/: end: / || /: drm_sched_job_done: / { type = "END"; is_job[ctx(key())] = 1 }
		/: dma_fence_signaled: driver=drm_sched / { type = "COMPLETE" }
		type { saw[type " " key()] = owner == "" ? "maybe" : owner }
		END {
			for (event in saw) {
				split(event, part, " "); job = part[2]; who = saw[event]; n = ours[event] + 0
				if (part[1] == "COMPLETE" && !is_job[ctx(job)]) {	# a scheduled fence, or an older job
					if (n > 1) { print "twice: " event; bad++ }
					continue
				}
				want = who == "bridge" || (who == "amdgpu" && is_amdgpu[ctx(job)] && (part[1] != "SUBMIT" || is_sent[job]))
				if (who == "maybe" ? n > 1 : n != want) {
					print event ": " n " times, by " who (is_amdgpu[ctx(job)] ? ", of amdgpu" : ""); bad++ }
				if (is_amdgpu[ctx(job)]) amdgpu += n; else others += n
			}
			for (event in ours) if (!(event in saw)) { print "ftrace did not see " event; bad++ }
			print amdgpu + 0, others + 0
			exit bad > 0
		}' "$CASE_TMP/dump.csv" "$CASE_TMP/trace" >"$CASE_TMP/wrong" ||
		fail "round $round, $1 then $2: $(head -n 20 "$CASE_TMP/wrong")"
	read -r amdgpu others <"$CASE_TMP/wrong"
	of_amdgpu=$((of_amdgpu + amdgpu)) of_others=$((of_others + others))
}

# 4 events of each job, but 2 jobs of 10 have no SUBMIT if the driver's adapter records them
expect_amdgpu() { expect_eq "round $round: events of amdgpu" "$amdgpu" "$1"; }

echo 1 >"$TRACEFS/events/amdgpu/amdgpu_cs_ioctl/enable"
echo 1 >"$TRACEFS/events/amdgpu/amdgpu_sched_run_job/enable"
sched_ftrace_begin 4096
begin_load
of_amdgpu=0 of_others=0
for round in $(seq "$rounds"); do
	case $((round % 6)) in
	1) session drm_bridge amdgpu; expect bridge bridge; expect_amdgpu 80
	   expect_eq "duplicates of an adapter that came later" $duplicates 18 ;;
	2) session "amdgpu drm_bridge" ""; expect bridge bridge; expect_amdgpu 80
	   expect_eq "duplicates" $duplicates 36 ;;
	3) session amdgpu drm_bridge; expect amdgpu amdgpu; expect_amdgpu 76
	   expect_eq "duplicates" $duplicates 0 ;;
	4) session "" amdgpu; expect nobody amdgpu; expect_amdgpu 38 ;;
	5) session "" drm_bridge; expect nobody bridge; expect_amdgpu 40 ;;
	0) session amdgpu ""; expect amdgpu amdgpu; expect_amdgpu 76 ;;
	esac
done
end_load
echo "$rounds sessions, $of_amdgpu events of amdgpu's jobs, $of_others of others"
[ "$of_others" -gt $((rounds * 20)) ] || fail "only $of_others events of other drivers in $rounds sessions: too few to test anything"
rmmod grtrace_fire_amdgpu
