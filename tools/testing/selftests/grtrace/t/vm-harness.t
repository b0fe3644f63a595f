#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Proves that the harness can fail: each kind of failure in a guest or in a case is made on purpose,
# and must be recognised. Usage: vm-harness.t [all]; without "all" it leaves out what seldom changes.
# soak/vm-cache.t tests the cache of kernels.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR/../vm
. "$(dirname -- "$0")/../vm/lib.sh"

# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/tap.sh"

# guest ARGUMENTS...: calls vm/run; sets $status and $verdict, and writes $work/out and $work/err
guest()
{
	status=0
	"$GRT_VM/run" --gpu none --verdict "$work/verdict" "$@" >"$work/out" 2>"$work/err" || status=$?
	verdict=$(cat "$work/verdict")
}

everything=${1-}

# told_apart TEXT STATUS VERDICT ARGUMENTS...
told_apart()
{
	local text=$1 want=$2
	shift 2
	guest "${@:2}"
	is "$text" "$status, $verdict" "$want, $1"
}

test_command()
{
	told_apart "a command's exit status comes back" 7 "exit 7" -- 'exit 7'
	told_apart "a command may end like a timeout, and is told apart" 124 "exit 124" -- 'exit 124'
	guest -- 'echo noise >/dev/kmsg; printf "a\r\n\001b"; echo c >&2'
	is "output arrives byte by byte, without the kernel's" "$(od -An -c "$work/out" | tr -d ' \n')" 'a\r\n001bc\n'
	echo in >"$work/in"
	guest --share "$work" -- 'cp /share/in /share/back; echo done'
	is "a shared folder works both ways" "$(cat "$work/back" 2>&1)" in
	# shellcheck disable=SC2016	# for the guest's shell
	guest --smp 3 --mem 700 -- 'nproc; [ "$(sed -n "s/^MemTotal: *\([0-9]*\).*/\1/p" /proc/meminfo)" -lt 716800 ]'
	is "CPUs and memory are what was asked for" "$status $(cat "$work/out")" "0 3"
	guest --icount -- 'nproc'
	is "counting instructions works, with one CPU" "$status $(cat "$work/out")" "0 1"
	guest --gpu virtio -- 'ls /dev/dri'
	is "the virtio GPU is there, and output is no terminal" "$(paste -s -d, "$work/out")" "card0,renderD128"
	guest --no-load -- 'lsmod | grep -c ^grtrace'
	is "without loading, no module of ours is loaded" "$(cat "$work/out")" 0
	guest --no-load -- 'modprobe grtrace && lsmod | grep -o "^grtrace " && rmmod grtrace && lsmod | grep -c ^grtrace'
	is "modprobe and rmmod work in the guest" "$(paste -s -d, "$work/out")" "grtrace ,0"
}

test_trouble()
{
	told_apart "a panic" "$VM_PANICKED" panicked -- 'echo c >/proc/sysrq-trigger'
	told_apart "a warning, though the command was content" "$VM_WARNED" "warned 0" -- \
		'echo "WARNING: CPU: 0 PID: 1 at made/up.c:1" >/dev/kmsg'
	told_apart "a leak that kmemleak found" "$VM_WARNED" "warned 0" -- \
		'echo "kmemleak: 3 new suspected memory leaks (see debugfs)" >/dev/kmsg'
	told_apart "a command that does not end" "$VM_TIMEOUT" timeout --timeout 15 -- 'echo x; sleep 1000'
	is "what it wrote before came through" "$(cat "$work/out")" x
	told_apart "a machine that goes down too early" "$VM_DIED" died -- 'poweroff -f; sleep 100'
	told_apart "a module that cannot be loaded" "$VM_SETUP" setup --append "modprobe.blacklist=x module.sig_enforce=1" -- true
	GRTRACE_QEMU=false told_apart "an emulator that does not start" "$VM_SETUP" setup -- true
	told_apart "a kernel that nobody knows" "$VM_SETUP" setup --kernel 5.10 -- true
	guest --nonsense -- true
	is "wrong usage" "$status" 2
}

