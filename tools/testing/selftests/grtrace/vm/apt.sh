# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A second view of Debian's archive, for suites that this machine's apt does not list. Its state is
# in the cache: it neither uses nor changes the machine's lists, sources, preferences and installed
# packages. Its sources are derived from the machine's, so mirror, keys and proxy stay the same.
# Sourced after lib.sh.

# The sources of this machine that contain Debian itself, as "FILE:NUMBER": the number of a stanza
# in *.sources or of a line in *.list
debian_sources()
{
	# shellcheck disable=SC2016	# the dollar is apt's
	apt-get indextargets --format '$(SOURCESENTRY)' 'Created-By: Packages' 'Origin: Debian' \
		'Label: Debian' 2>/dev/null | sort -u
}

# Prints the stanza with other suites and no other change: keys, options and transport stay.
derive_stanza()	# FILE NUMBER SUITES
{
	awk -v wanted="$2" -v suites="$3" '
	function field(line) { return tolower(substr(line, 1, index(line, ":") - 1)) }
	/^[ \t]*$/	{ if (within) number++; within = 0; next }
	/^#/		{ next }
	!within		{ within = 1 }
	number + 1 != wanted { next }
	/^[ \t]/	{ if (keep) print; next }
	{ keep = field($0) !~ /^(types|suites|components|architectures|enabled)$/ }
	keep		{ print }
	END { print "Types: deb\nSuites: " suites "\nComponents: main" }' "$1"
}

# deb [options] URI SUITE COMPONENT...: a line for each suite
derive_lines()	# FILE NUMBER SUITES
{
	local suite
	for suite in $3; do
		sed -n "$2s/^[ \t]*deb[ \t]*\(\[[^]]*\]\)*[ \t]*\([^ \t]*\).*/deb \1 \2 $suite main/p" "$1" |
			sed -E 's|arch=[^] \t]*||; s|\[[ \t]*\]||; s|  +| |g'
	done
}

# private_apt FOLDER SUITES [ARCHITECTURE]: sets up the second view
private_apt()
{
	local dir=$1 entry file
	mkdir -p "$dir"/{lists,archives}/partial "$dir/sources"
	rm -f "$dir/sources"/*
	# only the first: a second mirror has the same packages
	entry=$(debian_sources | head -n 1)
	file=${entry%:*}
	case $file in
	*.sources) derive_stanza "$file" "${entry##*:}" "$2" >"$dir/sources/debian.sources" ;;
	*?)        derive_lines "$file" "${entry##*:}" "$2" >"$dir/sources/debian.list" ;;
	*)         note "$GRT_ME: apt lists no suite of Debian, so there is no mirror to ask"; return 1 ;;
	esac
	touch "$dir/status"
	# Hooks after an update are for the machine's own lists.
	cat >"$dir/apt.conf" <<-END
	#clear APT::Update;
	#clear APT::Architectures;
	APT::Architecture "${3:-amd64}";
	APT::Architectures { "${3:-amd64}"; };
	APT::Sandbox::User "$(id -un)";
	Acquire::Languages "none";
	Dir::State "$dir";
	Dir::State::lists "$dir/lists";
	Dir::State::status "$dir/status";
	Dir::Cache "$dir";
	Dir::Etc::sourcelist "/dev/null";
	Dir::Etc::sourceparts "$dir/sources";
	Dir::Etc::preferences "/dev/null";
	Dir::Etc::preferencesparts "/dev/null";
	END
}

# Downloads its lists, as often as the machine downloads its own.
private_apt_update()	# FOLDER
{
	if [ -e "$1/updated" ] && [ "$1/updated" -nt /var/lib/apt/lists ]; then
		return
	fi
	note "fetching lists of $(sed -nE 's/^Suites: //p; s/^deb .* ([^ ]+) main$/\1/p' "$1/sources"/* | paste -s -d ' ')"
	apt-get -c "$1/apt.conf" -qq update >&2 && touch "$1/updated"
}

# private_apt_plan FOLDER STATUS PACKAGE|FILE...: prints "NAME=VERSION" of the packages of the archive that
# apt would add to a system with this dpkg status
private_apt_plan()
{
	local plan
	plan=$(apt-get -c "$1/apt.conf" -o Dir::State::status="$2" --simulate \
		--no-install-recommends install "${@:3}" 2>&1) || { note "$plan"; return 1; }
	# a file that was named has no word "Debian" after its version
	sed -nE 's/^Inst ([^ ]+) (\[.*\] )?\(([^ ]+) Debian.*/\1=\3/p' <<<"$plan"
}
