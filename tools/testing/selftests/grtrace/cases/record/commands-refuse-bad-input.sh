#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the commands meet bad input with one error, a hint and the right exit status; without the module too
# kernels: 6.1
# requires: grtrace
# vm: own
cd "$CASE_TMP" || exit

# refused STATUS COMMAND...: this exit status, one error line, a hint where set-up or
# trace is at fault, nothing on standard output
refused()
{
	want=$1 got=0
	shift
	"$@" >out 2>err || got=$?
	[ "$got" -eq "$want" ] || { cat out err; fail "'$*' ended with $got, expected $want"; }
	expect_eq "error lines of '$*'" "$(grep -c '^grtrace' err)" 1
	grep -q 'hint: ' err || { cat err; fail "'$*' gave no hint"; }
	[ ! -s out ] || { cat out; fail "'$*' wrote to standard output"; }
}

session_start
echo 'submit 7 gfx 900 1 count=2000' >"$GRT_DIR/emit"
echo 'complete 7 gfx 900 1 count=2000' >"$GRT_DIR/emit"
expect_status 0 grtrace record -o good.grt -d 100ms
session_stop

: >empty.grt
head -c 20000 /dev/urandom >random.grt
head -c 3 good.grt >stub.grt
refused 4 grtrace report empty.grt
refused 4 grtrace report random.grt
refused 4 grtrace dump stub.grt
refused 4 grtrace dump empty.grt
refused 3 grtrace report no-such-file.grt
refused 3 grtrace dump "$CASE_TMP"
refused 2 grtrace repotr
refused 2 grtrace report --no-such-option
refused 2 grtrace dump --format yaml good.grt
refused 2 grtrace record -d soon
refused 2 grtrace record -b 12Q
refused 2 grtrace config no_such_key=1
refused 2 grtrace config buffer_size=1
refused 2 grtrace config buffer_size=lots
expect_status 0 grtrace stop	# nothing runs, so it is as asked for
expect_eq control "$(cat "$GRT_DIR/control")" stopped

# Cut anywhere: the intact part is read, with a warning; or one clear error.
size=$(wc -c <good.grt)
for part in 10 30 50 70 90 99; do
	head -c $((size * part / 100)) good.grt >cut.grt
	got=0
	grtrace dump --format csv cut.grt >out 2>err || got=$?
	case $got in
	0 | 4) ;;
	*) cat err; fail "a file cut at $part % ended with $got" ;;
	esac
	[ -s err ] || fail "a file cut at $part % went without a word"
done

sed -n "s/^\(grtrace_[a-z_]*\) .*/\1/p" /proc/modules | grep -vx grtrace_mock | xargs rmmod
rmmod grtrace
for command in 'record --source=module' start stop status config; do
	# shellcheck disable=SC2086	# a command and its option
	refused 3 grtrace $command
	grep -q 'modprobe grtrace' err || { cat err; fail "$command does not say what to load"; }
done
