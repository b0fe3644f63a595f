#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: what grtrace doctor says of a virtio GPU and of the mock GPU is what recordings of them show
# requires: grtrace, workload
# vm: own --gpu virtio
# kernels: 6.1
[ -e /dev/dri/card0 ] || fail "there is no virtio GPU"
need_module grtrace_mock
cat >"$CASE_TMP/work" <<END
page-flips 50
workload --scenario hang
END

# told DRIVER NAME: how well it is known, as the doctor says
told()
{
	awk -F, -v driver="$1" -v name="$2" '
		$1 == "fact" && $3 == driver && $4 == name { print $5; found++ }
		END { exit found != 1 }' "$CASE_TMP/doctor.csv" || fail "$source: the doctor does not tell of $2 of $1"
}

# jobs DEVICE AWK: how many jobs of the device are whole in the trace, and the expression holds for them.
# c(NAME) is a column.
jobs()
{
	awk -F, -v device="$1" '
		function c(name) { return $at[name] }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		c("device") ~ "^" device && c("flags") !~ /cut/ && ('"$2"') { found++ }
		END { print found + 0 }' "$CASE_TMP/jobs.csv"
}

# What has to be so for all jobs, some or none.
agrees()	# DRIVER NAME JOBS ALL
{
	grt_told=$(told "$1" "$2")
	echo "$source: $1, $2: $grt_told; $3 of $4 jobs"
	case $grt_told in
	exact | late | inferred)
		expect_eq "$source: $1, $2 is $grt_told; jobs that have it" "$3" "$4"
		[ "$4" -gt 0 ] || fail "$source: $1, $2 is $grt_told, but there are no jobs" ;;
	missing | "not seen")	 [ "$3" -eq 0 ] || fail "$source: $1, $2 is $grt_told, but $3 jobs have it" ;;
	"in part")		 ;;
	*)			 fail "$source: $1, $2 is '$grt_told'" ;;
	esac
	compared=$((compared + 1))
}

# expect_flagged DRIVER NAME FLAGGED JOBS: an inferred value has the flag in every job, an exact one in none
expect_flagged()
{
	case $(told "$1" "$2") in
	inferred) [ "$3" -eq "$4" ] || fail "$source: $1, $2 is inferred, but $3 of $4 jobs say so" ;;
	*)	  [ "$3" -eq 0 ] || fail "$source: $1, $2 is not inferred, but $3 of $4 jobs say so" ;;
	esac
}

# events TYPE: how many
events()
{
	awk -F, -v type="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == type { found++ }
		END { print found + 0 }' "$CASE_TMP/events.csv"
}

# compare_gpu DRIVER DEVICE: each thing about its jobs
compare_gpu()
{
	all=$(jobs "$2" 1)
	agrees "$1" submit "$(jobs "$2" 'c("submit_ns") != ""')" "$all"
	agrees "$1" commit "$(jobs "$2" 'c("commit_ns") != ""')" "$all"
	agrees "$1" start "$(jobs "$2" 'c("start_ns") != ""')" "$all"
	agrees "$1" end "$(jobs "$2" 'c("end_ns") != ""')" "$all"
	agrees "$1" complete "$(jobs "$2" 'c("complete_ns") != ""')" "$all"
	agrees "$1" process "$(jobs "$2" 'c("pid") > 0')" "$all"
	agrees "$1" dependencies "$(jobs "$2" 'c("t_dep_ns") != ""')" "$all"
	expect_flagged "$1" start "$(jobs "$2" 'c("start_ns") != "" && c("flags") ~ /inferred_start/')" \
		"$(jobs "$2" 'c("start_ns") != ""')"
	expect_flagged "$1" complete "$(jobs "$2" 'c("complete_ns") != "" && c("flags") ~ /inferred_complete/')" \
		"$(jobs "$2" 'c("complete_ns") != ""')"
}

# nothing_of NAME TYPE: what is recorded of no GPU has no event
nothing_of()
{
	for driver in virtio_gpu grtrace_mock; do
		case $(told $driver "$1") in
		missing | "not seen") ;;
		*) return 0 ;;
		esac
	done
	expect_eq "$source: events $2, of which the doctor says there are none" "$(events "$2")" 0
	compared=$((compared + 1))
}

