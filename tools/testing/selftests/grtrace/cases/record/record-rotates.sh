#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record --rotate loses no event at a seam, each file explains itself, --keep and --max-size hold
# kernels: 6.1
# requires: mock grtrace
# timeout: 200
JOBS=4000
# An emulator may hold up a CPU between the time of an event and its number: hence -s
cd "$CASE_TMP"
events() { grtrace dump --format csv "$1" | grep -cE '^(SUBMIT|DEPENDENCY|FENCE_SIGNALED|COMMIT|START|END|COMPLETE|ERROR),'; }

expect_status 0 grtrace record -o t.grt --rotate 128K -- workload --scenario mixed --jobs $JOBS
expect_stat lost_events 0
written=$(stat written)
set -- t-*.grt
[ $# -ge 3 ] || fail "only $# files, so this run proves nothing: $*"
sum=0
shift $(($# - 1))
last=$1
set -- t-*.grt
for file; do
	expect_status 0 grtrace verify -s 1s "$file"
	grtrace report "$file" >report.txt 2>warning || fail "report of $file: $(cat warning)"
	[ ! -s warning ] || fail "a warning about $file: $(cat warning)"
	# the last one may begin where nothing follows
	[ "$file" = "$last" ] && [ "$(events "$file")" -eq 0 ] || grep -q 'gfx' report.txt ||
		fail "$file does not know its rings: $(cat report.txt)"
	sum=$((sum + $(events "$file")))
done
expect_eq "events of all files" $sum "$written"
expect_status 0 grtrace verify -s 1s t-*.grt

# Each job is a row of one file, and what rings did and who waited for whom sum to the same.
expect_status 0 grtrace merge -o all.grt "$@"
grtrace export --to ndjson all.grt >all.ndjson || fail "export"
for file; do
	grtrace export --to ndjson --segment "$file" || fail "export of $file"
done >parts.ndjson
rows() { grep '^{"row":"job"' "$1" | sed 's/"segment":[0-9]*,//; s/"realtime_ns":[0-9a-z]*,//' | sort; }
rows all.ndjson >all.rows
rows parts.ndjson >parts.rows
diff all.rows parts.rows >differ || fail "rows of jobs: $(grep -e "^[-+]{" differ | sort -k 1.2 | head -n 2)"
expect_eq "rows of jobs" "$(wc -l <parts.rows)" $JOBS
sums()	# of each number that can be added up, by what it is about
{
	# shellcheck disable=SC2016	# of awk
	awk '
		function value(name) {
			if (!match($0, "\"" name "\":[^,}]*")) return ""
			return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
		}
		{ row = value("row"); gsub(/"/, "", row) }
		row == "time" { key = value("scope") value("ring")
			n = split("wall_ns known_ns busy_ns starved_ns dependency_ns scheduler_ns hardware_ns recovery_ns unknown_ns", names, " ") }
		row == "idle" { key = value("ring") value("cause") value("by_pid") value("by_ring"); n = split("idle_ns", names, " ") }
		row == "blame" { key = value("pid") value("ring") value("through") value("by_pid") value("by_ring"); n = split("waited_ns jobs", names, " ") }
		row == "roots" { key = value("pid") value("ring") value("root") value("by_pid") value("by_ring"); n = split("waited_ns jobs", names, " ") }
		row == "pod_blame" || row == "pod_roots" { key = value("name") value("by_name") value("through") value("root"); n = split("waited_ns", names, " ") }
		row == "ledger" { key = ""; n = split("events lost missing jobs exec_jobs exec_ns total_jobs total_ns waited_ns wall_ns", names, " ") }
		row != "job" { for (i = 1; i <= n; i++) sum[row " " key " " names[i]] += value(names[i]) }
		END { for (key in sum) if (sum[key]) printf "%s %.0f\n", key, sum[key] }' "$1" | sort
}
sums all.ndjson >all.sums
sums parts.ndjson >parts.sums
# What a ring did is known once something was seen of it.  If nothing was seen in the file before, some of
# its time is unknown, and no other.
is_exact() { grep -v -e '^idle ' -e '^time .* [a-z]*_ns ' "$1"; grep '^time .* wall_ns ' "$1"; }
is_exact all.sums >all.exact
is_exact parts.sums >parts.exact
diff all.exact parts.exact >differ || fail "sums of the files: $(grep -e "^[-+][a-z]" differ | sort -k 1.2 | head -n 12)"
awk '
	{ name = $0; sub(/ [^ ]*$/, "", name) }
	FNR == NR { all[name] = $NF; next }
	{ part[name] = $NF }
	END {
		for (name in part) {
			if (name ~ /^(time|idle) / && name !~ /wall_ns|unknown/ && part[name] > all[name]) { print name ": " part[name] " of " all[name]; bad++ }
		}
		for (name in all) {
			if (name !~ /^time .* (busy|starved|dependency|scheduler|hardware|recovery)_ns$/) continue
			ring = name
			sub(/ [^ ]*$/, "", ring)
			known[ring] += all[name] - part[name]
		}
		for (ring in known) {
			more = part[ring " unknown_ns"] - all[ring " unknown_ns"]
			less += known[ring]
			if (known[ring] != more) { print ring ": " known[ring] " less is known, " more " more is unknown"; bad++ }
		}
		printf "%.0f ns of rings are unknown at the seams\n", less
		exit bad
	}' all.sums parts.sums >seams.txt || fail "time of rings: $(cat seams.txt)"
cat seams.txt
grep -q '^blame .* waited_ns ' all.sums || fail "nobody waited, so this run proves nothing"
seams=$(for file; do grtrace report --all --jobs -f csv "$file"; done | grep -c ',cut')
echo "$(wc -l <parts.rows) jobs, $seams parts of jobs at the seams, $(wc -l <parts.sums) sums of $# files"
[ "$seams" -gt 0 ] || fail "no job crosses a seam, so this run proves nothing"
cp t-0002.grt alone-0002.grt
expect_status 3 grtrace export --to ndjson --segment alone-0002.grt
grep -q "goes on in 'alone-0003.grt', which is not there" out || fail "$(cat out)"
expect_status 0 grtrace export --to ndjson --segment --last alone-0002.grt

rm -f ./*-*.grt all.grt
expect_status 0 grtrace record -o t.grt --rotate 128K --keep 2 -- workload --scenario mixed --jobs $JOBS
set -- t-*.grt
expect_eq "files kept" $# 2
[ ! -e t-0001.grt ] || fail "the first file is still there"
expect_status 0 grtrace verify -s 1s "$@"

# With half of the events lost, events and losses of all files still sum to the events seen.
rm -f t-*.grt
expect_status 0 grtrace record -o t.grt -b 64K --rotate 64K -- sh -c "
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo 'submit 7 GRAPHICS 3 1 count=3000' >$GRT_DIR/emit
		sleep 0.05
	done"
full=$(stat buffer_full) written=$(stat written)
[ "$full" -gt 0 ] || fail "the buffer never filled, so this run proves nothing"
set -- t-*.grt
[ $# -ge 3 ] || fail "only $# files: $*"
for file; do grtrace dump "$file" 2>>warning; done >dump.txt
[ ! -s warning ] || fail "a warning: $(cat warning)"
expect_eq "events of all files" "$(grep -c " SUBMIT " dump.txt)" "$written"
expect_eq "losses of all files" "$(sed -n "s/.* LOSS .* count=\([0-9]*\) .*/\1/p" dump.txt |
	awk '{ sum += $1 } END { print sum + 0 }')" "$full"
expect_status 0 grtrace verify -s 1s "$@"

expect_status 0 grtrace record -o m.grt --max-size 400K -- workload --scenario mixed --jobs $JOBS
grep -q 'stopped at --max-size' out || fail "the end is not told: $(cat out)"
[ "$(command stat -c %s m.grt)" -le 409600 ] || fail "the file has $(command stat -c %s m.grt) bytes"
expect_eq control "$(cat "$GRT_DIR/control")" stopped
expect_status 0 grtrace report m.grt

# The command runs on when the recording ends; the next case wants the GPU for itself.
wait_for 60 sh -c "! pidof workload"
