#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# 'make patches' for 6.1: the series applies, has all that it should and nothing that tells kernels
# apart, and the kernel's own check of patches has no objections. soak/in-tree.t builds it.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"

readonly who="A Person <person@example.org>"
patches=$work/patches tree=$work/linux driver=$work/linux/drivers/gpu/grtrace
linux=$("$GRT_ROOT/scripts/kernel-source" 6.1) || exit

make_them()
{
	PATCH_AUTHOR=$who "$GRT_ROOT/scripts/make-patches" -k 6.1 "$patches" && [ -f "$patches/0000-cover-letter.patch" ]
}

# Only the files of the kernel that a series changes are there.
apply()
{
	cp -r "$linux" "$tree" && rm -rf "$tree/scripts" && cd "$tree" && git init -q && git add -A || return
	git -c user.name=x -c user.email=x@x commit -q -m base &&
	git -c user.name=x -c user.email=x@x am --whitespace=error --empty=drop "$patches"/*.patch &&
		! git status --porcelain | grep .
}

# Each C file of ours, with the same name
has_all_files()
{
	local file missing=0 cnt=0
	while read -r file; do
		cnt=$((cnt + 1))
		[ -f "$tree/$file" ] || { echo "the series has no '$file'"; missing=1; }
	done < <("$GRT_ROOT/scripts/list-files" drivers/gpu/grtrace include | tr '\0' '\n' | grep '\.[ch]$' | grep -v /compat/)
	[ "$cnt" -gt 100 ] && [ "$missing" -eq 0 ]
}

# Each option comes with a patch of its own, with its modules, and Kconfig asks for it under Graphics.
has_all_options()
{
	local option missing=0
	while read -r option; do
		grep -q "^config $option\$" "$driver/Kconfig" || { echo "no option $option"; missing=1; }
	done < <(sed -n 's/^config //p' "$GRT_ROOT/drivers/gpu/grtrace/Kconfig")
	grep -q '^source "drivers/gpu/grtrace/Kconfig"' "$tree/drivers/video/Kconfig" || missing=1
	sed -n '/^config GRTRACE$/,/^$/p' "$driver/Kconfig" | grep -xF '	tristate "GPU ring trace (grtrace)"' || missing=1
	diff <(grep -oE '\bgrtrace_[a-z0-9_]+\.o\b' "$GRT_ROOT/drivers/gpu/grtrace/Kbuild" | sort -u) \
		<(grep -oE '\bgrtrace_[a-z0-9_]+\.o\b' "$driver/Makefile" | sort -u) && [ "$missing" -eq 0 ]
}

knows_one_kernel()
{
	[ ! -e "$driver/compat" ] && [ ! -e "$driver/Kbuild" ] && [ -s "$driver/Makefile" ] &&
		! grep -rnE 'compat/|conftest|GRT_HAVE_|GRT_QUIRK_|LINUX_VERSION_CODE|KERNEL_VERSION|OUT_OF_TREE|KBUILD_EXTMOD|kprobe[a-z_]*(\(&|\.symbol)' \
			"$driver" "$tree"/include --include='*.[ch]' --include=Makefile --include=Kconfig | grep -v '/mock/obstacle\.c:\|/kprobes\.c:'
}

is_signed()
{
	local patch
	for patch in "$patches"/*[0-9]-[!c]*.patch; do
		if ! grep -qxF "From: $who" "$patch" || ! grep -qxF "Signed-off-by: $who" "$patch"; then
			echo "$patch is not signed"
			return 1
		fi
	done
	[ "$(grep -l '^Subject: \[RFC PATCH ' "$patches"/*.patch)" = "$(find "$patches" -name '*.patch' | sort | tail -n 1)" ]
}

# Each file that the series adds is someone's.
has_maintainer()
{
	local pattern file others
	others=$(cd "$tree" && git diff --diff-filter=A --name-only HEAD~"$(find "$patches" -name '0*.patch' | wc -l | awk '{ print $1 - 1 }')")
	[ -n "$others" ] || return
	while read -r pattern; do
		others=$(while read -r file; do
			# shellcheck disable=SC2053	# a pattern
			[[ $file == ${pattern%/}* ]] || echo "$file"
		done <<<"$others")
	done < <(sed -n '/^GRTRACE (/,/^$/s/^F:\t//p' "$tree/MAINTAINERS")
	echo "$others"
	[ -z "$others" ]
}

# scripts/lint checks the C files, and soak/in-tree.t all patches: here the small ones.
objections() { find "$patches" -name '*.patch' ! -name '0000-*' -size -16k -exec "$GRT_SELFTESTS/t/checkpatch" "$linux" {} +; }
no_objections()
{
	local found
	found=$(objections 2>&1)
	echo "$found"
	[ -z "$found" ]
}

# The check itself must notice something.
objects_to()
{
	sed 's/^+#include <linux\/module.h>$/& /' "$patches"/0012-*.patch >"$work/0012-bad.patch" &&
		! patches=$work no_objections
}

bad_author() { ! PATCH_AUTHOR=nobody "$GRT_ROOT/scripts/make-patches" -k 6.1 "$work/none" && [ ! -e "$work/none/0000-cover-letter.patch" ]; }
no_source() { ! "$GRT_ROOT/scripts/make-patches" "$work/none" "$work/out" 2>"$work/err" && grep -q 'is no source of Linux' "$work/err"; }

check "the patches for 6.1" make_them
check "they apply" apply
check "they have each file" has_all_files
check "they have each option and module, and Kconfig asks for them" has_all_options
check "nothing in them tells kernels apart, and there is no kprobe on the scheduler" knows_one_kernel
check "each is signed, and the last is for comments" is_signed
check "each file has a maintainer" has_maintainer
check "checkpatch --strict has no objections" no_objections
check "checkpatch objects to a bad one" objects_to
check "an author without an address is refused" bad_author
check "a folder that is no kernel is refused" no_source
end
