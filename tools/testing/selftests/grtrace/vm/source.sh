# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Builds a kernel from Debian's source with the options in NAME.config. Sourced by vm/kernel after
# packages.sh; uses its variables.
# shellcheck disable=SC2154

# Options on top of the smallest configuration: those that all have, and for debug-7.x those of
# debug and debug-7.x; a line with '-' in the latter removes an option.
options()
{
	local name files=()
	for name in machine "${series%%-*}" "$series"; do
		[[ " ${files[*]} " == *"/$name.config "* ]] || files+=("$GRT_VM/$name.config")
	done
	cat "${files[@]}" | grep -vxFf <(sed -n 's/^-//p' "${files[@]}") | grep -v '^-'
}

# The inputs of the build, besides the packages.
recipe()
{
	local sum
	sum=$({ declare -f configure make_kernel build_tree strip_tree; options; gcc-12 -dumpfullversion; } | sha256sum)
	printf '# built as in %s\n' "${sum:0:16}"
}

source_rows()
{
	local package
	package=$(apt_names "${pattern%%[\\\[]*}" | grep -xE "$pattern" | sort -V | tail -n 1)
	[ -n "$package" ] && apt_rows "$package" && recipe
}

need_programs_of_source()
{
	local program
	for program in gcc-12 make flex bison bc; do need_program "$program"; done
	[ -f /usr/include/libelf.h ] || die "the headers of libelf are not installed" "sudo apt-get install libelf-dev"
}

# One build of a kernel at a time; builds of other kernels do not wait.
lock_source() { exec 8>"$GRTRACE_CACHE/$series/lock"; flock 8; }

make_kernel()	# TREE TARGET...
{
	KBUILD_BUILD_USER=grtrace KBUILD_BUILD_HOST=localhost KBUILD_BUILD_TIMESTAMP=@0 \
		nice -n 5 make -s -C "$1" CC=gcc-12 -j"$GRTRACE_JOBS" "${@:2}" >"$1.log" 2>&1 && return
	tail -n 40 "$1.log" >&2
	return 1
}

unpack_source()	# FOLDER TREE ROWS-FILE
{
	local file sum view archive
	rm -rf "$1"
	mkdir -p "$1/root" "$2"
	while read -r file sum view; do
		[ "$file" != '#' ] || continue
		fetch_deb "$file" "$sum" "$view" || return 1
		note "unpacking $file"
		dpkg-deb -x "$debs/$file" "$1/root" || return 1
	done <"$3"
	archive=$(echo "$1/root/usr/src/linux-source-"*.tar.xz)
	xz -dc "$archive" | tar -x -C "$2" --strip-components=1 || return 1
	rm "$archive"
	touch "$1/unpacked"
}

# Kconfig silently drops options that are not possible, and then a check would be missing.
configure()	# TREE
{
	local dropped
	make_kernel "$1" tinyconfig || return 1
	options >>"$1/.config"
	make_kernel "$1" olddefconfig || return 1
	dropped=$(options | grep -E '^(# )?CONFIG_' | grep -vxFf "$1/.config")
	[ -z "$dropped" ] || { note "$GRT_ME: the kernel does not take: $dropped"; return 1; }
}

# Building modules needs only a tenth of the tree.
strip_tree()	# TREE
{
	find "$1" -mindepth 1 -maxdepth 1 ! -name arch ! -name include ! -name scripts ! -name tools \
		! -name Makefile ! -name Kbuild ! -name .config ! -name Module.symvers ! -name System.map -exec rm -rf {} +
	find "$1/arch" -mindepth 1 -maxdepth 1 ! -name x86 ! -name Kconfig -exec rm -rf {} +
	find "$1/tools" -mindepth 1 -maxdepth 1 ! -name objtool -exec rm -rf {} +
	find "$1/arch" "$1/tools" -name '*.[oa]' -delete
}

build_tree()	# FOLDER TREE
{
	[ -f "$1/configured" ] || { configure "$2" && touch "$1/configured"; } || return 1
	note "building kernel $series: this takes ten minutes, once"
	make_kernel "$2" bzImage modules || return 1
	make_kernel "$2" modules_install INSTALL_MOD_PATH="$1/root" INSTALL_MOD_STRIP=1 || return 1
	# not the ELF: its entry code runs before KASAN has its memory and would be checked, too
	cp "$2/arch/x86/boot/bzImage" "$1/bzImage" || return 1
	strip_tree "$2"
}

# build_source ROWS-FILE FOLDER. Continues an interrupted build; if that fails, starts again. The
# list of packages is written last and marks the folder as complete.
build_source()
{
	local tree=$2/root/usr/src/linux resumed=y
	[ ! -f "$2/packages" ] || rm -rf "$2"
	if [ ! -f "$2/unpacked" ]; then
		resumed=""
		unpack_source "$2" "$tree" "$1" || return 1
	fi
	exec 9>&-
	if ! build_tree "$2" "$tree"; then
		[ -n "$resumed" ] || die "kernel $series cannot be built" "the log is '$tree.log'"
		note "$GRT_ME: what was there of it is thrown away"
		unpack_source "$2" "$tree" "$1" || return 1
		build_tree "$2" "$tree" || die "kernel $series cannot be built" "the log is '$tree.log'"
	fi
	rm -f "$2/unpacked" "$2/configured"
	cp "$1" "$2/packages" && sync -f "$2"
}

# Another list of options or another compiler needs another kernel.
is_as_told() { [ "$kind" != source ] || grep -qxF "$(recipe)" "$current"; }
