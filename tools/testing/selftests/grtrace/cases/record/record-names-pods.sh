#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: each source records where processes run: machine, boot, cgroup, pod, container, Slurm job, unit; what is gone is unknown
# kernels: 6.1
# requires: mock grtrace crowd
# timeout: 300
JOBS=40
cd "$CASE_TMP" || exit
cgroups_begin
undo()
{
	cgroups_end
	umount /var/log || :
}
trap undo EXIT
mkdir -p /var/log
mount -t tmpfs none /var/log || fail "no /var/log for this case"

id() { printf '%064d' 0 | tr 0 "$1"; }
TRAIN=0a1b2c3d-0000-4000-8000-00000000cafe
SERVE=5e54e000-0000-4000-8000-00000000beef
SLICE=kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod$(echo $TRAIN | tr - _).slice
# NAME PATH OWNER POD CONTAINER SLURM_JOB: what is expected of the processes that crowd starts there
cat >places <<END
train $SLICE/cri-containerd-$(id a).scope pod train-0 main -
side $SLICE/cri-containerd-$(id b).scope pod train-0 $(id b) -
serve kubepods/besteffort/pod$SERVE/$(id c) pod serve-1 $(id c) -
nameless kubepods/pod1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d/crio-$(id d) pod 1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d $(id d) -
docker system.slice/docker-$(id e).scope container - $(id e) -
podman machine.slice/libpod-$(id f).scope/container container - $(id f) -
solve system.slice/slurmstepd.scope/job_42/step_0/user/task_0 slurm_job - - 42
render system.slice/render.service unit - - -
plain mine nobody - - -
END
mkdir -p "/var/log/containers" "/var/log/pods/web_serve-1_$SERVE"
: >"/var/log/containers/train-0_ml_main-$(id a).log"
while read -r name path _; do
	mkdir -p "$CGROUPS/$path"
done <places

# Each process moves to its cgroup, notes the path that /proc gives, and then becomes the program crowd.
cat >begin <<END
#!/bin/sh
echo \$\$ >"$CGROUPS/\$2/cgroup.procs" || exit 1
sed -n 's/^0:://p' /proc/self/cgroup >\$1.path
exec crowd --rename --jobs $JOBS --duration-us 2000 --csv \$1.csv
END
cat >all <<'END'
#!/bin/sh
pids=
while read -r name path _; do
	./begin $name $path &
	pids="$pids $!"
done <places
for pid in $pids; do wait $pid || exit 1; done
END
chmod +x begin all

# The jobs in the columns that we expect, as the processes know them.
expected()
{
	while read -r name path _ pod container slurm; do
		expect_eq "path of $name, as it says" "$(cat "$name.path")" "/$path"
		tail -n +2 "$name.csv" | awk -F, -v where="/$path|$pod|$container|$slurm" '{ print $3 ":" $4 "|" $1 "|" where }'
	done <places | sed 's/|-/|/g' | sort
}
recorded()
{
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["ctx"] ":" $at["seqno"] "|" $at["pid"] "|" $at["cgroup"] "|" $at["pod"] "|" $at["container"] "|" $at["slurm_job"] }' jobs.csv | sort
}
# sums FILE TABLE COLUMN: of a table of a report as CSV
sums()
{
	awk -v nr="$2" '/^$/ { n++; next } n + 1 == nr' "$1" | awk -F, -v name="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { n += $c } END { printf "%.0f\n", n }'
}

for source in module bpf tracefs; do
	rm -f ./*.csv ./*.path
	grtrace record --source=$source -q -o $source.grt -- ./all 2>words || fail "$source: $(cat words)"
	grtrace verify -s 1s $source.grt >said || fail "$source: $(grep FAILED said)"
	grtrace report --all --jobs -f csv $source.grt >jobs.csv || fail "$source: report"
	expected >want
	[ "$(wc -l <want)" -eq $((9 * JOBS)) ] || fail "$(wc -l <want) jobs, so this run proves nothing"
	# tracefs looks into /proc: what was gone by then is not known.
	if [ $source = tracefs ]; then
		recorded | sed -n 's/||||$/|/p' >unknown
		[ ! -s unknown ] || { grep -vFf unknown want >known || :; mv known want; }
		[ "$(wc -l <want)" -ge $((5 * JOBS)) ] || fail "$source: no more than $(wc -l <want) jobs are known"
	fi
	recorded | grep -Fxf want >got || :
	cmp -s want got || fail "$source: $(recorded | diff want - | grep '^[-+][0-9]' | head -n 6)"
	train=$(grep -c '|train-0|' want || :)

	# The machine, on each job.
	expect_eq "$source: host, boot and namespace" "$(awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["pod"] == "train-0" { print $at["host"], $at["boot_id"], $at["pidns"] }' jobs.csv | sort -u)" \
		"$(uname -n) $(cat /proc/sys/kernel/random/boot_id) $(command stat -L -c %i /proc/self/ns/pid)"

	# The owners together have all of these jobs, and the waits between them are all waits.
	grtrace report --all --per-pod --blame --roots -f csv $source.grt >pods.csv || fail "$source: --per-pod"
	expect_eq "$source: rows of train-0" "$(grep -c ',ml,train-0,' pods.csv)" 1
	expect_eq "$source: its containers together" "$(awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		NF > 100 && $at["pod"] == "train-0" { print $at["jobs"] }' pods.csv)" "$train"
	expect_eq "$source: waits of pods" "$(sums pods.csv 4 waited_ns)" "$(sums pods.csv 2 waited_ns)"
	expect_eq "$source: their roots" "$(sums pods.csv 5 waited_ns)" "$(sums pods.csv 3 waited_ns)"
	[ "$(sums pods.csv 4 waited_ns)" -gt 0 ] || fail "$source: nobody waited, so this run proves nothing"
	grtrace report --all --jobs -f csv -F 'pod == ml/train-0' $source.grt >pod.csv || fail "$source: the filter"
	expect_eq "$source: jobs of the filter" "$(tail -n +2 pod.csv | wc -l)" "$train"
	grtrace top --batch --cgroups $source.grt >top.txt || fail "$source: top"
	grep -q '^ml/train-0 ' top.txt || fail "$source: top names no pod: $(cat top.txt)"
	echo "$source: $(wc -l <want) jobs in 9 cgroups"
done

# A cgroup that is gone when its process is read: its id is known, and its path is not.
mkdir "$CGROUPS/short"
session_start
./begin gone short || fail "crowd"
session_stop
gone=$(command stat -c %i "$CGROUPS/short")
rmdir "$CGROUPS/short" || fail "the cgroup is still in use"
grtrace extract -q -o gone.grt || fail "extract"
grtrace report --all --jobs -f csv gone.grt >jobs.csv || fail "report"
expect_eq "a cgroup that is gone" "$(awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ print $at["cgroup_id"] "|" $at["cgroup"] "|" $at["unit"] "|" $at["host"] }' jobs.csv | sort -u)" "$gone|||$(uname -n)"
