#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# drivers/gpu/grtrace as a part of Linux 6.1: with its Kconfig and Kbuild in those of the kernel,
# and all of it built in.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"

parts=$(sed -n 's/^config //p' "$GRT_ROOT/drivers/gpu/grtrace/Kconfig" | grep -vE '_(CPU|IRQ)$' | paste -s -d ' ')
readonly parts
tree=$work/linux

# The source from which kernel 'builtin' was built.
unpack()
{
	local package
	"$GRT_VM/kernel" builtin >/dev/null || return
	package=$(echo "$GRTRACE_CACHE"/debs/linux-source-6.1_*.deb)
	package=${package##* }
	mkdir -p "$work/root" "$tree" && dpkg-deb -x "$package" "$work/root" &&
		xz -dc "$work/root/usr/src/"*.tar.xz | tar -x -C "$tree" --strip-components=1
}

# The changes of a kernel patch, besides new files.
add_ours()
{
	cp -r "$GRT_ROOT/include" "$tree/" && cp -r "$GRT_ROOT/drivers" "$tree/" &&
		echo 'obj-y += grtrace/' >>"$tree/drivers/gpu/Makefile" &&
		sed -i 's|^source "drivers/gpu/drm/Kconfig"|&\nsource "drivers/gpu/grtrace/Kconfig"|' \
			"$tree/drivers/video/Kconfig" && grep -q grtrace "$tree/drivers/video/Kconfig"
}

in_tree() { nice make -s -C "$tree" CC=gcc-12 -j"$GRTRACE_JOBS" "$@"; }

# configured VALUE OPTION...: checks the options after setting all of them to VALUE on top of kernel
# builtin
configured()
{
	local value=$1 option missing=0
	shift
	in_tree tinyconfig || return
	cat "$GRT_VM/machine.config" "$GRT_VM/builtin.config" >>"$tree/.config"
	printf "CONFIG_%s=$value\n" "$@" >>"$tree/.config"
	in_tree olddefconfig || return
	for option; do
		grep -xF "CONFIG_$option=$value" "$tree/.config" || { echo "no $option=$value"; missing=1; }
	done
	return $missing
}

# Without this option, none of our options may be available.
without()	# OPTION
{
	# shellcheck disable=SC2086	# words
	configured y $parts || return
	sed -i "s/^CONFIG_$1=y/# CONFIG_$1 is not set/" "$tree/.config"
	in_tree olddefconfig && ! grep '^CONFIG_GRTRACE=' "$tree/.config"
}

compiles()
{
	in_tree KCFLAGS=-Werror drivers/gpu/grtrace/ && [ -s "$tree/drivers/gpu/grtrace/built-in.a" ]
}

# shellcheck disable=SC2086	# words
{
	check "the kernel's source" unpack
	check "it takes ours" add_ours
	check "without DEBUG_FS it is not offered" without DEBUG_FS
	check "without MODULES it is not offered" without MODULES
	check "all can be modules" configured m $parts GRTRACE_CPU
	check "all but grtrace_cpu can be built in" configured y $parts
	check "built in it compiles" compiles
}
end
