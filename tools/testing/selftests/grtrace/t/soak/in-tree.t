#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# grtrace as a part of Linux: the series of 'make patches', in the source of 6.1 and 7.x. Each patch
# compiles; the kernel boots with all of it built in and as modules, and records the same there.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"

# The truth about the mock GPU's jobs, hangs, and a program's marks; cases that load no module.
readonly cases=(agrees-with-mock-log timeouts-are-told marks-are-recorded every-ending-of-a-job
	every-file-and-key-is-typed)
kernel=6.1
tree() { echo "$GRTRACE_BUILD/in-tree-$kernel/linux"; }
in_tree() { nice make -s -C "$(tree)" CC=gcc-12 -j"$GRTRACE_JOBS" "$@"; }
parts() { sed -n 's/^config //p' "$(tree)/drivers/gpu/grtrace/Kconfig"; }

# After each patch: with all options that exist by then. The folder compiles, or is not yet there.
apply_each()
{
	: >"$work/compiled"
	export kernel compiled=$work/compiled vm=$GRT_VM jobs=$GRTRACE_JOBS
	# shellcheck disable=SC2016	# for the shell that runs it
	"$GRT_VM/in-tree" "$kernel" apply '
		[ -f drivers/gpu/grtrace/Kconfig ] || exit 0
		"$vm/in-tree" "$kernel" config y &&
			make -s CC=gcc-12 -j"$jobs" KCFLAGS=-Werror drivers/gpu/grtrace/ drivers/gpu/drm/scheduler/ &&
			[ -s drivers/gpu/grtrace/built-in.a ] && echo "$PATCH" >>"$compiled"' &&
		[ "$(wc -l <"$work/compiled")" -gt "$(parts | wc -l)" ]
}

# Without this option, none of ours may be offered.
without()	# OPTION
{
	"$GRT_VM/in-tree" "$kernel" config y && sed -i "s/^CONFIG_$1=y/# CONFIG_$1 is not set/" "$(tree)/.config" &&
		in_tree olddefconfig && ! grep '^CONFIG_GRTRACE=' "$(tree)/.config"
}

# The other name of GRTRACE_SAMPLING selects it.
other_name()
{
	"$GRT_VM/in-tree" "$kernel" config m && sed -i '/CONFIG_GRTRACE_SAMPLING\b/d' "$(tree)/.config" &&
		echo '# CONFIG_GRTRACE_SAMPLING is not set' >>"$(tree)/.config" && in_tree olddefconfig &&
		grep -x 'CONFIG_GRTRACE_SAMPLING=m' "$(tree)/.config"
}

# Where 'make menuconfig' shows it: inside of the menu of Graphics
is_under_graphics()
{
	awk '/^menu "Graphics support"/ { inside = 1 } /^endmenu/ { inside = 0 }
		inside && /grtrace\/Kconfig/ { found = 1 } /^menu/ && !/Graphics/ { inside = 0 }
		END { exit !found }' "$(tree)/drivers/video/Kconfig"
}

# Each patch, without an exception besides those in t/checkpatch
no_objections()
{
	local found
	found=$("$GRT_SELFTESTS/t/checkpatch" "$(tree)" "$GRTRACE_BUILD/patches-$kernel"/*[0-9]-[!c]*.patch 2>&1)
	echo "$found"
	[ -z "$found" ]
}

maintained()
{
	cd "$(tree)" && perl scripts/get_maintainer.pl --no-git --no-rolestats -f drivers/gpu/grtrace/main.c \
		include/uapi/linux/grtrace.h Documentation/gpu/grtrace/index.rst | grep dri-devel
}

modules_only()	# what 'make M=drivers/gpu/grtrace' in a kernel's source does
{
	in_tree M=drivers/gpu/grtrace && [ -s "$(tree)/drivers/gpu/grtrace/grtrace.ko" ]
}

for kernel in 6.1 7.x; do
	suffix=""
	[ "$kernel" = 6.1 ] || suffix=-7.x
	check "$kernel: the series applies, and compiles after each patch" apply_each
	check "$kernel: it is under Graphics support" is_under_graphics
	check "$kernel: without DEBUG_FS it is not offered" without DEBUG_FS
	check "$kernel: without MODULES it is not offered" without MODULES
	check "$kernel: GRTRACE_SAMPLER selects GRTRACE_SAMPLING" other_name
	check "$kernel: checkpatch --strict has no objections" no_objections
	check "$kernel: get_maintainer.pl finds its entry" maintained
	check "$kernel: the kernel with all of it built in" "$GRT_VM/in-tree" "$kernel" build y
	check "$kernel: built in, it records the truth, and hangs" "$GRT_VM/check" --kernel "in-tree$suffix" "${cases[@]}"
done
kernel=6.1
check "6.1: the kernel with all of it as modules" "$GRT_VM/in-tree" 6.1 build m
check "6.1: make M=drivers/gpu/grtrace" modules_only
check "6.1: as modules, it records the truth, and hangs" "$GRT_VM/check" --kernel in-tree-m "${cases[@]}" recovery-is-promised-where-it-is-seen
# There the bridge of this tree finds the tracepoints, and could set kprobes as well.
check "6.1: with tracepoints and kprobes, there is one ERROR for each" \
	env GRTRACE_OURS=1 "$GRT_VM/check" --kernel in-tree-m timeouts-are-told
end
