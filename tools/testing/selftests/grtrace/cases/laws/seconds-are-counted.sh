#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: sec_stats shows the counts of each of the last 60 seconds; rate limits hold all the time
# timeout: 180
# debug: no, the limit of each second is measured, and what offers more is too slow there
#
# GRTRACE_SECONDS: how long the limit has to hold; a minute and more shows what is kept
# kernels: 6.1

# rows: of sec_stats, with the columns named
rows()
{
	awk -F, -v names="$*" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; cnt = split(names, name, " "); next }
		{ for (i = 1; i <= cnt; i++) printf "%s%s", $at[name[i]], i < cnt ? " " : "\n" }' "$GRT_DIR/sec_stats"
}

rows_of() { rows second | wc -l; }
uptime_s() { cut -d . -f 1 /proc/uptime; }
# start_afresh: a session that has no seconds but those that passed since, without events
start_afresh()
{
	began=$(uptime_s)
	session_start
	expect_eq "events of a session that began" "$(rows events | awk '{ sum += $1 } END { print sum + 0 }')" 0
	now=$(uptime_s)
	[ "$(rows_of)" -le $((now - began)) ] || fail "$(rows_of) rows $((now - began)) seconds after a start"
}
has_rows() { [ "$(rows_of)" -ge "$1" ]; }

start_afresh
for i in 1 2 3 4 5 6 7 8 9; do
	echo "submit 7 gfx 900 $i count=100" >"$GRT_DIR/emit"
	sleep 0.3
done
wait_for 10 has_rows 3
echo 'submit 7 gfx 900 1 count=5000' >"$GRT_DIR/emit"
session_stop

rows second start_ns events written bytes burst max_rate tokens >"$CASE_TMP/rows"
cat "$CASE_TMP/rows"
[ "$(rows_of)" -ge 4 ] || fail "$(rows_of) rows after 3 seconds and a part"
awk '
	function bad(what) { print "row " NR ": " what; failed = 1 }
	$1 != NR - 1			{ bad("second " $1) }
	NR > 1 && $2 - before != 1e9	{ bad("begins " $2 - before " ns after the one before") }
	$3 != $4			{ bad($3 " events, " $4 " written") }
	$5 != $4 * 88			{ bad($5 " bytes of " $4 " SUBMITs") }	# emit writes all members
	$6 > $3 || !$6 && $3		{ bad("burst " $6 " of " $3 " events") }
	$7 != 10 * $6			{ bad("max_rate " $7) }
	NR < 3 && ($6 < 100 || $6 > 300)	{ bad("burst " $6 ", where every 300 ms there were 100 at once") }
	{ before = $2; sum += $3; if ($6 > most) most = $6 }
	END {
		if (sum != 5900) bad("the sum is " sum)
		if (most < 2500) bad("the largest burst is " most)
		exit failed
	}' "$CASE_TMP/rows" || fail "the rows are wrong"

# What is dropped has its second, too, though nothing stamps it: here all of it finds a full
# buffer, that of one CPU.
session_start buffer_size=64K
taskset 1 sh -c "echo 'submit 7 gfx 900 1 count=5000' >$GRT_DIR/emit"
sleep 2.1
taskset 1 sh -c "echo 'submit 7 gfx 900 5001 count=700' >$GRT_DIR/emit"
sleep 2.1
session_stop
rows second events written buffer_full >"$CASE_TMP/dropped"
awk '
	{ sum += $2; if ($2 == 700 && $4 == 700) late = $1 + 0 }
	$2 && $2 != 700 { early = $1 + 0 }
	END { exit !(sum == 5700 && late - early >= 2) }' "$CASE_TMP/dropped" ||
	fail "events that found no room are not in their second: $(cat "$CASE_TMP/dropped")"
session_start
for i in 1 2 3 4 5 6 7 8 9; do
	echo "submit 7 gfx 900 $i count=100" >"$GRT_DIR/emit"
	sleep 0.3
done
session_stop
rows second start_ns events written bytes burst max_rate tokens >"$CASE_TMP/rows"
grep -q ' $' "$CASE_TMP/rows" || fail "tokens without a limit: $(cat "$CASE_TMP/rows")"

# The seconds stay until the next start, which forgets them.
sleep 1.2
rows second start_ns events written bytes burst max_rate tokens | cmp -s - "$CASE_TMP/rows" ||
	fail "the rows of a stopped session changed"
start_afresh
emit submit 7 gfx 900 1
session_stop
expect_eq "the first second" "$(rows second | head -n 1)" 0
expect_eq "events" "$(rows events | awk '{ sum += $1 } END { print sum + 0 }')" 1

# All through it more comes than the token bucket lets pass: of the
# full bucket at first the burst, and from then on the limit. It holds a second's worth: whoever
# offers more may be held up for less than that.
limit=1000 burst=1000 lasts=${GRTRACE_SECONDS:-12}
session_start buffer_size=7M rate_limit=$limit rate_limit_mode=bucket rate_limit_burst=$burst
end=$(($(date +%s) + lasts)) i=0
while [ "$(date +%s)" -lt $end ]; do
	i=$((i + 1))
	echo "submit 7 gfx 900 $((1000 * i)) count=1000" >"$GRT_DIR/emit"
	sleep 0.15
done
session_stop
expect_eq "seen" "$(stat seen)" $((1000 * i))
expect_eq "fates" $(($(stat written) + $(stat rate_limited_drops))) "$(stat seen)"
[ "$(stat seen)" -gt $((3 * $(stat written) / 2)) ] || fail "seen $(stat seen): too few for a limit"
kept=$((lasts > 60 ? 60 : lasts - 1))	# a minute is kept, no more
{ [ "$(rows_of)" -ge $kept ] && [ "$(rows_of)" -le 60 ]; } || fail "$(rows_of) rows after $lasts seconds"
# What passed in whole seconds is what dripped in meanwhile and what the bucket had more at
# first than at last.  Second 0 has the full bucket; the last with events is a part.
rows second written events tokens | awk '$1 >= 1' >"$CASE_TMP/minute"
awk -v limit=$limit -v burst=$burst '
	{ seconds[NR] = $2; tokens[NR] = $4; if ($3) last = NR
	  if ($4 > burst) { print "tokens " $4; failed = 1 } }
	END { for (i = 2; i < last; i++) { sum += seconds[i]; n++
			if (tokens[i] == "") { print "second " i ": no tokens"; failed = 1 } }
		dripped = sum + tokens[last - 1] - tokens[1]
		print n " seconds: " sum " written, " dripped " dripped in, " dripped / n / limit * 100 " % of the limit"
		exit failed || !n || dripped < 0.98 * limit * n || dripped > 1.02 * limit * n }' "$CASE_TMP/minute" ||
	fail "not within 2 % of the limit: $(cat "$CASE_TMP/minute")"

# Events that come at once: just the burst passes.
burst=400
session_start rate_limit=10 rate_limit_burst=$burst
echo 'submit 7 gfx 900 1 count=5000' >"$GRT_DIR/emit"
session_stop
written=$(stat written)
{ [ "$written" -ge $burst ] && [ "$written" -le $((burst + 10)) ]; } ||
	fail "of a burst of 5000 passed $written, expected $burst and what dripped meanwhile"

# Rate by window: so many in each second, the next one begins with the next event.
session_start rate_limit=100 rate_limit_mode=window rate_limit_burst=0
for i in 1 2 3; do
	echo 'submit 7 gfx 900 1 count=500' >"$GRT_DIR/emit"
	sleep 1.1
done
session_stop
expect_eq "written in three windows" "$(stat written)" 300
