#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: serve, from each source while it records, counts every job and the hang of a pod under its name; of a live stream, GPU time of the pod is that of report over the same events
# kernels: 6.1
# requires: mock grtrace
# timeout: 300
JOBS=120
POD=kubepods/pod5e54e000-0000-4000-8000-00000000beef/$(printf '%064d' 7)
cd "$CASE_TMP" || exit
cgroups_begin
trap cgroups_end EXIT
mkdir -p "$CGROUPS/$POD"
cat >begin <<END
#!/bin/sh
echo \$\$ >"$CGROUPS/$POD/cgroup.procs" || exit 1
exec workload --scenario hang --jobs $JOBS
END
chmod +x begin
PLACE='owner="pod",pod="5e54e000-0000-4000-8000-00000000beef"'

# sum NAME FILE: of the samples of our pod
sum() { grep -F "$PLACE" "$2" | awk -v name="$1" 'index($1, name "{") == 1 { n += $NF } END { printf "%.9f\n", n }'; }

sources=module
[ ! -e /sys/kernel/btf/vmlinux ] || sources="module bpf tracefs"
for source in $sources; do
	grtrace serve --source="$source" --textfile "$source.prom" --interval 1s 2>log &
	server=$!
	for _ in $(seq 100); do
		[ ! -s "$source.prom" ] || break
		sleep 0.2
	done
	[ -s "$source.prom" ] || fail "$source: serve writes nothing: $(cat log)"
	./begin >out 2>&1 || fail "$source: $(cat out)"
	for _ in $(seq 100); do
		[ "$(sum grtrace_jobs_total "$source.prom")" != $JOBS.000000000 ] || break
		sleep 0.2
	done
	kill "$server"
	wait "$server" || fail "$source: serve ended with $?: $(cat log)"
	expect_eq "$source: jobs of the pod" "$(sum grtrace_jobs_total "$source.prom")" $JOBS.000000000
	expect_eq "$source: its hangs" "$(sum grtrace_hangs_total "$source.prom")" 1.000000000
	expect_eq "$source: lost events" "$(awk '/^grtrace_lost_events_total/ { n += $NF } END { print n + 0 }' "$source.prom")" 0
	echo "$source: $(sum grtrace_exec_seconds_total "$source.prom") s of GPU time"
done

# --- the same events, by report ---
grtrace record --live --source=module -- ./begin 2>err >raw || fail "$(cat err)"
# shellcheck disable=SC2002	# a file would be read as a trace
cat raw | grtrace serve --textfile live.prom - || fail "serve - ended with $?"
grtrace report --per-pod -f csv raw >pods.csv 2>err || fail "$(cat err)"
expected=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["owner"] == "pod" { printf "%.9f\n", $at["t_exec_sum_ns"] / 1e9 }' pods.csv)
expect_eq "GPU time of the pod" "$(sum grtrace_exec_seconds_total live.prom)" "$expected"
