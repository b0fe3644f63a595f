#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: cgroups, pods and machines: reports, filters, definitions, and what editors keep of them
# Tests call these functions through ok(). $2 and the like are variables of awk and jq, not of the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

for scene in pods odd-pods stacks; do
	"$gen" scene "$scene" > $scene || exit 1
done
"$gen" scene pods pods.grt || exit 1

# cells NAMES: these columns of the CSV in the file out, none of which has a comma
cells()
{
	awk -F, -v names="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, want, " "); next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $at[want[i]], i < n ? "|" : "\n" }' out
}
# The rows of report, by name: "NAMES: ROW; ROW"
rows()		# columns, expected rows, options and files
{
	columns=$1 wanted=$2
	shift 2
	run 0 "$grtrace" report -f csv "$@" || return 1
	cells "$columns" > rows
	printf '%s\n' "$wanted" | tr ';' '\n' | sed 's/^ *//' | diff - rows > err
}
says() { grep -qF -- "$1" out; }
# The second table of CSV, alone
second() { awk -v RS= 'NR == 3' out > table && mv table out; }

id() { printf '%064d' 0 | tr 0 "$1"; }

# --- tables ---
ok "a row for each owner"		rows "scope owner namespace pod container slurm_job unit jobs" \
	"pod|pod|ml|train-0||||2; pod|container|||$(id d)|||1; pod|pod||5e54e000-0000-4000-8000-00000000beef||||1
pod|||||||2; pod|slurm_job||||42||1; pod|unit|||||app-desktop.scope|1" --per-pod pods
ok "a row for each cgroup"		rows "scope host cgroup_id owner pod container jobs" \
	"cgroup|node-1|82|pod|train-0|$(id b)|1; cgroup|node-1|84|container||$(id d)|1
cgroup|node-1|83|pod|5e54e000-0000-4000-8000-00000000beef|$(id c)|1; cgroup|node-1|81|pod|train-0|main|1
cgroup||||||1; cgroup|node-1|85|slurm_job|||1; cgroup|node-1|86|unit|||1; cgroup|node-1|87||||1" --per-cgroup pods
sums_to_all()
{
	"$grtrace" report -f csv --per-ring --per-cgroup --per-pod pods > out || return 1
	cells "scope jobs total_sum_ns t_exec_sum_ns" | awk -F'|' '
		{ jobs[$1] += $2; total[$1] += $3; exec[$1] += $4 }
		END { exit !(jobs["ring"] == 8 && jobs["pod"] == 8 && jobs["cgroup"] == 8 &&
			total["pod"] == total["ring"] && total["cgroup"] == total["ring"] &&
			exec["pod"] == exec["ring"] && exec["cgroup"] == exec["ring"]) }'
}
ok "both sum to all jobs"		sums_to_all
ok "text names them"			run 0 "$grtrace" report --per-pod pods
ok "a pod"				grep -q '^ ml/train-0 ' out
ok "without a name"			grep -q '^ pod 5e54e000-0000-4000-8000-00000000beef ' out
ok "a container"			grep -q '^ docker dddddddddddd ' out
ok "a job of Slurm"			grep -q '^ slurm job 42 ' out
ok "a cgroup by path, or by id"		sh -c "'$grtrace' report --per-cgroup pods > out && grep -q '^ /kubepods/burstable/pod' out && grep -q '^ cgroup 87 ' out"

# By hand: 2:1 waits for 1:1 from 30 to 1010 us, and so on; see scene-pods.c.
P=pod,ml/train-0 S="pod,pod 5e54e000-0000-4000-8000-00000000beef" D="container,docker dddddddddddd"
cat > blame <<END
owner,name,waited_ns,share,through,by_owner,by_name
$P,1000000,0.167785,ring,$S
$P,1000000,0.167785,ring,$D
$D,1000000,0.167785,ring,$S
$S,980000,0.164430,ring,$P
$D,960000,0.161074,ring,$P
$P,940000,0.157718,ring,$P
$P,20000,0.003356,scheduler,,
,,20000,0.003356,scheduler,,
$S,10000,0.001678,scheduler,,
$D,10000,0.001678,scheduler,,
slurm_job,slurm job 42,10000,0.001678,scheduler,,
unit,app-desktop.scope,10000,0.001678,scheduler,,
END
sed 's/through/root/; s/,ring,/,run,/' blame > roots
waits() { "$grtrace" report -f csv --per-pod "--$1" pods > out 2> err && second && diff "$1" out > err; }
ok "which pod waited for which"		waits blame
ok "in the end"				waits roots
ok "not without --per-pod"		sh -c "'$grtrace' report -f csv --blame pods > out; ! grep -q by_owner out"
ok "as many as asked for"		sh -c "'$grtrace' report --per-pod --blame -t 1 pods | sed -n '/^WHICH POD/,/^\$/p' | grep -c ' ring ' | grep -qx 1"
in_json() { "$grtrace" report -f json --per-pod --blame --roots pods | jq -e "$1" > out 2> err; }
if command -v jq > /dev/null; then
	ok "JSON has pods"		in_json '.pods | length == 6'
	ok "who waited"			in_json '([.pod_blame[].waited_ns] | add) == ([.pod_roots[].waited_ns] | add)'
	ok "the unknown is null"	in_json '.pods[] | select(.owner == null) | .pod == null and .unit == null and .jobs == 2'
	ok "the boot"			in_json '.trace.boot_id == "11111111-2222-4333-8444-555555555555"'
