#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: report prints the expected output for small traces
# GOLDEN=write in the environment writes them anew.
# Tests call these functions through ok(); no trace is called "scenes".
# shellcheck disable=SC2317,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

golden=$golden/report/scenes
tables="--per-device --per-engine --per-process --per-ctx --idle --blame --hist lat,size,result"
export LC_ALL=C.UTF-8

show()		# format, name, key: the reports, each below its command
{
	for options in "" "--jobs" "--why $3" "$tables"; do
		echo "$ grtrace report --format $1${options:+ }$options $2"
		# shellcheck disable=SC2086	# options are words
		"$grtrace" report --format "$1" $options "$2" 2>&1
	done
}

agrees()	# format, name, key
{
	case $1 in text) file=$golden/$2.txt ;; *) file=$golden/$2.$1 ;; esac
	show "$@" > out
	if [ "${GOLDEN-}" = write ]; then cp out "$file"; fi
	diff "$file" out > err
}

# The values of each job and ring add up: invariants 3 and 4.
is_lawful()	# name
{
	"$grtrace" report --jobs -f csv "$1" 2> err | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		/"/ { next }	# a comma in a name
		{ for (name in column) v[name] = $column[name]
		  host = v["t_order_ns"] + v["t_dep_ns"] + v["t_ring_ns"] + v["t_sched_ns"]
		  all = v["t_submit_host_ns"] + v["t_queue_ns"] + v["t_exec_ns"] + v["t_complete_ns"]
		  if (v["t_sched_ns"] != "" && host != v["t_submit_host_ns"]) bad = 1
		  if (v["total_ns"] != "" && v["t_queue_ns"] != "" && all != v["total_ns"]) bad = 1 }
		END { exit bad }' &&
	"$grtrace" report --idle -f json "$1" 2> err | jq -e '
		[.time[] | .wall_ns == ((.busy_ns // .occupied_ns) + .starved_ns + .dependency_ns +
			.scheduler_ns + .hardware_ns + .recovery_ns + .unknown_ns)] | all' > out
}

"$gen" scenes > scenes || exit 1
while read -r scene key; do
	"$gen" scene "$scene" > "$scene" || exit 1
	ok "$scene: a sound trace"	run 0 "$grtrace" verify "$scene"
	for format in text csv json; do
		case $scene in story-*) continue ;; esac	# t-stories.sh
		ok "$scene: $format"	agrees "$format" "$scene" "$key"
	done
	if command -v jq > /dev/null; then
		ok "$scene: adds up"	is_lawful "$scene"
	fi
done < scenes
ok "there are enough of them"		[ "$(wc -l < scenes)" -ge 12 ]
end
