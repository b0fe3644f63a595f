#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: snapshots are whole while CPUs come and go, under policies, over a stop, a reset, a reader in the middle and another mode; modules go while one is held
# kernels: 6.1
# requires: mock grtrace
# vm: own --smp 3
# timeout: 400
online() { echo "$2" >"/sys/devices/system/cpu/cpu$1/online"; }

# refused WORD TEXT: with an error that says why
refused()
{
	expect_refused control "$1"
	grep -qF -- "$2" "$GRT_DIR/error" || fail "after '$1' the file error says: $(cat "$GRT_DIR/error")"
}

# take NAME: a snapshot, read and released
take() { ctl snapshot; save_snapshot "$1"; ctl release; }

submit() { emit "submit 7 gfx 900 $1 count=$2"; }	# FIRST COUNT

# 1. CPUs come and go; CPU 2 has no buffer at first.
online 2 0
session_start mode=overwrite snapshot_on=none buffer_size=4M
mock_run_jobs 60
take c1
online 2 1
workload --scenario mixed --jobs 600 >"$CASE_TMP/workload" 2>&1 &
load=$!
n=1
for cpu in 1 2 1 2; do
	online $cpu 0
	n=$((n + 1))
	take c$n
	ctl snapshot		# it is held while the CPU comes back
	online $cpu 1
	n=$((n + 1))
	save_snapshot c$n
	ctl release
done
wait $load || fail "$(cat "$CASE_TMP/workload")"
taskset 4 sh -c "echo 'submit 9 copy 901 1 count=50' >$GRT_DIR/emit"
online 2 0
session_stop
save_snapshot c10
written=$(stat written)
for i in 1 2 3 4 5 6 7 8 9 10; do check_snapshot c$i; done
expect_eq "events over CPUs that come and go" "$(snapshots_join c1 c2 c3 c4 c5 c6 c7 c8 c9 c10)" "$written"
[ "$(grep -c '^SUBMIT,2,' "$CASE_TMP/c10.csv")" -ge 50 ] || fail "nothing was written on CPU 2, so this run proves nothing"
fates_sum
online 2 1
session_reset
echo "CPUs: $written events"

# 2. Policies: what they drop is in the accounts at both ends of each snapshot.
session_start sample=50 rate_limit=1000 filter_type_mask=0xfffff7
for i in 1 2 3 4; do
	workload --scenario mixed --jobs 120 >"$CASE_TMP/workload" 2>&1 || fail "$(cat "$CASE_TMP/workload")"
	submit $((i * 100000)) 20000	# far more than the limit lets through, also where a second has few events
	take p$i
done
session_stop
save_snapshot p5
for name in sampled rate_limited_drops filtered_type; do
	[ "$(stat $name)" -gt 100 ] || fail "$name is $(stat $name), so this run proves nothing"
done
written=$(stat written)
for i in 1 2 3 4 5; do check_snapshot p$i; done
expect_eq "events under policies" "$(snapshots_join p1 p2 p3 p4 p5)" "$written"
# Between two accounts all events have a fate, also over a release.
lost=$(cat "$CASE_TMP"/p[1-5] | grtrace dump --format csv - | told_lost)
expect_eq "dropped, as readers are told" "$lost" "$(($(stat seen) - written))"
fates_sum
config sample=100 rate_limit=0 filter_type_mask=0
session_reset
echo "policies: $written events, $lost told as dropped"

# 3. A stop while a snapshot is held: the last events come with the next release.
session_start
submit 1 10
ctl snapshot
submit 11 5
refused snapshot 'a snapshot is held'
session_stop
expect_stat snapshot held
save_snapshot h1
ctl release
expect_stat snapshot held
save_snapshot h2
expect_stat snapshots_taken 2
ctl release
expect_stat snapshot none
refused release 'no snapshot is held'
refused snapshot 'no session runs'
expect_eq "bytes after the last release" "$(wc -c <"$GRT_DIR/trace_pipe")" 0
check_snapshot h1
check_snapshot h2
expect_eq "SUBMITs at first" "$(grep -c '^SUBMIT,' "$CASE_TMP/h1.csv")" 10
expect_eq "SUBMITs at last" "$(grep -c '^SUBMIT,' "$CASE_TMP/h2.csv")" 5
expect_eq "both" "$(snapshots_join h1 h2)" 15
expect_eq "trigger of the last" "$(snapshot_told h2 trigger)" STOP