fi

# --- jobs and filters ---
ok "jobs have them"			rows "seqno pid host boot_id pidns cgroup_id namespace pod container slurm_job" \
	"1|8|node-1|11111111-2222-4333-8444-555555555555|4026531836|82|ml|train-0|$(id b)|" --jobs -F 'ctx == 4' pods
ok "what is not known is empty"		rows "pid cgroup_id cgroup pod unit" "13|87|||; 14||||" --jobs -F 'ctx > 6' pods
chosen()	# filter, expected pids
{
	run 0 "$grtrace" report --jobs -f csv -F "$1" pods || return 1
	cells pid | sort -n | tr '\n' ' ' > rows
	[ "$(cat rows)" = "$2 " ]
}
ok "a pod by name"			chosen 'pod == train-0' "7 8"
ok "with its namespace"			chosen 'pod == ml/train-0' "7 8"
ok "by UID"				chosen 'pod == 0a1b2c3d-0000-4000-8000-00000000cafe' "7 8"
ok "not in it; the unknown is neither"	chosen 'pod != train-0' "9 10 11 12"
ok "a namespace"			chosen 'namespace == ml' "7 8"
ok "a cgroup"				chosen 'cgroup == /system.slice/slurmstepd.scope/job_42/step_0/user/task_0' "11"
ok "those below it"			chosen 'cgroup == /system.slice' "10 11"
ok "the root has all"			chosen 'cgroup == /' "7 8 9 10 11 12"
ok "half a name is none"		chosen 'cgroup == /system || ctx == 1' "7"
ok "by id"				chosen 'cgroup == 87 || cgroup_id == 83' "9 13"
ok "a job of Slurm"			chosen 'slurm_job == 42' "11"
ok "a unit"				chosen 'unit == app-desktop.scope' "12"
ok "a machine"				chosen 'host == node-1 && pidns == 4026531836 && container == main' "7"

# --- editors keep them ---
ok "dump prints the definitions"	run 0 "$grtrace" dump -d pods
ok "the machine"			says 'MACHINE         boot=0 text="host=node-1\nboot_id=11111111-2222-4333-8444-555555555555"'
ok "a cgroup"				grep -q 'CGROUP  *cgroup_id=85 text="/system.slice/slurmstepd.scope/job_42/step_0/user/task_0"' out
ok "verify checks them"			sh -c "'$grtrace' verify pods | grep -q '^ok  *cgroups '"
same() { "$grtrace" report -f csv --per-pod --per-cgroup --blame "$1" > now 2> err && "$grtrace" report -f csv --per-pod --per-cgroup --blame pods > was && diff was now > err; }
ok "a slice"				run 0 "$grtrace" slice --since 0 -o part.grt pods
ok "has all of it"			same part.grt
ok "a repaired trace"			run 0 "$grtrace" repair -o fixed.grt pods.grt
ok "too"				same fixed.grt
"$gen" boot far 1000 100 far.grt || exit 1
ok "merging it with one of another boot" run 0 "$grtrace" merge -o all.grt pods.grt far.grt
ok "keeps the pods"			run 0 "$grtrace" report -f csv --per-pod all.grt
ok "by name"				grep -q ',pod,,ml,train-0,' out
ok "in any order"			run 0 "$grtrace" merge -o all.grt far.grt pods.grt
ok "it says whose boot is whose"	run 0 "$grtrace" dump -d all.grt
ok "the second one's"			grep -q 'MACHINE .*boot=1 ' out
ok "cgroups of two boots differ"	run 0 "$grtrace" report -f csv --per-cgroup all.grt
ok "by their ids"			grep -q ",node-1,$((81 + (1 << 56))),pod,/kubepods" out
ok "jobs know their machine"		run 0 "$grtrace" report --jobs -f csv -F 'host == node-1' all.grt
ok "by their contexts"			sh -c "grep -c ,node-1, out | grep -qx 8"

# --- odd input ---
ok "odd paths"				run 0 "$grtrace" report --per-pod --per-cgroup --blame --roots odd-pods
ok "print no control characters"	sh -c "! grep -q '\$(printf '\\033')' out"
ok "in CSV neither"			sh -c "'$grtrace' report -f csv --per-cgroup --per-pod odd-pods > out && ! grep -q '\$(printf '\\033')' out && grep -q '/a,' out"
ok "verify finds them"			run 1 "$grtrace" verify odd-pods
ok "and says which"			grep -q '^FAILED  *cgroups' out
ok "a trace without cgroups' paths"	run 0 "$grtrace" report --per-pod stacks
ok "has one row"			grep -q '^ - ' out

# --- top ---
ok "top names cgroups"			run 0 "$grtrace" top --batch --cgroups pods
ok "a pod"				grep -q '^ml/train-0 ' out
ok "a path that is not known"		grep -q '^cgroup 87 ' out
ok "a filter by pod"			sh -c "'$grtrace' top --batch --cgroups -F train-0 pods > out && grep -q '^ml/train-0' out && ! grep -q '^cgroup 87' out"
ok "CSV of top"				sh -c "'$grtrace' top --batch -f csv pods | grep -q ',ml,train-0,main,'"
end
