#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: where a right, types, tracefs, debugfs or an open kernel is missing, each source says what it lacks, and record uses one that works
# kernels: 6.1
# requires: modules
# vm: own --no-load
# The rows of the table in Documentation/sources.rst.

# record OPTION...: jobs of a workload, in x.grt
record() { grtrace record "$@" -o "$CASE_TMP/x.grt" -- workload --scenario mixed --jobs 20; }

# works ROW SOURCE: it records all jobs, and says nothing about what it does without
works()
{
	record "--source=$2" >/dev/null 2>"$CASE_TMP/out" || fail "$1, $2: $(cat "$CASE_TMP/out")"
	expect_eq "$1, $2: jobs" "$(grtrace report --jobs --format csv "$CASE_TMP/x.grt" | sed 1d | wc -l)" 20
	! grep -i libbpf "$CASE_TMP/out" || fail "$1, $2: words of a library"
}

# refuses ROW SOURCE REASON HINT: one error, one hint, and no file
refuses()
{
	rm -f "$CASE_TMP/x.grt"
	expect_status 3 record "--source=$2"
	expect_eq "$1, $2: reason" "$(sed -n 1p "$CASE_TMP/out")" "grtrace: the source $2 does not work here: $3"
	expect_eq "$1, $2: hint" "$(sed -n '2,$p' "$CASE_TMP/out")" "${4:+hint: $4}"
	[ ! -e "$CASE_TMP/x.grt" ] || fail "$1, $2: there is a file"
}

# takes ROW SOURCE: what record takes by itself
takes()
{
	record >/dev/null 2>"$CASE_TMP/out" || fail "$1: $(cat "$CASE_TMP/out")"
	expect_eq "$1: source" "$(sed -n 's/^source: \([a-z]*\).*/\1/p' "$CASE_TMP/out")" "$2"
}

modprobe grtrace_mock
mount -t securityfs none /sys/kernel/security 2>/dev/null || :

row="no module"
refuses "$row" module "not loaded" "sudo modprobe grtrace"
works "$row" bpf
works "$row" tracefs
takes "$row" bpf

row="no BTF"
mount -t tmpfs none /sys/kernel/btf
refuses "$row" bpf "the kernel has no type information (BTF)" "use a kernel with CONFIG_DEBUG_INFO_BTF"
works "$row" tracefs
takes "$row" tracefs
umount /sys/kernel/btf

row="no tracefs"
umount /sys/kernel/debug/tracing 2>/dev/null || :
umount /sys/kernel/tracing
mount -t tmpfs none /sys/kernel/debug
refuses "$row" tracefs "tracefs is not mounted" "sudo mount -t tracefs nodev /sys/kernel/tracing"
works "$row" bpf
takes "$row" bpf

row="no debugfs"
modprobe grtrace
modprobe grtrace_drm_bridge
mount -t tracefs none /sys/kernel/tracing
refuses "$row" module "not loaded" "sudo modprobe grtrace"
works "$row" bpf
works "$row" tracefs
umount /sys/kernel/debug
works "with debugfs" module

row="no root"
chmod 777 "$CASE_TMP"
as_nobody() { cd / && su -s /bin/sh nobody -c "grtrace record $* -o $CASE_TMP/x.grt -- true"; }
for source in "module:only root may use its files:sudo grtrace record" \
	"bpf:only root may load the programs: CAP_SYS_ADMIN is missing:sudo grtrace record" \
	"tracefs:cannot use '/sys/kernel/tracing'.*:sudo grtrace record --source=tracefs"; do
	expect_status 3 as_nobody "--source=${source%%:*}"
	reason=${source#*:}
	grep -q "^grtrace: the source ${source%%:*} does not work here: ${reason%:*}" "$CASE_TMP/out" ||
		fail "$row: $(cat "$CASE_TMP/out")"
	expect_eq "$row: hint" "$(sed -n 's/^hint: //p' "$CASE_TMP/out")" "${reason##*:}"
done
expect_status 3 as_nobody
expect_eq "$row: sources" "$(grep -c -E '^  (module|bpf|tracefs) .*hint: ' "$CASE_TMP/out")" 3

# CAP_BPF and CAP_PERFMON do not help: the kernel shows the types of modules to CAP_SYS_ADMIN only.
row="no CAP_SYS_ADMIN"
expect_status 3 uncap 21 grtrace record --source=bpf -o "$CASE_TMP/x.grt" -- true
grep -q 'CAP_SYS_ADMIN is missing$' "$CASE_TMP/out" || fail "$row: $(cat "$CASE_TMP/out")"

lockdown() { echo "$1" >/sys/kernel/security/lockdown || fail "the kernel has no lockdown"; }
row="lockdown integrity"
lockdown integrity
refuses "$row" module "the kernel is locked down" "echo 1 > /sys/module/grtrace/parameters/enabled"
works "$row" bpf
works "$row" tracefs
takes "$row" bpf

# What the hints of the module lead to.
echo 1 >/sys/module/grtrace/parameters/enabled
workload --scenario mixed --jobs 50 >/dev/null
cd "$CASE_TMP"
for command in "report --live" start stop extract; do
	# shellcheck disable=SC2086	# a command and its option
	expect_status 3 grtrace $command
	expect_eq "$row, $command: words" "$(sed 's/^hint: .*/HINT/' out)" \
		"grtrace: the kernel is locked down: nobody may control the module
HINT"
done
expect_eq "files" "$(find . -name 'live*' | wc -l)" 0
echo 0 >/sys/module/grtrace/parameters/enabled
sh -c "$(sed -n 's/^hint: .*: sudo //p' out)" || fail "the hint does not work: $(cat out)"
expect_eq "$row, jobs read as they are" "$(grtrace report --jobs --format csv trace.raw | sed 1d | wc -l)" 50

row="lockdown confidentiality"
lockdown confidentiality
refuses "$row" bpf \
	"the kernel is locked down (confidentiality): BPF programs may not read its memory" \
	"boot with lockdown=integrity, which is enough for Secure Boot"
refuses "$row" tracefs "the kernel is locked down (confidentiality) and refuses tracing" \
	"boot with lockdown=integrity, which is enough for Secure Boot"
refuses "$row" module "the kernel is locked down" "echo 1 > /sys/module/grtrace/parameters/enabled"
