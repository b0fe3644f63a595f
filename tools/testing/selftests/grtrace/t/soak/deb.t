#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The Debian packages are built twice, looked at, installed in a fresh Debian, used there, with a second
# kernel and in a guest too, and removed without a trace.
# shellcheck disable=SC2016	# many dollars are for the shells in there
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"
# shellcheck source-path=SCRIPTDIR/../../vm
. "$GRT_VM/packages.sh"
# shellcheck source-path=SCRIPTDIR/../../vm
. "$GRT_VM/apt.sh"
# shellcheck source-path=SCRIPTDIR/../../vm
. "$GRT_VM/root.sh"

renice -n 10 $$ >/dev/null	# guests beside it know the time by the clock
tree=$work/tree root=$work/root
packages=(grtrace grtrace-dkms libgrtrace1 libgrtrace-dev)
trap '[ ${#started[@]} -eq 0 ] || kill "${started[@]}" 2>/dev/null
root_remove "$root"; rm -rf "$work"' EXIT
PATH=$PATH:/usr/sbin:/sbin

in_root() { root_run "$root" "$@"; }

# A step that runs while others do: begin NAME starts the function NAME, and waited NAME is its result.
declare -A started=()
begin()
{
	"$1" >"$work/$1.log" 2>&1 &
	started[$1]=$!
}

waited()
{
	local status=0
	wait "${started[$1]}" || status=$?
	unset "started[$1]"
	cat "$work/$1.log"
	return "$status"
}

# --- build -----------------------------------------------------------------------
# As a user gets it: without git, and not as root. What a build leaves must not get into a package.
unpack_tree()
{
	mkdir "$tree" "$work/unpacked" && "$GRT_ROOT/scripts/list-files" |
		tar -C "$GRT_ROOT" --null -T - -c | tar -C "$tree" -x || return
	echo old >"$tree/drivers/gpu/grtrace/old.ko"
	mkdir "$tree/tools/grtrace/build" && echo old >"$tree/tools/grtrace/build/grtrace"
	chmod 755 "$work"
	[ "$(id -u)" -ne 0 ] || chown -R nobody "$tree"
}

as_user()
{
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid nobody --regid nogroup --clear-groups env HOME=/nonexistent "$@"
	else
		"$@"
	fi
}

state_of_tree() { (cd "$tree" && find . -mindepth 1 -path ./build -prune -o -printf '%p %m %s %T@\n' | sort); }

