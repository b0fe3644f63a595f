#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: under every policy, per CPU, fates sum to what was seen, and that is what ftrace counts
# requires: mock grtrace
# timeout: 400
# kernels: 6.1 7.x
#
# With pairs=y under every pair of them, too: see pairs-of-policies-keep-the-law.
JOBS=40
pairs=${pairs-}

sched=$TRACEFS/events/gpu_scheduler
events=""
if [ -d "$sched/drm_sched_job_queue" ]; then
	submit=drm_sched_job_queue commit=drm_sched_job_run end=drm_sched_job_done
else
	submit=drm_sched_job commit=drm_run_job end=drm_sched_process_job
fi
for name in $submit $commit $end; do
	events="$events gpu_scheduler/$name"
done

# One policy a line, its keys with blanks between.
cat >"$CASE_TMP/policies" <<-'END'
	level=minimal
	level=off
	filter_type_mask=3
	filter_engine_mask=4
	filter_ring_id=gfx
	watchlist=!copy
	watchlist=gfx,compute
	watch_ctx=1,2,3
	sample=25
	rate_limit=500
	rate_limit=200 rate_limit_mode=bucket rate_limit_burst=20
	backpressure_threshold=5 buffer_size=64K
	backpressure_threshold=5 buffer_size=64K adaptive_sampling=1
	track_jobs=1
	global_seq=0
	global_seq=1
	profile=production
END

# The same as the streams tell it, for one policy alone.
streams()
{
	for stream in "$GRT_DIR"/events[0-9]*; do
		cat "$stream" >"$CASE_TMP/${stream##*/}"
	done
	grtrace verify "$CASE_TMP"/events[0-9]* >"$CASE_TMP/verify" 2>&1 ||
		fail "$1: $(cat "$CASE_TMP/verify")"
}

# try NUMBER KEY=VALUE...: what was seen goes to $CASE_TMP/seen
try()
{
	number=$1
	shift
	config profile=default "$@"
	echo "policy $number begins" >"$TRACEFS/trace_marker"
	session_start
	workload --scenario mixed --jobs $JOBS --duration-us 50:300 >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
	session_stop
	(fates_sum && fates_sum pc_stats) || fail "under $*"
	awk -F, -v number="$number" -v policy="$*" '
		$2 ~ /^(SUBMIT|COMMIT|END)$/ { seen[$2] = $3 }
		END { print number, seen["SUBMIT"], seen["COMMIT"], seen["END"], policy }
		' "$GRT_DIR/events_by_type" >>"$CASE_TMP/seen"
	awk -F, 'NR == 1 { for (i = 4; i <= NF; i++) name[i] = $i; next }
		{ for (i = 4; i <= NF; i++) if ($i > 0) print name[i] }' "$GRT_DIR/events_by_type" |
		sort -u >>"$CASE_TMP/fates"
}

try_all()
{
	tried=0 place=0
	while read -r first; do
		place=$((place + 1)) behind=0
		tried=$((tried + 1))
		# shellcheck disable=SC2086	# a list of keys
		try $tried $first
		streams "$first"
		[ -n "$pairs" ] || continue
		while read -r second; do
			behind=$((behind + 1))
			[ $behind -gt $place ] || continue
			[ $(((place + behind) % pairs)) -eq 0 ] || continue
			tried=$((tried + 1))
			# shellcheck disable=SC2086
			try $tried $first $second
		done <"$CASE_TMP/policies"
	done <"$CASE_TMP/policies"
}

trap ftrace_undo EXIT
# shellcheck disable=SC2086	# a list of events
ftrace_begin 8192 $events
try_all
ftrace_stop

awk -v submit=" $submit: " -v commit=" $commit: " -v end=" $end: " '
	/ policy [0-9]+ begins/ { match($0, /policy [0-9]+/); at = substr($0, RSTART + 7, RLENGTH - 7) + 0; next }
	index($0, submit) { n[at, 1]++ }
	index($0, commit) { n[at, 2]++ }
	index($0, end)	  { n[at, 3]++ }
	END { for (i = 1; i <= at; i++) print i, n[i, 1] + 0, n[i, 2] + 0, n[i, 3] + 0 }
	' "$CASE_TMP/trace" >"$CASE_TMP/counted"
expect_eq "policies that ftrace saw" "$(wc -l <"$CASE_TMP/counted")" $tried
awk 'NR == FNR { for (i = 2; i <= 4; i++) counted[$1, i] = $i; next }
	{ for (i = 2; i <= 4; i++) if ($i != counted[$1, i]) {
		print $0 ": ftrace counted " counted[$1, 2], counted[$1, 3], counted[$1, 4]; bad = 1; next } }
	END { exit bad }' "$CASE_TMP/counted" "$CASE_TMP/seen" || fail "seen is not what ftrace counted"
[ "$(awk '{ print $2 }' "$CASE_TMP/seen" | sort -u)" = $JOBS ] || fail "not each had $JOBS jobs"
echo "$tried policies and pairs"

# The run proves something only if each policy dropped something.
for fate in written filtered_level filtered_type filtered_engine filtered_ring filtered_watch \
	sampled rate_limited_drops backpressure_drops; do
	grep -qx $fate "$CASE_TMP/fates" || fail "no policy led to the fate $fate"
done
