# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Programs for guests of another machine: Debian's packages for it, unpacked where its kernel is. The
# guest runs some of them, and the programs of this tree are linked with the libraries. Nothing of
# them runs here. Sourced by vm/kernel after packages.sh and apt.sh; uses its variables.
# shellcheck disable=SC2154

# What the guest runs, and then the libraries for programs, as in scripts/packages.
foreign_packages="busybox-static kmod trace-cmd bpftool
	libc6-dev libxxhash-dev libtracecmd-dev libtracefs-dev libtraceevent-dev libbpf-dev libdrm-dev
	libarchive-dev libelf-dev libmicrohttpd-dev libncurses-dev libprotobuf-c-dev libsqlite3-dev
	zlib1g-dev"

# The same as apt_rows prints, with all that these packages depend on.
foreign_rows()
{
	local plan
	# shellcheck disable=SC2086	# words
	second_view && plan=$(private_apt_plan "$second_apt" "$second_apt/status" $foreign_packages) && apt_rows $plan
}

# Makes the unpacked packages a folder for --sysroot: everything is below /usr, as in an installed
# Debian, and no library is a link that leaves the folder.
merge_usr()	# ROOT
{
	local name link
	for name in bin sbin lib; do
		if [ ! -d "$1/$name" ] || [ -L "$1/$name" ]; then continue; fi
		cp -al "$1/$name/." "$1/usr/$name/" && rm -rf "${1:?}/$name" && ln -s "usr/$name" "$1/$name" || return 1
	done
	find "$1/usr/lib" -maxdepth 2 -lname '/lib/*' | while read -r link; do
		ln -sfn "$(basename "$(readlink "$link")")" "$link" || return 1
	done
}
