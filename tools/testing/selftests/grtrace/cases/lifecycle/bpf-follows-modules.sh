#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a recorder with BPF programs records a scheduler whose module is loaded later; no module of ours is needed
# requires: modules
# arm64: no, nothing that exists there at first can be probed, and so timeouts are not promised
# vm: own --no-load
# kernels: 6.1
[ ! -d /sys/module/gpu_sched ] || fail "gpu_sched is loaded already, so this run proves nothing"
# An attached program holds the module of its tracepoint: the first job comes after that.
cat >"$CASE_TMP/later" <<'END'
modprobe grtrace_mock || exit
before=$(cat /sys/module/gpu_sched/refcnt)
for _ in $(seq 900); do
	[ "$(cat /sys/module/gpu_sched/refcnt)" -le "$before" ] || break
	sleep 0.1
done
sleep 1
workload --scenario mixed --jobs 100 --processes 2
workload --scenario hang --jobs 20 --processes 1 --faults 2
END
grtrace record -o "$CASE_TMP/x.grt" -- sh "$CASE_TMP/later" >/dev/null 2>"$CASE_TMP/words" ||
	fail "record: $(cat "$CASE_TMP/words")"
grep -q '^source: bpf' "$CASE_TMP/words" || fail "the source: $(cat "$CASE_TMP/words")"
[ ! -d /sys/module/grtrace ] || fail "the module is loaded, so this run proves nothing"
expect_eq "jobs" "$(grtrace report --jobs --format csv "$CASE_TMP/x.grt" | sed 1d | wc -l)" 120
whole=$(grtrace report --jobs --format csv --filter 'total > 0 and t_exec > 0' "$CASE_TMP/x.grt" | sed 1d | wc -l)
[ "$whole" -ge 100 ] || fail "only $whole of 120 jobs have all their times"
grtrace dump --definitions "$CASE_TMP/x.grt" | grep STREAM_INFO | head -n 1 >"$CASE_TMP/info"
features=$(sed -n 's/.* features=\([^ ]*\) .*/\1/p' "$CASE_TMP/info")
[ $((features >> 6 & 1)) -eq 1 ] || fail "no promise of timeouts and resets: $(cat "$CASE_TMP/info")"
[ "$(grtrace dump "$CASE_TMP/x.grt" | grep -c ' ERROR .*TIMEOUT')" -ge 1 ] || fail "no timeout is recorded"
