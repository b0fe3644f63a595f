#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Proves that the cache of kernels repairs itself: each kind of damage is made on purpose.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"

# kernel_in FOLDER: vm/kernel with another cache, and an apt whose only network is the packages in
# the real cache
kernel_in()
{
	GRTRACE_CACHE=$1 PATH=$work/bin:$PATH "$GRT_VM/kernel" 6.1 >"$work/out" 2>"$work/err"
}

# forget CACHE: makes the next call ask apt again
forget() { touch -d '2000-01-01' "$1/6.1/current"; }

test_cache()
{
	local cache=$work/cache real=$GRTRACE_CACHE deb tree
	mkdir -p "$work/bin" "$cache/debs"
	cat >"$work/bin/apt-get" <<-END
	#!/bin/bash
	for word; do
		[ "\$word" != --print-uris ] || exec $(command -v apt-get) "\$@"
	done
	[ ! -e "$work/offline" ] || exit 100
	name=\${word%%=*}
	echo "\$name" >>"$work/fetched"
	cp "$real/debs/\$name"_*.deb .
	END
	chmod +x "$work/bin/apt-get"
	cp -l "$real"/debs/*.deb "$cache/debs/" 2>/dev/null || cp "$real"/debs/*.deb "$cache/debs/"

	deb=$(cd "$cache/debs" && echo linux-kbuild-6.1_*.deb)
	head -c 1000 "$cache/debs/$deb" >"$work/short" && mv "$work/short" "$cache/debs/$deb"
	mkdir -p "$cache/6.1/0123456789abcdef.new.1/root"
	kernel_in "$cache"
	is "a broken package is replaced" "$? $(cat "$work/fetched")" "0 ${deb%%_*}"
	is "and all is whole" "$(tail -n 1 "$work/out" | grep -c "^BUSYBOX=$cache/6.1/")" 1

	tree=$(echo "$cache"/6.1/*/packages) tree=${tree%/packages}
	rm "$tree/packages"
	kernel_in "$cache"
	is "a half-unpacked kernel is unpacked again" "$? $(cd "$tree" 2>&1 && echo packages*)" "0 packages"

	touch "$work/offline"
	forget "$cache"
	kernel_in "$cache"
	is "a full cache needs no network" $? 0
	rm -r "$cache/6.1" "$cache/debs/$deb"
	kernel_in "$cache"
	is "an empty one does, and says so" "$? $(grep -c '^hint: check the network' "$work/err")" "$VM_SETUP 1"
}

# The second view of the archive has the user's own mirror, keys and options; only the suites
# differ.
test_second_apt()
{
	local before
	# shellcheck source-path=SCRIPTDIR/../../vm
	. "$GRT_VM/apt.sh"
	cat >"$work/two.sources" <<-END
	# the first
	Types: deb
	URIs: http://one.example/debian
	Suites: some

	Enabled: yes
	Types: deb deb-src
	# a comment
	URIs: http://two.example/debian
	Suites: one two
	Architectures: riscv64
	Components: main contrib
	Signed-By:
	 a key
	 .
	 in lines
	END
	is "other suites from a stanza" "$(derive_stanza "$work/two.sources" 2 "new newer" | paste -s -d '|')" \
		"URIs: http://two.example/debian|Signed-By:| a key| .| in lines|Types: deb|Suites: new newer|Components: main"
	cat >"$work/two.list" <<-END
	deb http://one.example/debian some main
	deb [arch=amd64 signed-by=/a/key] http://two.example/debian some main contrib
	deb	[arch=amd64] http://three.example/debian	some main # a comment
	END
	is "other suites from a line" "$(derive_lines "$work/two.list" 2 "new newer" | paste -s -d '|')" \
		"deb [ signed-by=/a/key] http://two.example/debian new main|deb [ signed-by=/a/key] http://two.example/debian newer main"
	is "and from one without options" "$(derive_lines "$work/two.list" 3 new)" \
		"deb http://three.example/debian new main"

	before=$(apt_of_this_machine)
	GRTRACE_CACHE=$work/second "$GRT_VM/kernel" 6.12.95 >"$work/out" 2>"$work/err"
	is "what this machine's apt does not list is found" "$? $(sed -n 's/^KVER=\(6.12.95\).*/\1/p' "$work/out")" "0 6.12.95"
	is "and this machine's apt is what it was" "$(apt_of_this_machine)" "$before"
}

apt_of_this_machine()
{
	find /etc/apt /var/lib/apt /var/cache/apt /var/lib/dpkg/status -printf '%p %s %T@\n' 2>/dev/null | sort
}

check "there is a kernel to begin with" "$GRT_VM/kernel" 6.1
test_cache
test_second_apt
end
