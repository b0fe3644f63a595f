#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: snapshots are taken and released as fast as possible while all CPUs write and readers of all kinds read: no record is torn or mixed; snapshots that lost nothing join without gap or repeat
# kernels: 6.1
# requires: mock grtrace
# timeout: 900
ROUNDS=12	# snapshots that join
FILES=20	# streams of each reader

enough() { [ -e "$CASE_TMP/enough" ]; }
trap 'touch "$CASE_TMP/enough"' EXIT

# 1. Nothing is overwritten, so the snapshots have all events.
session_start mode=overwrite snapshot_on=none buffer_size=4M
workload --scenario mixed --jobs 3000 >"$CASE_TMP/workload" 2>&1 &
load=$!
names=""
for n in $(seq $ROUNDS); do
	ctl snapshot
	save_snapshot "join$n"
	ctl release
	names="$names join$n"
done
wait $load || fail "$(cat "$CASE_TMP/workload")"
session_stop
save_snapshot last
written=$(stat written)
expect_stat snapshots_taken $((ROUNDS + 1))
for name in $names last; do
	check_snapshot "$name"
done
expect_eq "number of the last" "$(snapshot_told last number)" $((ROUNDS + 1))
expect_eq "trigger of the last" "$(snapshot_told last trigger)" STOP
expect_eq "trigger of the first" "$(snapshot_told join1 trigger)" REQUEST
# shellcheck disable=SC2086	# words
expect_eq "events of all snapshots" "$(snapshots_join $names last)" "$written"
filled=0
for name in $names; do
	! grep -q '^SUBMIT,' "$CASE_TMP/$name.csv" || filled=$((filled + 1))
done
[ $filled -ge 4 ] || fail "only $filled snapshots have events, so this run proves nothing"
echo "$written events in $filled snapshots and the last one"
session_reset

# 2. Everything at once.
writer()	# CPU CTX
{
	seq=1
	until enough; do
		taskset $((1 << $1)) sh -c "echo 'submit $2 gfx 900 $seq count=300' >$GRT_DIR/emit"
		seq=$((seq + 300))
	done
}

storm()
{
	taken=0 refused=0
	until enough; do
		ctl snapshot 2>/dev/null && taken=$((taken + 1))
		ctl release 2>/dev/null || refused=$((refused + 1))
	done
	echo $taken $refused >"$CASE_TMP/storm"
}

# reader NAME COMMAND...: streams, each to its end; another reader may be there first
reader()
{
	name=$1 n=0
	shift
	while [ $n -lt $FILES ] && ! enough; do
		if "$@" >"$CASE_TMP/$name.$n" 2>/dev/null; then
			n=$((n + 1))
		else
			sleep 0.01
		fi
	done
	rm -f "$CASE_TMP/$name.$FILES"
	echo $n >"$CASE_TMP/$name"
}

session_start buffer_size=64K
writer 0 7 & w0=$!
writer 1 9 & w1=$!
storm & storm=$!
reader cpu0 cat "$GRT_DIR/events0" & r0=$!
reader parts dd if="$GRT_DIR/events1" bs=100 & r1=$!
reader all cat "$GRT_DIR/trace_pipe" & r2=$!
(sleep $((60 * ${CASE_SLOWNESS:-1})); touch "$CASE_TMP/enough") & timer=$!
wait $r0 $r1 $r2
touch "$CASE_TMP/enough"
kill $timer 2>/dev/null || :
wait $w0 $w1 $storm
session_stop
read -r taken refused <"$CASE_TMP/storm"
count=0
for name in cpu0 parts all; do
	n=$(cat "$CASE_TMP/$name")
	[ "$n" -ge 2 ] || fail "reader '$name' got only $n streams, so this run proves nothing"
	while [ "$n" -gt 0 ]; do
		n=$((n - 1))
		grtrace verify "$CASE_TMP/$name.$n" >"$CASE_TMP/verify" 2>&1 ||
			fail "stream $n of reader '$name': $(grep -v -E '^(ok|skipped)' "$CASE_TMP/verify" | head -n 5)"
		count=$((count + 1))
	done
done
echo "$taken snapshots, $refused releases refused, $count streams read"
[ "$taken" -ge 10 ] || fail "only $taken snapshots, so this run proves nothing"
[ "$refused" -ge 1 ] || fail "no release came while somebody read, so this run proves nothing"
[ "$(cat "$CASE_TMP"/all.* | wc -c)" -gt 100000 ] || fail "the streams are almost empty, so this run proves nothing"
fates_sum