# complaints TEXT WANT LINE...: how many lines of a log with these lines are complaints
complaints()
{
	local text=$1 want=$2
	shift 2
	is "$text" "$(printf "[    9.1] %s\r\n" "$@" | "$GRT_SELFTESTS/cases/trouble" 0 | grep -c "\[ *9")" "$want"
}

test_known_trouble()
{
	local cut="------------[ cut here ]------------" end="---[ end trace 0000000000000000 ]---"
	local known="Failed to disarm kprobe-ftrace at f+0x0/0x1 (error -12)" warning="WARNING: CPU: 0 PID: 1 at made/up.c:1"
	complaints "a warning that is known is left out" 0 "x" "$cut" "$known" "$warning" "$end" "y"
	complaints "another one is not, nor the same with another error" 4 "$cut" "x" "$warning" "$end" "$cut" "${known/-12/-22}" "$warning" "$end"
	complaints "nor one that comes after it" 2 "$cut" "$known" "$warning" "$end" "$cut" "$warning" "$end"
	complaints "nor one in the middle of it" 4 "$cut" "$known" "$cut" "$warning" "$warning" "$end"
	complaints "nor one that does not end" 2 "$cut" "$known" "$warning"
}

# accelerator TEXT WANT SCRIPT: the answer if the emulator behaves like SCRIPT, asked twice
accelerator()
{
	local text=$1 want=$2 tried answers
	# shellcheck disable=SC2016	# for the script
	printf '#!/bin/sh\necho tried >>"%s/tried"\nfor log; do :; done\nlog=${log#file:}\n%s\n' "$work" "$3" >"$work/qemu"
	chmod +x "$work/qemu"
	rm -rf "$work/tried" "$work/cache"
	answers=$(for _ in 1 2; do GRTRACE_ACCEL="" GRTRACE_CACHE=$work/cache "$GRT_VM/accelerator" "$work/qemu" kernel; done)
	tried=$(wc -l <"$work/tried")
	is "$text" "$(paste -s -d, <<<"$answers") tried $tried" "$want,$want tried 1"
}

test_accelerator()
{
	# shellcheck disable=SC2016	# for the script
	local boots='echo "VFS: Unable to mount root fs on unknown-block(0,0)" >"$log"'
	if [ ! -w /dev/kvm ]; then
		result ok "KVM is tried before it is used # SKIP no /dev/kvm here to be tried"
		return
	fi
	accelerator "KVM that boots a kernel is used, and tried once" kvm "$boots"
	accelerator "KVM that hangs is not waited for, nor tried again" tcg "$boots; sleep 1000"
	accelerator "KVM that does not boot is not used" tcg "exit 0"
}

# An emulator that aborts during the boot, as often as $work/aborts says; then the real one.
test_abort()
{
	cat >"$work/qemu" <<-END
	#!/bin/sh
	read -r left <"$work/aborts"
	[ "\$left" -gt 0 ] || exec $("$GRT_VM/emulator") "\$@"
	echo \$((left - 1)) >"$work/aborts"
	echo "qemu: file.c:1: f: Assertion \\\`x' failed." >&2
	kill -ABRT \$\$
	END
	chmod +x "$work/qemu"
	echo 1 >"$work/aborts"
	GRTRACE_ACCEL=tcg GRTRACE_QEMU=$work/qemu told_apart "an emulator that aborts is started once more" 5 "exit 5" -- 'exit 5'
	is "and that is told" "$(grep -c 'the emulator aborted during the boot' "$work/err")" 1
	echo 2 >"$work/aborts"
	GRTRACE_ACCEL=tcg GRTRACE_QEMU=$work/qemu told_apart "one that aborts again is a failure" "$VM_SETUP" setup -- true
	cat >"$work/qemu" <<-END
	#!/bin/sh
	read -r left <"$work/aborts"
	[ "\$left" -gt 0 ] || exec $("$GRT_VM/emulator") "\$@"
	echo \$((left - 1)) >"$work/aborts"
	for word; do case \$word in file:*/log) log=\${word#file:} ;; esac; done
	echo "[   23.7] rcu: rcu_preempt kthread starved for 5252 jiffies!" >>"\$log"
	exec sleep 1000
	END
	echo 1 >"$work/aborts"
	GRTRACE_ACCEL=tcg GRTRACE_QEMU=$work/qemu told_apart "so is one that forgets a timer" 5 "exit 5" -- 'exit 5'
	is "and that is told, too" "$(grep -c 'the emulator forgot a timer during the boot' "$work/err")" 1
}

test_cleanup()
{
	local run qemu
	cat >"$work/qemu" <<-END
	#!/bin/sh
	echo \$\$ >"$work/pid"
	exec $("$GRT_VM/emulator") "\$@"
	END
	chmod +x "$work/qemu"
	rm -f "$work/up"
	TMPDIR=$work GRTRACE_QEMU=$work/qemu "$GRT_VM/run" --gpu none --share "$work" -- 'touch /share/up; sleep 1000' \
		>"$work/out" 2>"$work/err" &
	run=$!
	for _ in {1..300}; do [ -e "$work/up" ] && break; sleep 0.1; done
	qemu=$(cat "$work/pid")
	is "the guest is up before the interruption" "$(test -e "$work/up" && test -d "/proc/$qemu" && echo up)" up
	kill -TERM "$run"
	wait "$run"
	is "a terminated run says so" $? 143
	for _ in {1..50}; do [ -d "/proc/$qemu" ] || break; sleep 0.1; done
	is "and leaves no emulator" "$(test -d "/proc/$qemu" && echo alive)" ""
	is "and no files" "$(find "$work" -name 'grtrace-vm.*')" ""
}

test_two_at_once()
{
	local first second
	"$GRT_VM/run" --gpu none -- 'sleep 2; exit 11' >/dev/null 2>"$work/err" & first=$!
	"$GRT_VM/run" --gpu none -- 'sleep 2; exit 12' >/dev/null 2>"$work/err" & second=$!
	wait "$first"
	is "the first of two at once" $? 11
	wait "$second"
	is "the second of two at once" $? 12
}

# case_file NAME HEADER BODY
case_file() { printf '#!/bin/sh\n# description: %s\n%s\n%s\n' "$1" "$2" "$3" >"$work/cases/any/$1.sh"; }

test_cases()
{
	mkdir -p "$work/cases/any"
	cp "$GRT_SELFTESTS"/cases/{run,lib.sh,trouble,known.regex,trouble.regex} "$work/cases/"
	case_file a-good "# requires: mock" 'expect_eq it 1 1'
	case_file b-bad "" 'echo because; sleep 1000 & fail "no good"'
	case_file c-error "" 'cat /nowhere; true'
	case_file d-skip "" 'skip "no need"'
	case_file e-warns "" 'echo "BUG: made up" >/dev/kmsg'
	case_file f-lacks "# requires: no-such-program" true
	case_file g-slow "# timeout: 2" 'sleep 1000'
	# shellcheck disable=SC2016	# for the guest's shell
	case_file h-good "" 'expect_eq "what cases before it left" "$(ps | grep "[s]leep 1000")" ""'
	# shellcheck disable=SC2016	# for the guest's shell
	case_file i-own "# vm: own --smp 1" 'expect_eq cpus "$(nproc)" 1'
	case_file j-dies "# vm: own" 'poweroff -f; sleep 100'
	case_file k-elsewhere "# kernels: 7.x" false
	GRTRACE_CASES=$work/cases "$GRT_VM/check" >"$work/out" 2>"$work/err"
	is "failing cases fail the whole" $? 1
	is "each case is blamed for its own trouble" \
		"$(sed -nE 's/^(ok|not ok) [0-9]+ - ([a-z]-[a-z]+).*/\1 \2/p' "$work/out" | paste -s -d,)" \
		"ok a-good,not ok b-bad,not ok c-error,ok d-skip,not ok e-warns,not ok f-lacks,not ok g-slow,ok h-good,ok i-own,not ok j-dies"
	is "the plan counts every case, and every machine" \
		"$(sed -n 2p "$work/out") $(grep -cE '^(not )?ok ' "$work/out")" "1..13 13"
	is "a skip says why" "$(grep -c '^ok .*d-skip # SKIP no need$' "$work/out")" 1
	is "a failure shows what the case wrote" "$(grep -c '^# because$' "$work/out")" 1
	is "a case for another kernel has no turn, and that is told" "$(grep -c '^# not on 6.1: k-elsewhere$' "$work/out")" 1
	rm "$work"/cases/any/[b-k]-*.sh
	if [ -n "$everything" ]; then
		# shellcheck disable=SC2016	# for the guest's shell
		case_file b-stops "" 'for pid in $(pidof timeout); do kill -STOP $pid; done; sleep 1000'
		GRTRACE_CASES=$work/cases "$GRT_VM/check" >"$work/out" 2>"$work/err"
		is "a guest from which nothing comes is ended" \
			"$(sed -nE 's/^not ok [0-9]+ - (b-stops|kernel).*: /\1 /p' "$work/out" | paste -s -d,)" \
			"b-stops no result, the machine's verdict is 'silent for 600 s',kernel silent for 600 s"
		rm "$work"/cases/any/b-*.sh
	fi
	GRTRACE_CASES=$work/cases "$GRT_VM/check" >"$work/out" 2>"$work/err"
	is "good cases pass" $? 0
}

if ! "$GRT_VM/build" 6.1 >"$work/out" 2>"$work/err"; then
	result "not ok" "the guest is built"
	end
	exit 1
fi
if [ -n "$everything" ]; then
	test_command
	test_accelerator
	test_trouble
	test_abort
	test_two_at_once
fi
test_known_trouble
test_cleanup
test_cases
end