build()
{
	state_of_tree >"$work/before"
	as_user make -s -C "$tree" deb DESTDIR=/wrong PREFIX=/wrong || return
	state_of_tree | diff "$work/before" - || return
	ls "$tree/build/deb" >"$work/debs"
	cat "$work/debs"
	[ "$(wc -l <"$work/debs")" -eq ${#packages[@]} ]
}

deb_of() { echo "$tree/build/deb/$1"_*.deb; }

unpack_debs()
{
	local name
	for name in "${packages[@]}"; do
		dpkg-deb -R "$(deb_of "$name")" "$work/unpacked/$name" || return
	done
	find "$work/unpacked" -type f -name '*.gz' -exec gunzip {} +
}

# The paths of this build, of this user and of this machine
tells_nothing()
{
	[ -d "$work/unpacked" ] && ! grep -rlFe "$tree" -e "$work" -e "$GRT_ROOT" -e /work. "$work/unpacked" || return
	[ "$HOME" = / ] || ! grep -rlF "$HOME/" "$work/unpacked"
}

is_clean() { lintian --allow-root --fail-on error,warning,info "$tree"/build/deb/*.deb; }

# In the package as in Kbuild, except for what is for tests
has_modules()
{
	diff <(sed -n 's/^obj-.* += \(grtrace.*\)\.o$/\1/p' "$GRT_ROOT/drivers/gpu/grtrace/Kbuild" |
		grep -vE '_(mock|obstacle|fire_.*|kinds|nvidia_xid)$' | sort) <(modules_of "$work/unpacked/grtrace-dkms/usr/src/grtrace-"*/dkms.conf) || return
	[ -z "$(find "$work/unpacked" -name '*mock*')" ]
}

modules_of() { bash -c '. "$1"; printf "%s\n" "${BUILT_MODULE_NAME[@]}" | sort' sh "$1"; }

# A second build, by another user, elsewhere and later, gives the same packages.
same_again()
{
	local name
	GRTRACE_JOBS=1 "$GRT_ROOT/scripts/make-deb" "$work/again" || return
	for name in "${packages[@]}"; do
		cmp "$(deb_of "$name")" "$work/again/$(basename "$(deb_of "$name")")" || return
	done
}

# --- install -----------------------------------------------------------------------
# Prints where the packages of a kernel are that vm/kernel has chosen; they are in its cache.
debs_of_kernel()	# SERIES PATTERN
{
	local second_apt=$GRTRACE_CACHE/$1/apt
	grep -E "^($2)" "$GRTRACE_CACHE/$1/current" >"$work/rows.$1" || return
	(lock_cache && fetch_debs "$work/rows.$1") && sed "s#\([^ ]*\).*#$debs/\1#" "$work/rows.$1"
}

find_kernel()	# SERIES
{
	local places
	places=$("$GRT_VM/kernel" "$1") && eval "$places"
}

# A fresh Debian with the headers of 6.1, and the part of that kernel that the guest needs
fresh()
{
	local headers
	root_make "$root" || return
	mapfile -t headers < <(debs_of_kernel 6.1 'linux-(headers|kbuild)')
	root_install "$root" "${headers[@]}" kmod || return
	modprobe -d "$KROOT" -S "$KVER" --show-depends gpu_sched | sed -nE 's/^insmod ([^ ]+).*/\1/p' |
		(cd "$KROOT" && sed "s|^$KROOT/||" | root_may xargs cp --parents -t "$root") || return
	(cd "$KROOT/lib/modules/$KVER" && root_may cp modules.builtin modules.builtin.modinfo modules.order "$root/lib/modules/$KVER/") || return
	in_root depmod "$KVER"
}

files_of_root()
{
	root_may find "$root" \( -path "$root/proc" -o -path "$root/tmp" -o -path "$root/var/log" \
		-o -path "$root/var/cache" -o -path "$root/var/lib/dpkg" -o -path "$root/var/lib/apt" \) -prune \
		-o -printf '%P %y %m %U:%G %l\n' | sort
}

# What the packages need is installed first, so that only ours are between two lists of files.
install_needs()
{
	local names
	mapfile -t names < <(root_plan "$root/var/lib/dpkg/status" "$tree"/build/deb/*.deb)
	[ ${#names[@]} -gt 0 ] && root_install "$root" "${names[@]}" && in_root apt-mark auto "${names[@]%%=*}"
}

install_ours() { root_install "$root" "$tree"/build/deb/*.deb && [ -z "$(in_root dpkg --audit)" ]; }

# Modules that modprobe would take
modules_are_there()	# RELEASE
{
	local name path
	in_root dkms status
	while read -r name; do
		path=$(in_root modinfo -k "$1" -F filename "$name") || return
		echo "$path"
		[[ $path == /lib/modules/$1/updates/dkms/* ]] || return
		[ "$(in_root modinfo -k "$1" -F version "$name")" = "$version" ] || return
	done < <(modules_of "$work/unpacked/grtrace-dkms/usr/src/grtrace-"*/dkms.conf)
}

is_signed() { in_root modinfo -k "$KVER" -F signer grtrace | grep -x 'DKMS module signing key'; }

# --- use -----------------------------------------------------------------------------
prints()	# PATTERN COMMAND...: in the system
{
	local pattern=$1
	shift
	in_root "$@" >"$work/printed" || return
	cat "$work/printed"
	grep -qE -e "$pattern" "$work/printed"
}

completes()
{
	prints '^--format$' bash -c '. /usr/share/bash-completion/bash_completion && _completion_loader '"$1"'
		COMP_WORDS=('"$1 $2"' --form) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) && _grtrace && echo "${COMPREPLY[@]}"'
}

# jobs.c of the manual, as it is told there; and with the static library
compiles()
{
	in_root sh -c 'cd /tmp && jobs=/usr/share/doc/libgrtrace-dev/examples/jobs.c &&
		gcc-12 -Wall -Werror -o jobs "$jobs" $(pkg-config --cflags --libs libgrtrace) &&
		gcc-12 -o jobs-static "$jobs" "$(pkg-config --variable libdir libgrtrace)/libgrtrace.a" \
			$(pkg-config --libs --static libgrtrace | sed "s/-lgrtrace//") &&
		! ldd jobs-static | grep libgrtrace' &&
		prints ' us$' /tmp/jobs /tmp/trace.grt && prints ' us$' /tmp/jobs-static /tmp/trace.grt
}