# 4. A reset while one is held, with a reader in the middle of it.
session_start
submit 1 100
ctl snapshot
exec 3<"$GRT_DIR/trace_pipe"
dd bs=100 count=40 <&3 >"$CASE_TMP/part" 2>/dev/null
refused release 'somebody reads the snapshot'
session_stop
session_reset
expect_stat snapshot none
expect_eq "bytes after a reset" "$(cat <&3 | wc -c)" 0
exec 3<&-
refused release 'no snapshot is held'
expect_stat memory_bytes 0

# 5. A reader in the middle keeps the snapshot until it has read or gone.
session_start
submit 1 100
ctl snapshot
for end in reads goes; do
	exec 3<"$GRT_DIR/trace_pipe"
	dd bs=100 count=30 <&3 >"$CASE_TMP/$end" 2>/dev/null
	refused release 'somebody reads the snapshot'
	[ $end = goes ] || cat <&3 >>"$CASE_TMP/$end"
	[ $end = goes ] || check_snapshot $end
	exec 3<&-
done
expect_eq "SUBMITs of a reader that stopped half-way" "$(grep -c '^SUBMIT,' "$CASE_TMP/reads.csv")" 100
ctl release
session_stop
session_reset

# 6. Another mode in each session.
for mode in discard overwrite discard; do
	session_start mode=$mode
	expect_stat mode $mode
	submit 1 20
	if [ $mode = discard ]; then
		refused snapshot 'set mode=overwrite'
		refused release 'no snapshot is held'
		ctl flush
	else
		refused flush 'write snapshot'
		config mode=discard	# from the next start on
		expect_stat mode overwrite
	fi
	session_stop
	save_snapshot m
	check_snapshot m
	expect_eq "SUBMITs with mode=$mode" "$(grep -c '^SUBMIT,' "$CASE_TMP/m.csv")" 20
	[ $mode = discard ] || expect_eq trigger "$(snapshot_told m trigger)" STOP
	[ $mode = overwrite ] || ! grep '^SNAPSHOT,' "$CASE_TMP/m.csv" || fail "a session that drops new events has a snapshot"
	session_reset
done

# 7. A buffer that is overwritten many times holds the last events.
session_start mode=overwrite buffer_size=64K
for n in $(seq 0 99); do
	taskset 2 sh -c "echo 'submit 7 gfx 900 $((n * 1000 + 1)) count=1000' >$GRT_DIR/emit"
done
session_stop
expect_stat written 100000
expect_stat lost_events 0
save_snapshot wrapped
check_snapshot wrapped
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "SUBMIT" { if (events++ && $at["seqno"] != last + 1) bad = 1; last = $at["seqno"] }
	END { print events " events, the last one " last; exit bad || last != 100000 || events < 600 || events > 900 }' \
	"$CASE_TMP/wrapped.csv" || fail "these are not the last events of 100,000"

# 8. The modules go while a snapshot is held, and one more would follow.
ctl reset
session_start
submit 1 100
ctl snapshot
expect_stat snapshot held
sed -n 's/^\(grtrace_[a-z0-9_]*\) .*/\1/p' /proc/modules >"$CASE_TMP/modules"
expect_fail rmmod grtrace_drm_bridge	# adapters stay while a session runs
ctl stop
expect_stat snapshot held
while read -r module; do
	rmmod "$module" || fail "$module does not go"
done <"$CASE_TMP/modules"
rmmod grtrace || fail "grtrace does not go while a snapshot is held"
[ ! -e "$GRT_DIR" ] || fail "$GRT_DIR is still there"
/usr/sbin/modprobe grtrace
modprobe grtrace_drm_bridge
modprobe grtrace_mock
session_start mode=overwrite
mock_run_jobs 20
session_stop
save_snapshot anew
check_snapshot anew
expect_eq "SUBMITs after the modules came back" "$(grep -c '^SUBMIT,' "$CASE_TMP/anew.csv")" 20
