#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: report --stacks: each job counts in one line, so the lines sum to all jobs and their times
# Tests call these functions through ok(). $2 and the like are variables of awk and jq, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

"$gen" scenes > scenes || exit 1
while read -r scene _; do
	"$gen" scene "$scene" > "$scene" || exit 1
done < scenes
"$gen" load rings=3 jobs=400 wait=200 gap=1 > load || exit 1

folded()	# weight, options and files
{
	weight=$1
	shift
	run 0 "$grtrace" report --stacks="$weight" "$@"
}
# Each line of the file out has functions and a number.
is_folded() { awk '!/^[^ ;][^;]*(;[^;]+)+ [0-9]+$/ { print; exit 1 }' out; }
sum() { awk '{ n += $NF } END { printf "%d\n", n }' out; }
says() { grep -qxF -- "$1" out; }

# cells COLUMN FILE: the sum of a column of CSV that has no quotes
cells() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { n += $c } END { printf "%d\n", n }' "$2"; }

# The sums of all lines are those of the tables that other options print.
is_lawful()	# trace, options
{
	"$grtrace" report --per-process -f csv "$@" > processes 2> err || return 1
	"$grtrace" report --blame -f csv "$@" > blamed 2> err || return 1
	folded jobs "$@" && is_folded && [ "$(sum)" = "$(cells jobs processes)" ] || return 1
	folded gpu "$@" && is_folded && [ "$(sum)" = "$(cells t_exec_sum_ns processes)" ] || return 1
	folded wait "$@" && is_folded && [ "$(sum)" = "$(cells waited_ns blamed)" ]
}

while read -r scene _; do
	[ "$scene" = names ] || ok "$scene: the lines sum to the jobs" is_lawful "$scene"
done < scenes
ok "of some jobs"			is_lawful --comm game stacks
ok "of a part of the time"		is_lawful --since 30us --until 6ms stacks
ok "of a ring"				is_lawful --ring copy stacks
ok "of a larger trace"			is_lawful load
ok "names that are odd"			sh -c "'$grtrace' report --stacks=jobs names > out 2> err && [ \"\$(awk '{ n += \$NF } END { print n }' out)\" = 3 ]"

ok "a line for each stack"		folded jobs stacks
ok "both stacks"			says 'game;main;draw;ioctl;do_syscall_[k];submit_[k] 3'
ok "the process's is not known"		says 'game;[unknown];do_syscall_[k];submit_[k] 1'
ok "the kernel's is not known"		says 'game;main;copy;ioctl;[unknown]_[k] 1'
ok "a thread of the kernel"		says 'llama;do_syscall_[k];submit_[k] 1'
ok "none is known, or recorded"		says 'llama;[unknown] 2'
ok "times"				folded gpu stacks
ok "are in ns"				says 'llama;do_syscall_[k];submit_[k] 4920000'
ok "a job without a time is told"	grep -q '^grtrace: warning: 1 job is not in these lines' err
ok "other jobs are left out"		sh -c "'$grtrace' report --stacks=jobs --comm llama stacks | grep -v ^llama; [ \$? = 1 ]"
ok "CSV has all weights"		run 0 "$grtrace" report --stacks=jobs -f csv stacks
ok "and what is not known"		says 'game,main;draw;ioctl;do_syscall_[k];submit_[k],3,2,2000000,2,1000000'
ok "beside other tables"		sh -c "'$grtrace' report --stacks=jobs --per-ring -f csv stacks | grep -q '^comm,stack,jobs'"
ok "a trace without stacks"		run 0 "$grtrace" report --stacks=jobs chain
ok "is told"				grep -q '^hint: sudo grtrace record --source=bpf --stacks=kernel,user' err
ok "--why names the functions"		sh -c "'$grtrace' report --why 1:2 --steps stacks | grep -q 'submitted by thread [0-9]*, in ioctl < draw < main\$'"
ok "dump shows the numbers"		sh -c "'$grtrace' dump --type stack stacks | grep -q 'STACK  *ctx=1 seqno=1 kernel_stack=0x2 user_stack=0x1\$'"
ok "and the texts"			sh -c "'$grtrace' dump -d stacks | grep -q 'STACK_TEXT  *stack=0x1 text=\"main;draw;ioctl\"'"
ok "an unknown weight"			complains 2 "no weight 'time'" "jobs, gpu or wait" "$grtrace" report --stacks=time stacks
ok "with a table"			complains 2 "nothing beside them" "leave them out" "$grtrace" report --stacks=jobs --per-ring stacks
ok "with jobs"				complains 2 "nothing beside them" "leave them out" "$grtrace" report --stacks=jobs --jobs -f csv stacks

# A slice has the stacks of its jobs, a merged trace those of all.
ok "a slice by ring"			run 0 "$grtrace" slice --ring copy -o part.grt stacks
ok "has its jobs' stacks alone"		sh -c "[ \$('$grtrace' dump --type stack part.grt | grep -c STACK) = 2 ]"
ok "and sums"				sh -c "'$grtrace' report --stacks=jobs part.grt | awk '{ n += \$NF } END { exit n != 3 }'"
ok "a slice by time"			run 0 "$grtrace" slice --until 25us -o part.grt stacks
ok "sums, too"				sh -c "'$grtrace' report --stacks=jobs part.grt > out && grep -qxF 'game;main;draw;ioctl;do_syscall_[k];submit_[k] 2' out"
ok "it is a sound trace"		run 0 "$grtrace" verify part.grt
"$gen" boot other 1000 100 boot.grt || exit 1
ok "a merged trace"			run 0 "$grtrace" merge -o all.grt stacks boot.grt
ok "has the stacks of both"		sh -c "'$grtrace' report --stacks=jobs all.grt | grep -qF 'game;main;draw;ioctl;do_syscall_[k];submit_[k] 3'"

# A stack without a text is not known; verify says so.
perl -0777 -pe 's{(\x0a\xff\x38\x00.{28})\x01}{$1\x07}s' stacks > lost
ok "a stack without a text"		folded jobs lost
ok "is not known"			says 'game;[unknown];do_syscall_[k];submit_[k] 4'
ok "verify tells"			sh -c "'$grtrace' verify lost > out; [ \$? = 1 ] && grep -q '^FAILED *stacks' out"

# record
mkdir -p session && export GRTRACE_DIR="$dir/session"
ok "a stack that nobody knows"		complains 2 "no stack 'hardware'" "record -h" "$grtrace" record --stacks=kernel,hardware
ok "with --summary"			complains 2 "takes no --summary" "record -h" "$grtrace" record --stacks=user --summary
ok "without SUBMIT"			complains 2 "needs SUBMIT" "record -h" "$grtrace" record --stacks=user --type COMPLETE
ok "the module has none"		complains 3 "it records no call stacks" "--source=bpf" "$grtrace" record --stacks=user --source=module
ok "tracefs has none"			complains 3 "it records no call stacks" "--source=bpf" "$grtrace" record --stacks=user --source=tracefs
end