# The guest of vm/run, with this system as its root, and none of the modules of this tree but the
# mock GPU.
in_guest()
{
	root_may cp "$GRT_SELFTESTS/workload/workload" "$root/tmp/" &&
		root_may "$GRT_VM/run" --kernel 6.1 --gpu none --no-load --share "$root" -- '
	set -e
	for dir in proc sys dev; do mount --bind "/$dir" "/share/$dir"; done
	mount -t debugfs debug /share/sys/kernel/debug
	in_root() { chroot /share /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
	set -x
	in_root modprobe grtrace
	in_root modinfo -F filename grtrace
	in_root sh -c "cd /tmp && grtrace record -- sleep 1 && grtrace report"
	modprobe grtrace_mock
	in_root sh -c "cd /tmp && grtrace record -- /tmp/workload --jobs 20 >/dev/null && grtrace report && grtrace verify"'
}

guest_works()
{
	in_guest >"$work/printed" 2>&1 || { cat "$work/printed"; return 1; }
	cat "$work/printed"
	grep -q '^/lib/modules/.*/updates/dkms/grtrace.ko' "$work/printed" && grep -q ' 20 jobs' "$work/printed"
}

# refused ARGUMENT MODULE ERROR REASON: a kernel that was started with this argument does not load
# this module, for the reason that install.rst names.
refused()
{
	local text
	"$GRT_VM/run" --kernel 6.1 --gpu none --no-load --append "$1" --log "$work/kernel" -- \
		"echo $(xz -9c "$2" | base64 -w 0) | base64 -d | xz -d >/tmp/module.ko && insmod /tmp/module.ko" \
		>"$work/printed" 2>&1 && return 1
	cat "$work/printed"
	grep -F "$3" "$work/printed" && grep -F "$4" "$work/kernel" || return
	text=$(tr -s ' \n' ' ' <"$GRT_ROOT/Documentation/install.rst")
	[[ $text == *"$3"* && $text == *"$4"* ]] || { echo "install.rst does not say so"; return 1; }
}

# --- remove ----------------------------------------------------------------------------
purge() { in_root apt-get -q -y purge "$@"; }

# The key is that of dkms, which keeps it for all modules.
left_nothing() { files_of_root | grep -v '^var/lib/dkms/mok\.' | diff "$work/files" -; }

# dkms builds for a kernel that comes later.
update_kernel()
{
	local files
	find_kernel 6.12 || return
	mapfile -t files < <(debs_of_kernel 6.12 'linux-(headers|kbuild|image)')
	# nobody boots its initramfs: a small one is made much faster
	root_may sh -c 'mkdir -p "$1" && echo MODULES=list >"$1/small"' sh "$root/etc/initramfs-tools/conf.d" &&
		root_install "$root" "$(deb_of grtrace-dkms)" && root_install "$root" "${files[@]}"
}

version=$(sed -n 's/^#define GRT_VERSION[[:space:]]*"\(.*\)"/\1/p' "$GRT_ROOT/drivers/gpu/grtrace/version.h")
KVER="" KROOT=""
check "there is a kernel" find_kernel 6.1
begin fresh
check "the tree is unpacked" unpack_tree
check "make deb builds the packages, as a user, without git, and leaves the tree as it was" build
is "their version is that of grtrace" "$(cut -d_ -f2 "$work/debs" | sort -u)" "$version"
check "they can be unpacked" unpack_debs
begin is_clean
check "they tell nothing about this machine" tells_nothing
check "grtrace-dkms has all modules but those for tests" has_modules
check "lintian finds nothing" waited is_clean
check "another build gives the same packages" same_again
check "there is a fresh Debian" waited fresh
check "it has what the packages need" install_needs
files_of_root >"$work/files"
check "the packages are installed" install_ours
check "dkms has built the modules for 6.1" modules_are_there "$KVER"
check "and signed them" is_signed
check "grtrace runs" prints "^grtrace $version\$" grtrace --version
root_may cp "$GRT_ROOT/tools/grtrace/test/golden/names/name-at.grt" "$root/tmp/trace.grt"
check "it reports a trace" prints "[0-9]+ jobs?" grtrace report /tmp/trace.grt
check "by its other name it dumps it" prints SUBMIT parse_events /tmp/trace.grt
check "its manual is there" prints 'grtrace-report - ' man -P cat grtrace-report
check "and that of its other name" prints 'grtrace-dump - ' man -P cat parse_events
check "bash completes its options" completes grtrace report
check "and those of its other name" completes parse_events ''
check "a program can use the library" compiles
check "a guest with this system records and reports" guest_works
signed=$root/lib/modules/$KVER/updates/dkms/grtrace_sampling.ko unsigned=$work/unsigned.ko
root_may strip --strip-debug -o "$unsigned" "$signed"
check "module.sig_enforce=1 refuses a module without a signature" refused module.sig_enforce=1 "$unsigned" \
	"Key was rejected by service" "Loading of unsigned module is rejected"
check "and one whose key is not enrolled" refused module.sig_enforce=1 "$signed" \
	"Key was rejected by service" "Loading of module with unavailable key is rejected"
for module in "$unsigned" "$signed"; do
	check "lockdown=integrity refuses $(basename "$module")" refused lockdown=integrity "$module" \
		"Operation not permitted" "unsigned module loading is restricted; see man kernel_lockdown.7"
done
check "the packages are removed" purge "${packages[@]}"
check "and leave nothing" left_nothing
check "another kernel is installed" update_kernel
check "dkms has built the modules for it" modules_are_there "$KVER"
check "the modules are removed from both" purge grtrace-dkms
is "and leave no module" "$(find "$root/lib/modules" -name 'grtrace*')" ""
end
