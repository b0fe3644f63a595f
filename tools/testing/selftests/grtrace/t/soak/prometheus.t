#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# grtrace serve with the real Prometheus and Alertmanager: it is scraped while a stream of a mock GPU goes on, and
# hangs there reach a webhook; each query of the dashboard, the console and the rules is run.
set -u
here=$(cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source-path=SCRIPTDIR source=../../vm/lib.sh
. "$here/vm/lib.sh"
# shellcheck source-path=SCRIPTDIR source=../tap.sh
. "$here/t/tap.sh"

# shellcheck source-path=SCRIPTDIR source=../prometheus.sh
. "$here/t/prometheus.sh"
make -s -C "$tools" -j2 build/grtrace build/test/make/gen build/test/make/fixture-http >&2 || { echo "1..0"; exit 1; }
make -s -C "$tools/../../bench" O="$work" "$work/pace" >&2 || { echo "1..0"; exit 1; }
grtrace=$tools/build/grtrace
cd "$work" || exit 1
prepare_ports
port=$(free_port)

# --- files of Prometheus ---
check "the unit tests of the rules"	promtool test rules "$tools/prometheus/tests.yml"
# --- a GPU that works for a minute: 1,800 jobs a second, some of which hang ---
"$tools/build/test/make/gen" busy jobs=108000 hang=5 >stream || exit 1
bytes=$(stat -c %s stream)
mkfifo fifo
{ ./pace $((bytes / 60)) <stream; exec sleep 600; } >fifo &
pids+=($!)
"$grtrace" serve --listen "127.0.0.1:$port" - <fifo 2>serve.log &
serve=$!
pids+=("$serve")
begin_prometheus "$port"
check "the configuration"		promtool check config prometheus.yml
check "Prometheus scrapes it"		until_true up
works() { [ "$(value 'sum(rate(grtrace_jobs_total[10s])) > 100')" != none ]; }
check "while jobs come"			until_true works
hung() { grep -q '"alertname":"GpuHang"' hook.log; }
check "a hang reaches the webhook"	until_true hung
has_culprit() { head -n 1 hook.log | jq -e '.alerts[0].labels | .ring == "gfx" and .owner == "unknown" and .severity == "critical"'; }
check "with its culprit"		has_culprit

# --- each query ---
jq -r '.panels[].targets[].expr' "$tools/prometheus/dashboard.json" |
	sed "s/\$__rate_interval/10s/g; s/\$__range/5m/g; s/\$instance/.*/g" >queries
is "the dashboard has queries"		"$(wc -l <queries)" 14
while read -r query; do
	answers() { ask "$query" >answer && [ "$(jq length answer)" -gt 0 ]; }
	check "${query:0:90}"		answers
done <queries
while read -r rule; do
	# Nobody waits for another pod in this stream: it has none.
	[ "$rule" = instance_pod_by_pod:grtrace_blocked_seconds:rate5m ] && continue
	answers() { [ "$(value "$rule")" != none ]; }
	check "$rule"			until_true answers
done < <(sed -n 's/^  - record: //p' "$tools/prometheus/rules.yml")
healthy() { curl -sf "http://127.0.0.1:$prom/api/v1/rules" | jq -e '[.data.groups[].rules[] | select(.health != "ok")] == []'; }
check "all rules and alerts"		healthy
console() { curl -sf "http://127.0.0.1:$prom/consoles/grtrace.html?range=10s" >page && grep -q 'class="bar busy"' page && grep -q GpuHang page && ! grep -q 'no data\|<no value>\|error' page; }
check "the console"			console
# Their times are those of the stream, which says that it is of 2023.
exemplars()
{
	curl -sfG "http://127.0.0.1:$prom/api/v1/query_exemplars" --data-urlencode 'query=grtrace_job_seconds_bucket' \
		--data-urlencode start=1700000000 --data-urlencode "end=$(date +%s)" |
		jq -e '[.data[].exemplars[].labels.fence] | length > 0 and all(test("^[0-9]+:[0-9]+$"))'
}
check "jobs as examples"		exemplars
shares() { [ "$(value 'abs(sum by (ring) (instance_device_ring_state:grtrace_ring_state:share5m) - 1) < 0.000001')" != none ]; }
check "states sum to all time"		shares

# --- the formats, and the numbers ---
curl -s "http://127.0.0.1:$port/metrics" >text
check "promtool accepts the text"	sh -c 'promtool check metrics <text'
check "no complaint of Prometheus"	sh -c '! grep -E "level=(warn|error)" prom.log'
over() { [ "$(value 'sum(grtrace_jobs_total)')" -ge 100000 ]; }
for _ in 1 2; do until_true over; done	# it takes a minute; the last two seconds wait for a clock
check "the stream was read"		over
strict()
{
	curl -s -H 'Accept: application/openmetrics-text' "http://127.0.0.1:$port/metrics" >om &&
		/usr/bin/python3 -c '
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
print(sum(len(f.samples) for f in parse(open("om").read())))' && grep -q " # {fence=" om
}
if /usr/bin/python3 -c 'import prometheus_client' 2>/dev/null; then
	check "the strict parser accepts OpenMetrics"	strict
else
	result ok "the strict parser accepts OpenMetrics # SKIP no python3-prometheus-client"
fi
kill -TERM "$serve"
wait "$serve"
is "it ends in order"			$? 0
end
