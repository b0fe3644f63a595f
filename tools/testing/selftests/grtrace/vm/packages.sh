# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Debian packages into a cache, without installing them.  Sourced after lib.sh.

debs=$GRTRACE_CACHE/debs

# Two clones may want the same package at once; the second finds the work done.
lock_cache()
{
	mkdir -p "$debs"
	exec 9>"$GRTRACE_CACHE/lock"
	flock 9
}

# Prints "NAME_VERSION_ARCH.deb SHA256" for each package, or fails.
apt_rows()
{
	apt-get download --print-uris "$@" 2>/dev/null |
		sed -nE "s/^'[^']*' ([^ ]+) [0-9]+ SHA256:([0-9a-f]+)$/\1 \2/p" |
		awk -v want=$# '{ print } END { exit NR != want }'
}

has_sum() { [ -f "$1" ] && [ "$(sha256sum <"$1" | cut -d' ' -f1)" = "$2" ]; }

# fetch_deb FILE SHA256.  Only a file with the right checksum gets its final name.
fetch_deb()
{
	local file=$1 sum=$2 name version
	has_sum "$debs/$file" "$sum" && return
	rm -f "$debs/$file"
	name=${file%%_*} version=${file#*_} version=${version%_*}
	note "downloading $file"
	mkdir -p "$debs/partial"
	if ! (cd "$debs/partial" && apt-get -qq -o APT::Sandbox::User="$(id -un)" \
			download "$name=${version//%3a/:}") >&2; then
		return 1
	fi
	if ! has_sum "$debs/partial/$file" "$sum"; then
		rm -f "$debs/partial/$file"
		note "$file: wrong checksum, thrown away"
		return 1
	fi
	mv "$debs/partial/$file" "$debs/$file"
}
