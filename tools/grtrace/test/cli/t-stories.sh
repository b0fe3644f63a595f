#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the first screen and --why say in a sentence what happened
# GOLDEN=write in the environment writes the expected output anew.
# Tests call these functions through ok().
# shellcheck disable=SC2317,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

golden=$golden/report/stories
export LC_ALL=C.UTF-8 COLUMNS=100

tell()		# scene, key
{
	for options in "" "--why $2" "--why $2 --steps" "--roots"; do
		echo "$ grtrace report${options:+ }$options $1"
		# shellcheck disable=SC2086	# options are words
		"$grtrace" report $options "$1" 2>&1
	done
}

agrees()	# scene, key
{
	tell "$@" > out
	if [ "${GOLDEN-}" = write ]; then mkdir -p "$golden" && cp out "$golden/$1.txt"; fi
	diff "$golden/$1.txt" out > err
}

# Whether the words are on the first screen, or in the short answer of --why, however its lines end.
screen_says()	{ COLUMNS=500 "$grtrace" report "$scene" 2> err | grep -qF -- "$1"; }
why_says()	{ COLUMNS=500 "$grtrace" report --why "$key" "$scene" 2> err | grep -qF -- "$1"; }

# The parts in the short answer sum to the total, and the roots of all jobs to their waits.
adds_up()
{
	"$grtrace" report --why "$key" -f json "$scene" 2> err | jq -e '
		([.roots[].ns] | add) == .job.total_ns' > out &&
	"$grtrace" report --roots --blame -f json "$scene" 2> err | jq -e '
		([.roots[].waited_ns] | add) == ([.blame[].waited_ns] | add)' > out
}
no_long_line()	# columns
{
	# Lines with a command to paste are left out: the report does not fold them.
	COLUMNS=$1 "$grtrace" report "$scene" 2> err | grep -v 'grtrace report' > out &&
	awk -v most="$1" '{ gsub(/[\200-\277]/, "") } length($0) > most { print; bad = 1 } END { exit bad }' out
}

"$gen" scenes | grep '^story-' > stories
while read -r scene key; do
	"$gen" scene "$scene" > "$scene" || exit 1
	ok "$scene: a sound trace"	run 0 "$grtrace" verify "$scene"
	ok "$scene: the whole of it"	agrees "$scene" "$key"
	if command -v jq > /dev/null; then
		ok "$scene: adds up"	adds_up
	fi
	for columns in 60 80 120; do
		ok "$scene: fits $columns columns" no_long_line "$columns"
	done
	case $scene in
	story-hang)
		ok "a hang: the first screen" screen_says "15:43 of batch[7] on compute hung: it ran 500.2 ms and ended with ETIME. 3 jobs of 2 processes waited for it, the longest 15:45, 500.2 ms."
		ok "a hang: the job behind it" why_says "compute was blocked by 15:43 of batch[7], which HUNG" ;;
	story-fifo)
		ok "a slow job in front" why_says "15.9 ms   94%  gfx ran jobs of llama[8]" ;;
	story-full)
		ok "a full ring" why_says "8.9 ms   82%  gfx was full, and ran jobs of llama[8]" ;;
	story-chain)
		ok "a chain over three rings" why_says "20.0 ms   91%  copy ran jobs of train[9]"
		ok "its end" why_says "1:1 (train[9], copy) ran 20.0 ms" ;;
	story-late-cpu)
		ok "the scheduler's thread comes late" why_says "it was ready, but the scheduler did not hand it over: for 12.0 ms its thread waited for a CPU" ;;
	story-late-submit)
		ok "a thread submits late" why_says "game[7] had not submitted a job for gfx yet that this one needs" ;;
	story-foreign)
		ok "a fence of no job" why_says "the fence 90:5, which belongs to no job, was not signalled"
		ok "on the first screen, too" screen_says "16.0 ms of that it waited for fences of context 90, which belong to no job." ;;
	*)
		ok "$scene has a test" false ;;
	esac
done < stories
ok "there are enough of them"		[ "$(wc -l < stories)" -ge 7 ]
end
