#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The plain call of kbuild, without scripts/build-modules: make -C HEADERS M=drivers/gpu/grtrace. What
# it leaves in the sources is ignored by git, and 'make clean' removes it. Runs in a copy of the
# sources, without the mock GPU, which would take as long again.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"

places=$("$GRT_VM/kernel" 6.1) || exit
eval "$places"
copy=$work/copy driver=$work/copy/drivers/gpu/grtrace

copy_sources()
{
	mkdir "$copy" && cd "$GRT_ROOT" && scripts/list-files Makefile .gitignore include drivers |
		xargs -0 cp --parents -t "$copy" && cd "$copy" && git init -q && git add -A
}

plain_call()
{
	make -C "$KSOURCE" O="$KOBJ" M="$driver" CC=gcc-12 CONFIG_GRTRACE_MOCK=n CONFIG_DEBUG_INFO= -j"$GRTRACE_JOBS" "$@"
}

has_modules()
{
	local name missing=0 cnt=0
	while read -r name; do
		cnt=$((cnt + 1))
		[ -s "$driver/$name.ko" ] || { echo "no $name.ko"; missing=1; }
	done < <(sed -nE 's/^obj-\$\(CONFIG_GRTRACE[A-Z0-9_]*\) \+= (.*)\.o$/\1/p' "$driver/Kbuild" | grep -vx grtrace_mock)
	[ "$cnt" -gt 10 ] && [ "$missing" -eq 0 ]
}

git_sees() { git -C "$copy" status --porcelain "$@" | grep -v '^A '; }
is_ignored() { git_sees --ignored >"$work/seen"; grep '^!!' "$work/seen" && ! git_sees; }
is_clean() { make -C "$copy" clean && ! git_sees --ignored; }

check "the sources" copy_sources
check "make M=drivers/gpu/grtrace" plain_call
check "it makes each module" has_modules
check "git ignores what it leaves" is_ignored
check "modules_install puts them into updates" \
	plain_call INSTALL_MOD_PATH="$work/root" INSTALL_MOD_DIR=updates CONFIG_MODULE_SIG_ALL= modules_install
is "and there is" "$(find "$work/root" -path '*/updates/*' -name grtrace.ko | wc -l)" 1
check "make clean removes what it left" is_clean
end
