# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Small Debian systems in folders, made by mmdebstrap and apt from the mirror of this machine's apt.
# Sourced after lib.sh, packages.sh and apt.sh. All packages and the archive of a fresh system are
# in the cache, with checksums: what is broken is fetched or made again, and nothing is fetched
# twice. Needs root, or a user who has a range of user ids (/etc/subuid).
# shellcheck disable=SC2034,SC2154 # variables of the files that were sourced before

root_cache=$GRTRACE_CACHE/root
second_apt=$root_cache/apt
root_suite=bookworm
# What a fresh system has besides the smallest one: what tests use and none of their packages
# brings, the compiler of the kernel's headers, and what dkms signs modules with.
root_packages="apt bash-completion man-db libc6-dev pkg-config openssl linux-compiler-gcc-12-x86"

# root_may COMMAND...: as root, or as the root of a user namespace
root_may()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		unshare --user --map-auto --map-root-user -- "$@"
	fi
}

root_plan() { private_apt_plan "$second_apt" "$@"; }	# STATUS PACKAGE|FILE...

# The same as rows
root_rows()
{
	local plan
	plan=$(root_plan "$@") || return 1
	[ -n "$plan" ] || return 0
	# shellcheck disable=SC2086	# words
	apt_rows $plan
}

# Fetches the packages of rows, and keeps their names so that vm/kernel does not tidy them away.
root_fetch()	# ROWS-FILE
{
	sort -u "$1" "$root_cache/current" >"$root_cache/current.new" && mv "$root_cache/current.new" "$root_cache/current" &&
		fetch_debs "$1"
}

root_lists()
{
	apt_config=(-c "$second_apt/apt.conf")
	mkdir -p "$root_cache"
	touch -a "$root_cache/current"
	private_apt "$second_apt" "$root_suite $root_suite-updates" || return 1
	private_apt_update "$second_apt" || [ -e "$second_apt/updated" ]
}

root_bootstrap()	# ARCHIVE
{
	local new=$root_cache/new packages
	rm -rf "$root_cache"/new*
	mkdir -p "$new"
	# shellcheck disable=SC2086	# words
	root_rows "$second_apt/status" '?or(?essential,?priority(required))' $root_packages >"$new.rows" &&
		root_fetch "$new.rows" || return 1
	note "making a small Debian system, once"
	packages=$(sed "s|^\([^ ]*\).*|$debs/\1|" "$new.rows")
	# shellcheck disable=SC2016,SC2086	# for the shell of mmdebstrap; words
	ln -f $packages "$new" && mmdebstrap --quiet --variant=minbase --include="${root_packages// /,}" \
		--skip=download/empty,essential/unlink --setup-hook='mkdir -p "$1/var/cache/apt/archives"' \
		--setup-hook="sync-in $new /var/cache/apt/archives" \
		--dpkgopt=force-unsafe-io --aptopt='APT::Install-Recommends "0"' \
		"$root_suite" "$new.tar.zst" "$second_apt/sources"/* </dev/null >&2 &&
		sha256sum <"$new.tar.zst" >"$1.sum" && mv "$new.tar.zst" "$1"
}

# Prints the archive of a fresh system; makes it if it is missing, broken, of another recipe or
# older than a month.
root_archive()
{
	local archive
	archive=$root_cache/$({ declare -f root_bootstrap; echo "$root_suite $root_packages"; } | sha256sum | cut -c1-16).tar.zst
	if has_sum "$archive" "$(cut -d' ' -f1 "$archive.sum" 2>/dev/null)" && [ -z "$(find "$archive" -mtime +30)" ]; then
		echo "$archive"
		return
	fi
	if root_bootstrap "$archive"; then
		find "$root_cache" -maxdepth 1 -name '*.tar.zst*' ! -path "$archive*" -delete
	fi
	rm -rf "$root_cache"/new*
	has_sum "$archive" "$(cut -d' ' -f1 "$archive.sum" 2>/dev/null)" || return 1
	echo "$archive"
}

# root_make FOLDER: unpacks a fresh system there, with apt's lists
root_make()
{
	local archive
	lock_cache
	root_lists && archive=$(root_archive) || return 1
	mkdir -p "$1"
	# device files are not for users; root_run brings its own
	# shellcheck disable=SC2016	# for that shell
	root_may tar -C "$1" --exclude='./dev/*' -xf "$archive" &&
		root_may sh -c 'rm -rf "$1"/etc/apt/sources.list* && mkdir "$1/etc/apt/sources.list.d" &&
			cp "$2"/sources/* "$1/etc/apt/sources.list.d/" && cp "$2"/lists/*_* "$1/var/lib/apt/lists/"' \
			sh "$1" "$second_apt"
	exec 9>&-
}

# root_run FOLDER COMMAND...: runs the command in the system
root_run()
{
	# shellcheck disable=SC2016	# for that shell
	root_may unshare --mount --pid --fork --kill-child -- sh -c '
		root=$1
		shift
		mount -t proc proc "$root/proc" && mount -t tmpfs -o mode=755 dev "$root/dev" || exit
		for node in null zero full random urandom; do
			: >"$root/dev/$node" && mount --bind "/dev/$node" "$root/dev/$node" || exit
		done
		ln -s /proc/self/fd "$root/dev/fd" && mkdir "$root/dev/pts" && ln -s pts/ptmx "$root/dev/ptmx" &&
			mount -t devpts -o newinstance,ptmxmode=666 pts "$root/dev/pts" || exit
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
			DEBIAN_FRONTEND=noninteractive "$@"' sh "$@" </dev/null
}

# root_fill FOLDER PACKAGE|FILE...: puts what apt would need to install these into the system
root_fill()
{
	local rows=$root_cache/rows.$$
	lock_cache
	root_rows "$1/var/lib/dpkg/status" "${@:2}" >"$rows" && root_fetch "$rows" &&
		sed "s|^\([^ ]*\).*|$debs/\1|" "$rows" | root_may xargs -r cp -t "$1/var/cache/apt/archives"
	set -- $?
	rm -f "$rows"
	exec 9>&-
	return "$1"
}

# root_install FOLDER PACKAGE|FILE...: with apt, which finds all that it needs in the cache
root_install()
{
	local root=$1 name names=()
	shift
	root_fill "$root" "$@" || return 1
	for name; do
		if [[ $name == */* ]]; then
			root_may cp "$name" "$root/tmp/" || return 1
			name=/tmp/${name##*/}
		fi
		names+=("$name")
	done
	# the network is switched off
	root_run "$root" apt-get -q -y -o Acquire::http::Proxy=http://localhost:9 \
		-o Acquire::https::Proxy=http://localhost:9 --no-install-recommends install "${names[@]}"
}

root_remove() { root_may rm -rf --one-file-system "$1"; }	# FOLDER
