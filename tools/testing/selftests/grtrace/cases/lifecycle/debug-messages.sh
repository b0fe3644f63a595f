#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: with "module grtrace +p" the kernel's log tells of load, start, stop and reset, one line each; without it says nothing
# kernels: 6.1
# requires: modules
# vm: own
DEBUG=/sys/kernel/debug/dynamic_debug/control
[ -w $DEBUG ] || skip "this kernel has no dynamic debug"

# told FROM: the lines of grtrace behind that marker
mark() { echo "debug-messages: $1" >/dev/kmsg; }
told() { dmesg | awk -v mark="debug-messages: $1" 'index($0, mark) { seen = 1; next } seen && /grtrace: /'; }
# told_once FROM WORDS
told_once() { expect_eq "lines of '$2' behind '$1'" "$(told "$1" | grep -c -- "$2")" 1; }

grep -q '\[grtrace\]' $DEBUG || fail "dynamic debug knows no message of grtrace"
mark silent
session_start
session_stop
expect_eq "lines while they are off" "$(told silent | grep -c .)" 0

echo "module grtrace +p" >$DEBUG
mark start
session_start buffer_size=128K
told_once start "session $(stat session_id) starts.*131072 bytes"
mark reset-running
ctl reset
told_once reset-running "reset: the statistics"
mark stop
session_stop
told_once stop "session $(stat session_id) stops"
mark reset
ctl reset
told_once reset "reset: the buffers"
mark again
ctl stop
echo 'no such word' 2>/dev/null >"$GRT_DIR/control" && fail "a word that is none was taken"
expect_eq "lines where nothing was done" "$(told again | grep -c .)" 0

# The load: the option of the module, since it is not there to be asked for before.
echo "module grtrace -p" >$DEBUG
sed -n "s/^\(grtrace_[a-z_]*\) .*/\1/p" /proc/modules | xargs rmmod
rmmod grtrace
mark load
modprobe grtrace dyndbg=+p
told_once load "loaded"
