# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Downloads Debian packages into a cache, without installing them. Sourced after lib.sh.

debs=$GRTRACE_CACHE/debs
# The apt to ask: this machine's, or the second view of the archive (apt.sh).
apt_config=()

# Two clones may want the same package at once; the second one finds it in the cache.
lock_cache()
{
	mkdir -p "$debs"
	exec 9>"$GRTRACE_CACHE/lock"
	flock 9
}

apt_names() { apt-cache "${apt_config[@]}" pkgnames "$1" 2>/dev/null; }

# The parts into which Debian splits these kernel packages.
apt_parts()	# PACKAGE...
{
	apt-cache "${apt_config[@]}" depends "$@" 2>/dev/null |
		sed -nE 's/^[ |]*Depends: (linux-(headers|kbuild|binary|modules|base)-[0-9].*)/\1/p' | sort -u
}

# Prints "NAME_VERSION_ARCH.deb SHA256 [second]" for each package, or fails; the word "second" marks
# the second view of the archive.
apt_rows()
{
	local view=${apt_config:+ second}

	apt-get "${apt_config[@]}" download --print-uris "$@" 2>/dev/null |
		sed -nE "s/^'[^']*' ([^ ]+) [0-9]+ SHA256:([0-9a-f]+)$/\1 \2$view/p" |
		awk -v want=$# '{ print } END { exit NR != want }'
}

has_sum() { [ -f "$1" ] && [ "$(sha256sum <"$1" | cut -d' ' -f1)" = "$2" ]; }

# fetch_deb FILE SHA256 [second].  Only a file with the right checksum gets its final name.
fetch_deb()
{
	local file=$1 sum=$2 name version config=()
	has_sum "$debs/$file" "$sum" && return
	rm -f "$debs/$file"
	[ -z "${3-}" ] || config=(-c "$second_apt/apt.conf")
	name=${file%%_*} version=${file#*_} version=${version%_*}
	note "downloading $file"
	mkdir -p "$debs/partial"
	if ! (cd "$debs/partial" && apt-get -qq "${config[@]}" -o APT::Sandbox::User="$(id -un)" \
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

# fetch_debs ROWS-FILE: the same for many files. apt gets all missing ones at once, and keeps what
# it has when it is interrupted.
fetch_debs()
{
	local file sum view version config=() wanted=()
	while read -r file sum view; do
		has_sum "$debs/$file" "$sum" && continue
		version=${file#*_} version=${version%_*}
		wanted+=("${file%%_*}=${version//%3a/:}")
		[ -z "$view" ] || config=(-c "$second_apt/apt.conf")
	done <"$1"
	if [ ${#wanted[@]} -gt 0 ]; then
		note "downloading ${#wanted[@]} packages"
		mkdir -p "$debs/partial"
		(cd "$debs/partial" && apt-get -qq "${config[@]}" -o APT::Sandbox::User="$(id -un)" \
			download "${wanted[@]}") >&2 || return 1
	fi
	while read -r file sum view; do
		if ! has_sum "$debs/$file" "$sum" && has_sum "$debs/partial/$file" "$sum"; then
			mv "$debs/partial/$file" "$debs/$file"
		fi
		# also takes away what is broken
		fetch_deb "$file" "$sum" "$view" || return 1
	done <"$1"
}
