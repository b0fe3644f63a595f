#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The guide Documentation/adding-an-event.rst, followed on a copy of the sources: the event is
# recorded in a guest and shown, and this grtrace, which does not know it, reads the trace.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"

chmod 755 "$work"	# t-record runs the program as another user
guide=$GRT_ROOT/Documentation/adding-an-event.rst
copy=$work/copy tools=$work/copy/tools/grtrace selftests=$work/copy/tools/testing/selftests/grtrace
unset GRTRACE_BUILD
export GRTRACE_CACHE CI=1

copy_sources() { mkdir "$copy" && "$GRT_ROOT/scripts/list-files" | tar -C "$GRT_ROOT" --null -T - -c | tar -C "$copy" -x; }

# Writes the steps of the guide: N.place has "instead of|before: FILE: START", N.text the block.
read_guide()
{
	awk -v to="$work/step" '
		/^\.\. (instead of|before): / {
			place = sprintf("%s%02d", to, ++n)
			sub(/^\.\. /, "")
			print >(place ".place")
			reading = 1
			next
		}
		reading && /^::$/ { reading = 2; next }
		reading == 2 && /^[^ ]/ { reading = 0 }
		reading == 2 && (/./ || has[n]) { has[n] = 1; sub(/^    /, ""); print >(place ".text") }' "$guide"
	for text in "$work"/step*.text; do
		sed -i -e :a -e '/^\n*$/{$d;N;ba}' "$text"	# blank lines at the end
		unexpand --first-only "$text" >"$text.tabs" && mv "$text.tabs" "$text"
	done
	[ "$(find "$work" -name 'step*.place' | wc -l)" -gt 10 ]
}

# Puts a block where its place says, which must be one line. A blank line comes behind a definition.
follow()	# STEP
{
	local how file start rest
	IFS= read -r rest <"$work/$1.place"
	how=${rest%%:*} rest=${rest#*: } file=$copy/${rest%%: *} start=${rest#*: }
	awk -v how="$how" -v start="$start" -v text="$work/$1.text" '
		{ bare = $0; sub(/^[ \t]*/, "", bare) }
		index(bare, start) != 1 { print; next }
		{
			lines = 0
			while ((getline line <text) > 0) {
				print line
				lines++
			}
			if (how == "before" && lines > 1 && line ~ /^[^\t]/)
				print ""
			if (how == "before")
				print
			done++
		}
		END { exit done != 1 }' "$file" >"$work/edited" || { echo "'$start' is not one line of $file"; return 1; }
	cat "$work/edited" >"$file"
}

follow_all()
{
	local place step
	for place in "$work"/step*.place; do
		step=$(basename "$place" .place)
		follow "$step" || return
	done
}

in_tools() { make -s -C "$tools" "$@"; }
manual_has_it() { in_tools format && grep -q '^THROTTLE$' "$copy/Documentation/format.rst"; }
list_notices() { ! "$tools/test/cli/t-format.sh" >"$work/out" && grep -q '^not ok .* added' "$work/out"; }
only_adds()
{
	local name
	for name in format dump merge-timeline; do
		env GOLDEN=write "$tools/test/cli/t-$name.sh" || return
	done
	diff "$GRT_ROOT/tools/grtrace/test/golden/format/version-1.txt" "$tools/test/golden/format/version-1.txt" >"$work/added"
	! grep '^<' "$work/added" && grep -c '^> .*throttle' "$work/added"
}
in_guest() { "$selftests/vm/check" --kernel 6.1 drivers-write-every-kind every-type-can-be-emitted; }
records()
{
	mkdir -p "$work/share" && "$selftests/vm/run" --kernel 6.1 --share "$work/share" -- 'grtrace record -o /share/new.grt -- sh -c "workload --jobs 20; modprobe grtrace_kinds"'
}
new_shows_it() { "$tools/grtrace" dump "$work/share/new.grt" | grep ' THROTTLE  *limit_hz=300000000 reasons=0x5 pci_address=0x10204'; }
jobs_of() { "$1" report --jobs -f csv "$work/share/new.grt"; }
old_reads_it()
{
	make -s -C "$GRT_ROOT/tools/grtrace" || return
	"$GRT_ROOT/tools/grtrace/grtrace" verify "$work/share/new.grt" | grep ', 1 record of a type that is not known' &&
		cmp <(jobs_of "$GRT_ROOT/tools/grtrace/grtrace" 2>/dev/null) <(jobs_of "$tools/grtrace")
}

check "a copy of the sources" copy_sources
check "the guide has steps" read_guide
check "they can be followed" follow_all
check "the tools build" in_tools -j"$GRTRACE_JOBS" tests
check "grtrace help types names it" "$tools/grtrace" help types
check "the manual of the format has it" manual_has_it
check "the list of the format notices that it is new" list_notices
check "and takes it, without a change of what was there" only_adds
check "the unit tests pass" in_tools check-plain
check "the modules build; a guest records what a driver says, and emit takes it" in_guest
check "a guest records it" records
check "its own grtrace shows it" new_shows_it
check "this grtrace counts it as unknown, and sees the same jobs" old_reads_it
end
