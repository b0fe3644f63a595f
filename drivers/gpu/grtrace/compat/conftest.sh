#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# conftest.sh PROBES OUT CC FLAGS...
#
# Compiles every PROBES/NAME.c with exactly the compiler and flags of the calling
# build, and writes OUT/generated.h: GRT_HAVE_NAME is defined for each probe that
# compiled.  Distributions backport API changes into stable kernels, so trust only
# the headers of the target kernel, never its version.
#
# The results are kept until the compiler, the flags, a probe or a header that a
# probe includes changes; checking that takes a few milliseconds.  generated.h is
# written only when a result differs, so that nothing is rebuilt without need.
# generated.log says why a probe did not compile.
set -u

[ $# -ge 3 ] || { echo "usage: conftest.sh PROBES OUT CC FLAGS..." >&2; exit 2; }
probes=$1 out=$2
shift 2

die()
{
	echo "grtrace: conftest: $*" >&2
	exit 1
}

# An interrupted run must not leave a key for incomplete results, so everything is
# made in a scratch folder and the key is stored last.
mkdir -p "$out" || die "cannot create '$out'"
work=$(mktemp -d "$out/generated.XXXXXX") || die "cannot write in '$out'"
trap 'rm -rf "$work"' EXIT

# Every folder that the compiler searches, in its order.
include_dirs()
{
	while [ $# -gt 0 ]; do
		case $1 in
		-I)	[ $# -gt 1 ] && echo "$2" ;;
		-I*)	echo "${1#-I}" ;;
		esac
		shift
	done
}

# The files of all headers that can change a result.
probed_headers()
{
	wanted=$(sed -n 's/^#include <\(.*\)>.*/\1/p' "$probes"/*.c | sort -u)

	for dir in $(include_dirs "$@"); do
		for header in $wanted generated/autoconf.h generated/compile.h \
			      generated/utsrelease.h; do
			[ -f "$dir/$header" ] && echo "$dir/$header"
		done
	done
}

make_key()
{
	echo "$*"
	$1 --version 2>&1 | head -n 1
	# shellcheck disable=SC2046 # kbuild refuses paths with spaces
	cksum "$0" "$probes"/*.c $(probed_headers "$@") | sed "s|$probes/||"
}

# compile NAME CC FLAGS...: leaves NAME.yes or NAME.no, and the compiler's words
compile()
{
	name=$1
	shift
	# A probe with a wrong argument type must fail, so the warnings about types are made
	# errors.  Other warnings, such as those of W=1, do not fail a probe.
	if "$@" -Wno-error -Werror=implicit-function-declaration \
	   -Werror=int-conversion -Werror=incompatible-pointer-types \
	   -DKBUILD_BASENAME='"probe"' -DKBUILD_MODNAME='"probe"' \
	   -fsyntax-only "$probes/$name.c" >"$work/$name.log" 2>&1; then
		: >"$work/$name.yes"
	else
		: >"$work/$name.no"
	fi
}

run_probes()
{
	# CC may be two words, such as "ccache gcc".
	cc=$1
	shift
	parallel=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
	running=0
	for file in "$probes"/*.c; do
		name=${file##*/}
		# shellcheck disable=SC2086
		compile "${name%.c}" $cc "$@" &
		running=$((running + 1))
		[ $((running % parallel)) -eq 0 ] && wait
	done
	wait
}

# Two probes have a known result.  They tell a kernel without features from a
# broken compiler or missing headers, where no other probe would compile either.
check_controls()
{
	if [ ! -e "$work/control_yes.yes" ]; then
		cat "$work/control_yes.log" >&2
		die "not even '$probes/control_yes.c' compiles with this kernel's headers
hint: install the headers of this kernel: apt-get install linux-headers-\$(uname -r)"
	fi
	[ -e "$work/control_no.no" ] ||
		die "'$probes/control_no.c' compiled: this compiler accepts anything"
}

write_header()
{
	echo "/* Made by conftest.sh for one kernel: do not edit. */"
	for file in "$probes"/*.c; do
		name=${file##*/} name=${name%.c}
		upper=$(echo "$name" | tr '[:lower:]' '[:upper:]')
		case $name in
		control_*)	continue ;;
		esac
		if [ -e "$work/$name.yes" ]; then
			echo "#define GRT_HAVE_$upper 1"
		else
			echo "/* GRT_HAVE_$upper is not set */"
		fi
	done
}

write_log()
{
	for file in "$work"/*.no; do
		name=${file##*/} name=${name%.no}
		echo "== $name: no"
		cat "$work/$name.log"
	done
}

# kbuild may say " gcc" or "ccache gcc".
# shellcheck disable=SC2086
compiler=$(set -- $1 && echo "$1")
command -v "$compiler" >/dev/null || die "no compiler '$compiler', which built this kernel
hint: apt-get install ${compiler##*-linux-gnu-}, or name yours: make CC=gcc"
make_key "$@" >"$work/key"
if [ -f "$out/generated.h" ] && cmp -s "$work/key" "$out/generated.key"; then
	exit 0
fi

rm -f "$out/generated.key"
run_probes "$@"
check_controls
write_header >"$work/generated.h"
write_log >"$out/generated.log"
cmp -s "$work/generated.h" "$out/generated.h" ||
	mv "$work/generated.h" "$out/generated.h" || die "cannot write '$out'"
mv "$work/key" "$out/generated.key" || die "cannot write '$out'"
