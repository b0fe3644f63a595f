#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: report of several traces: its numbers are those of each trace, and their sums
# Tests call these functions through ok(). $x and the like are variables of jq, not of the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"
command -v jq > /dev/null || { echo "1..0 # SKIP no jq"; exit 0; }

for scene in pods blame lossy; do
	"$gen" scene $scene $scene.grt || exit 1
done
traces='pods.grt blame.grt lossy.grt'
# shellcheck disable=SC2086	# several files
read_all() { run 0 "$grtrace" report -f json "$@" $traces && cp out all.json; }
holds() { jq -e "$1" all.json > err 2>&1; }

ok "a report"				read_all
ok "has a row for each trace"		holds '.traces | length == 3'
ok "by host"				holds '(.traces | map(.host)) == (.traces | map(.host) | sort)'
ok "which the trace names"		holds '.traces[] | select(.trace == "pods.grt") | .host == "node-1"'

# Each trace alone, with the same names.
for trace in $traces; do
	"$grtrace" report -f json --per-device --per-pod --blame "$trace" 2> err | jq --arg trace "$trace" '
		def sum(f): map(f // 0) | add // 0;
		{ trace: $trace, jobs: .pods | sum(.jobs), cut: .pods | sum(.cut),
		  exec_jobs: .pods | sum(.stages.t_exec.count), exec_ns: .pods | sum(.stages.t_exec.sum_ns),
		  waited_ns: .pod_blame | sum(.waited_ns) }'
done | jq -s . > each.json
same() { jq -e --slurpfile each each.json "$1" all.json > err 2>&1; }
ok "traces alone have jobs"		sh -c "jq -e 'map(.jobs) | all(. > 0)' each.json > err"
ok "their numbers are those of each alone" same '[.traces[] | {trace, jobs, cut, exec_jobs, exec_ns: (.exec_ns // 0), waited_ns}]
	| sort_by(.trace) == ($each[0] | sort_by(.trace))'
for name in jobs cut exec_jobs exec_ns waited_ns; do
	ok "owners sum to the traces: $name" holds "(.owners | map(.$name // 0) | add) == (.traces | map(.$name // 0) | add)"
done
ok "so do waits"			holds '(.waits | map(.waited_ns) | add) == (.traces | map(.waited_ns) | add)'
ok "pods waited for other pods"		holds '.owners[] | select(.name == "ml/train-0") | .by_others_ns == 2000000 and .waited_ns == 2960000'
ok "as the rows of waits say"		holds '[.waits[] | select(.name == "ml/train-0" and .by_name != null and .by_name != "ml/train-0")
	| .waited_ns] | add == 2000000'
ok "whether for others is unknown where owners are" holds '.traces[] | select(.trace == "blame.grt") | .by_others_ns == null and .waited_ns > 0'
ok "so is how many events were lost, or it is counted" holds '.traces[] | select(.trace == "lossy.grt") | .lost == null or .lost > 0'
ok "most GPU time first"		holds '(.owners | map(.exec_ns // 0)) as $x | $x == ($x | sort | reverse)'
ok "most waiting first"			holds '(.waits | map(.waited_ns)) as $x | $x == ($x | sort | reverse)'

# The same trace twice, as if two machines had done the same.
traces='pods.grt copy.grt'
cp pods.grt copy.grt
cp all.json before.json
ok "two traces"				read_all
ok "an owner is one"			holds '(.owners | map(.owner, .name) | length) == (.owners | unique_by([.owner, .name]) | length * 2)'
ok "in two traces"			holds '.owners[] | select(.name == "ml/train-0") | .traces == 2 and .jobs == 4 and .by_others_ns == 4000000'
ok "quantiles are those of one"		[ "$(jq -c '.owners[] | select(.name == "ml/train-0") | [.p50_ns, .p99_ns, .max_ns]' all.json)" = \
	"$(jq -c '.owners[] | select(.name == "ml/train-0") | [.p50_ns, .p99_ns, .max_ns]' before.json)" ]

ok "as text"				run 0 "$grtrace" report pods.grt copy.grt
ok "with a row of all"			grep -q '^ all of them .* 16 ' out
ok "and pods"				grep -q '^ ml/train-0 ' out
ok "two rows of each"			run 0 "$grtrace" report --topn 2 pods.grt copy.grt
ok "which it says"			grep -q '^2 rows of a table at most; all: --topn' out
ok "as CSV"				run 0 "$grtrace" report -f csv pods.grt copy.grt
ok "with three tables"			[ "$(grep -c '^host,\|^owner,' out)" -eq 3 ]
ok "with a filter"			run 0 "$grtrace" report -f json -F 'pod == "train-0"' pods.grt copy.grt
ok "of jobs"				sh -c "jq -e '.traces | map(.jobs) == [2, 2]' out > err"

ok "a table that only one trace has"	complains 4 "cannot be joined with others" "grtrace merge pods.grt copy.grt" "$grtrace" report --idle pods.grt copy.grt
echo nothing > text
ok "what is no trace"			complains 4 "'text' is no trace" "grtrace reads .grt files" "$grtrace" report pods.grt text
ok "no file"				complains 3 "nowhere" "" "$grtrace" report pods.grt nowhere
end
