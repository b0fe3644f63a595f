# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
# The real Prometheus and Alertmanager for tests, on ports that are free: sourced behind vm/lib.sh and tap.sh.
tools=$GRT_ROOT/tools/grtrace
for program in prometheus prometheus-alertmanager promtool curl jq; do
	command -v $program >/dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done
pids=()
# What this test started, and nothing else.
trap 'kill "${pids[@]}" 2>/dev/null; wait; rm -rf "$work"' EXIT

free_port() { "$tools/build/test/make/fixture-http" listen /bin/true 2>&1; }

# until COMMAND...: for a minute at most
until_true()
{
	for _ in $(seq 120); do
		"$@" >out 2>err && return
		sleep 0.5
	done
	return 1
}
ask()		# query: the results as JSON
{
	curl -sfG "http://127.0.0.1:$prom/api/v1/query" --data-urlencode "query=$1" | jq -c '.data.result'
}
value() { ask "$1" | jq -r '.[0].value[1] // "none"'; }

# fixture-http, which finds free ports, must be built before.
prepare_ports() { prom=$(free_port) am=$(free_port) hook=$(free_port); }

up() { [ "$(value 'up{job="grtrace"}')" = 1 ]; }

# begin_prometheus PORT: scrapes grtrace serve there each second; alerts reach a webhook, which writes hook.log.
begin_prometheus()
{
	mkdir consoles && cp "$tools/prometheus/grtrace.html" consoles/
	cat >prometheus.yml <<-END
	global: {scrape_interval: 1s, evaluation_interval: 1s}
	rule_files: ['$tools/prometheus/rules.yml', '$tools/prometheus/alerts.yml']
	alerting: {alertmanagers: [{static_configs: [{targets: ['127.0.0.1:$am']}]}]}
	scrape_configs:
	- job_name: grtrace
	  sample_limit: 20000
	  static_configs: [{targets: ['127.0.0.1:$1']}]
	END
	cat >am.yml <<-END
	route: {receiver: hook, group_wait: 0s}
	receivers: [{name: hook, webhook_configs: [{url: 'http://127.0.0.1:$hook/', send_resolved: false}]}]
	END
	prometheus --config.file=prometheus.yml --storage.tsdb.path=tsdb --web.listen-address="127.0.0.1:$prom" \
		--enable-feature=exemplar-storage --web.console.templates=consoles --web.console.libraries=consoles \
		>prom.log 2>&1 &
	pids+=($!)
	prometheus-alertmanager --config.file=am.yml --storage.path=am --web.listen-address="127.0.0.1:$am" \
		--cluster.listen-address= >am.log 2>&1 &
	pids+=($!)
	# The webhook
	perl -MIO::Socket::INET -e '
		$s = IO::Socket::INET->new(LocalAddr => "127.0.0.1:$ARGV[0]", Listen => 8, ReuseAddr => 1) or die;
		open($f, ">", "hook.log"); $f->autoflush(1);
		while ($c = $s->accept) {
			$length = 0;
			while (<$c>) { $length = $1 if /^Content-Length: (\d+)/i; last if /^\r?$/ }
			read($c, $body, $length); print $f "$body\n";
			print $c "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"; close($c);
		}' "$hook" &
	pids+=($!)
}