for source in module bpf tracefs; do
	compared=0
	grtrace doctor --source=$source -f csv >"$CASE_TMP/doctor.csv" || fail "$source: doctor: $(cat "$CASE_TMP/doctor.csv")"
	grep -q "^source,,,$source,\(best\|ok\)," "$CASE_TMP/doctor.csv" || fail "$source does not work"
	expect_eq "GPUs" "$(grep -c '^gpu,' "$CASE_TMP/doctor.csv")" 2
	grtrace record --source=$source -q -o "$CASE_TMP/x.grt" -- sh -e "$CASE_TMP/work" >"$CASE_TMP/words" 2>&1 ||
		fail "$source: record: $(cat "$CASE_TMP/words")"
	grtrace report --all --all-time --jobs --format csv "$CASE_TMP/x.grt" >"$CASE_TMP/jobs.csv"
	grtrace dump --format csv "$CASE_TMP/x.grt" >"$CASE_TMP/events.csv"
	[ "$(jobs grtrace_mock 1)" -gt 10 ] || fail "$source: the mock GPU had 10 jobs or fewer"
	compare_gpu grtrace_mock grtrace_mock
	compare_gpu virtio_gpu virtio
	expect_eq "$source: recovery of the mock" "$(told grtrace_mock recovery)" exact
	[ "$(events ERROR)" -gt 0 ] || fail "$source: no ERROR tells of the reset"
	for row in "memory MEMORY" "vblank VBLANK" "frequency FREQUENCY" "context_switches CTX_SWITCH" "interrupts IRQ"; do
		nothing_of "$(echo "${row% *}" | tr _ ' ')" "${row#* }"
	done
	[ "$compared" -ge 17 ] || fail "$source: only $compared statements were compared"
done

# What it says of the kernel's part: where commands have numbers, their answers are known.
if grep -q seqno "$TRACEFS/events/virtio_gpu/virtio_gpu_cmd_queue/format"; then
	expect_eq "answers" "$(told virtio_gpu end)" exact
else
	expect_eq "answers" "$(told virtio_gpu end)" inferred
fi

# A problem, its exit status, and its hint, pasted.
echo 0 >"$TRACEFS/tracing_on"
expect_status 1 grtrace doctor
cat "$CASE_TMP/out"
hint=$(sed -n 's/^  problem .*  hint: //p' "$CASE_TMP/out" | sed 's/sudo //g')
[ -n "$hint" ] || fail "the problem has no hint"
sh -c "$hint" >/dev/null || fail "cannot run: $hint"
expect_status 0 grtrace doctor
# A stopped session with events that nobody read
session_start
mock_run_jobs 5
session_stop
expect_status 1 grtrace doctor
grep -q "problem .* that nobody has read  hint: sudo grtrace extract" "$CASE_TMP/out" || fail "$(cat "$CASE_TMP/out")"
grtrace doctor | grep -q "^GPU grtrace_mock.0 .*  3 rings$" || fail "rings: $(grtrace doctor)"
(cd "$CASE_TMP" && grtrace extract -q)
expect_status 0 grtrace doctor
# The report is whole, and names no process.
grtrace doctor --bug-report >"$CASE_TMP/report" || fail "bug report"
for title in versions doctor "modules of grtrace" config stats metadata "the kernel's log"; do
	grep -q "^## $title" "$CASE_TMP/report" || fail "the report has no '$title': $(cat "$CASE_TMP/report")"
done
grep -q '^adapter.drm_bridge=.*drm_run_job\|^adapter.drm_bridge=.*drm_sched_job_run' "$CASE_TMP/report" ||
	fail "the report has no adapters: $(cat "$CASE_TMP/report")"
if grep -E "ffff[0-9a-f]{12}|$(uname -n | grep -v '^(none)$' || echo 'no-such-host')|\\bworkload\\b" "$CASE_TMP/report"; then
	fail "the report names what it must not"
fi
