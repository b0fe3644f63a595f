#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: where types, tracefs or an open kernel is missing, each form of probe says so with one error and a hint, and leaves nothing
# kernels: 6.1
# requires: modules
# vm: own --no-load

# refused CAUSE HINT COMMAND...
refused()
{
	cause=$1 hint=$2
	shift 2
	expect_status 3 "$@"
	expect_eq "errors of '$*'" "$(grep -c '^grtrace: ' "$CASE_TMP/out")" 1
	grep -q "^grtrace: .*$cause" "$CASE_TMP/out" || fail "'$*': $(cat "$CASE_TMP/out")"
	grep -q "^hint: .*$hint" "$CASE_TMP/out" || fail "'$*': $(cat "$CASE_TMP/out")"
}

# all_refused CAUSE HINT: each form
all_refused()
{
	refused "$1" "$2" grtrace probe add vfs_read
	refused "$1" "$2" grtrace probe list
	refused "$1" "$2" grtrace probe del --all
	refused "$1" "$2" grtrace probe --time vfs_read -d 1
	refused "$1" "$2" grtrace probe --graph vfs_read -d 1
	refused "$1" "$2" grtrace record --probe vfs_read -d 1 -o "$CASE_TMP/x.grt"
	[ ! -e "$CASE_TMP/x.grt" ] || fail "there is a file"
}

mount -t securityfs none /sys/kernel/security 2>/dev/null || :

# Without types there are no names of arguments, but registers.
mount -t tmpfs none /sys/kernel/btf
refused "no type information" "CONFIG_DEBUG_INFO_BTF" grtrace probe add vfs_read count
refused "no type information" "CONFIG_DEBUG_INFO_BTF" grtrace probe vars vfs_read
# shellcheck disable=SC2016	# the dollar is of tracefs
grtrace probe add vfs_read 'count=$arg3:u64' >"$CASE_TMP/out" 2>&1 || fail "a number: $(cat "$CASE_TMP/out")"
grtrace probe del vfs_read
umount /sys/kernel/btf

umount /sys/kernel/debug/tracing 2>/dev/null || :
umount /sys/kernel/tracing
mount -t tmpfs none /sys/kernel/debug
all_refused "tracefs is not mounted" "sudo mount -t tracefs nodev /sys/kernel/tracing"
mount -t tracefs none /sys/kernel/tracing
umount /sys/kernel/debug
! grep . "$TRACEFS/dynamic_events" || fail "something is left"
[ -z "$(ls "$TRACEFS/instances")" ] || fail "an instance is left"

echo confidentiality >/sys/kernel/security/lockdown
all_refused "the kernel is locked down (confidentiality)" "lockdown=integrity"
