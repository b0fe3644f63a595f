#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The real Prometheus scrapes grtrace serve in a guest while the mock GPU works there for two pods; one job hangs.
# What Prometheus has of each pod is what report says of the same events.
set -u
here=$(cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source-path=SCRIPTDIR source=../../vm/lib.sh
. "$here/vm/lib.sh"
# shellcheck source-path=SCRIPTDIR source=../tap.sh
. "$here/t/tap.sh"

# shellcheck source-path=SCRIPTDIR source=../prometheus.sh
. "$here/t/prometheus.sh"
make -s -C "$tools" -j2 build/grtrace build/test/make/fixture-http >&2 || { echo "1..0"; exit 1; }
grtrace=$tools/build/grtrace
cd "$work" || exit 1
prepare_ports
port=$(free_port)

mkdir -p share/lib
# grtrace loads it when it serves, so the guest's programs do not bring it.
http=$(/sbin/ldconfig -p | awk '$1 == "libmicrohttpd.so.12" { print $NF; exit }')
{ echo "$http"; ldd "$http" | awk '$2 == "=>" { print $3 }'; } | xargs cp -L -t share/lib
readonly uid=5e54e000-0000-4000-8000-00000000000
cat >share/guest.sh <<END
begin()	# pod, then options of workload
{
	pod=/tmp/cgroup/kubepods/pod$uid\$1/\$(printf '%064d' \$1)
	shift
	mkdir -p "\$pod"
	sh -c 'echo \$\$ >"\$0/cgroup.procs"; exec workload "\$@"' "\$pod" "\$@"
}
jobs()
{
	begin 1 --scenario mixed --jobs 2000 --processes 2 &
	begin 2 --scenario mixed --jobs 1000 --processes 2
	wait \$!
	begin 2 --scenario hang --jobs 60
}
if [ "\${1-}" = jobs ]; then
	jobs
	exit
fi
mkdir -p /tmp/cgroup
mount -t cgroup2 none /tmp/cgroup || exit
{
	grtrace record -q --live --source=module -- sh /share/guest.sh jobs
	echo \$? >/share/done
	while [ ! -e /share/enough ]; do sleep 0.5; done
} | tee /share/raw | LD_LIBRARY_PATH=/share/lib grtrace serve --listen 0.0.0.0:9400 -
END
"$GRT_VM/run" --forward "$port:9400" --share "$work/share" --timeout 600 -- 'sh /share/guest.sh' >guest.log 2>&1 &
guest=$!
pids+=("$guest")
begin_prometheus "$port"
is_ready() { curl -sf "http://127.0.0.1:$port/metrics" | grep -q '^grtrace_jobs_total'; }
for _ in 1 2 3 4 5; do until_true is_ready && break; done
check "the guest works"			is_ready
check "Prometheus scrapes it"		until_true up
hung() { grep -q '"alertname":"GpuHang"' hook.log; }
for _ in 1 2 3 4 5; do until_true hung && break; done
check "a hang of the mock reaches the webhook" hung
of_pod() { head -n 1 hook.log | jq -c '.alerts[0].labels' && head -n 1 hook.log | jq -e --arg pod "${uid}2" '.alerts[0].labels.pod == $pod'; }
check "with the pod of its culprit"	of_pod
for _ in 1 2 3 4 5; do until_true test -e share/done && break; done
is "the recording"			"$(cat share/done)" 0
all() { [ "$(value 'sum(grtrace_jobs_total)')" = 3060 ]; }
check "Prometheus has all jobs"		until_true all
echo "# longest scrape, in an emulated guest: $(value 'max_over_time(scrape_duration_seconds{job="grtrace"}[10m])') s"

"$grtrace" report --per-pod -f csv share/raw >pods.csv 2>err
# pod COLUMN NAME: of both, by Prometheus and by report
for pod in 1 2; do
	for what in jobs:grtrace_jobs_total:1 t_exec_sum_ns:grtrace_exec_seconds_total:1000000000; do
		IFS=: read -r column name unit <<<"$what"
		report=$(awk -F, -v pod="$uid$pod" -v column="$column" -v unit="$unit" '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			index($0, pod) { printf "%.9f", $at[column] / unit }' pods.csv)
		has=$(value "sum(grtrace_${name#grtrace_}{pod=\"$uid$pod\"})")
		is "pod $pod: $name is $column of report" "$(printf '%.9f' "$has")" "$report"
	done
done
touch share/enough
wait "$guest"
is "serve and the guest end in order"	"$?: $(tail -n 2 guest.log)" "0: $(tail -n 2 guest.log)"
check "no complaint of Prometheus"	sh -c '! grep -E "level=error" prom.log'
end
