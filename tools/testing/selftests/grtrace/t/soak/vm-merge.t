#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings of the oldest and the newest kernel, merged: the merged trace has the same values for
# the jobs of each, in any order and at any time.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"
grtrace=$GRT_ROOT/tools/grtrace/grtrace

record()	# KERNEL
{
	"$GRT_VM/run" --kernel "$1" --share "$work" -- \
		"grtrace record -o /share/$1.grt -- workload --scenario mixed --jobs 600 --processes 3"
}

jobs_of() { "$grtrace" report --all --jobs --format csv "$1" >"$2" && [ "$(wc -l <"$2")" -gt 600 ]; }

# changed BOOT SOURCE MERGED: prints the jobs of SOURCE whose row differs in MERGED. Numbers of the
# boot are higher, all times have the same shift, and everything else is the same.
changed()
{
	awk -F, -v OFS=, -v boot="$1" '
		FNR == 1 {
			for (i = 1; i <= NF; i++) at[$i] = i
			if (NR > 1 && $0 != head) print "the columns differ"
			head = $0
			for (i = 1; i <= NF; i++) is_time[i] = $i ~ /_ns$/ && $i !~ /^(t_|total)/
			next
		}
		NR == FNR {
			ctx = sprintf("%.0f", $at["ctx"] + boot * 2 ^ 48)
			$at["ctx"] = ctx
			$at["pid"] += boot * 10000000
			row[ctx "," $at["seqno"]] = $0
			count++
			next
		}
		!(key = $at["ctx"] "," $at["seqno"]) || !(key in row) { next }
		{
			nr = split(row[key], was, ",")
			found++
			for (i = 1; i <= nr; i++) {
				if (is_time[i] && was[i] != "" && $i != "") {
					if (!has_shift++) shift = $i - was[i]
					if ($i - was[i] == shift) continue
				} else if (was[i] == $i) {
					continue
				}
				print row[key] " -> " $0
				break
			}
		}
		END {
			if (found != count || !count) print found " of " count " jobs"
		}' "$2" "$3"
}

# merged FIRST SECOND OPTIONS...: merges both, and checks that nothing changed
merged()
{
	local first=$1 second=$2
	shift 2
	"$grtrace" merge "$@" -o "$work/m.grt" "$work/$first.grt" "$work/$second.grt" &&
		"$grtrace" verify "$work/m.grt" && jobs_of "$work/m.grt" "$work/m.csv" || return
	{
		changed 0 "$work/$first.csv" "$work/m.csv"
		changed 1 "$work/$second.csv" "$work/m.csv"
	} >"$work/changed"
	head -n 20 "$work/changed"
	[ ! -s "$work/changed" ] && [ "$(cat "$work/$first.csv" "$work/$second.csv" | wc -l)" -eq \
		$(($(wc -l <"$work/m.csv") + 1)) ]
}

first_ns() { cut -d, -f8 "$work/$1.csv" | sed 1d | sort -n | head -n 1; }

# The --offset that makes the first job of SECOND MS later than that of FIRST.
at_once()	# FIRST SECOND MS
{
	"$grtrace" merge -o "$work/m.grt" "$work/$1.grt" "$work/$2.grt" |
		awk -v first="$(first_ns "$1")" -v second="$(first_ns "$2")" -v ms="$3" '
			BEGIN { unit["s"] = 1; unit["ms"] = 1e-3; unit["us"] = 1e-6; unit["ns"] = 1e-9 }
			/ by CLOCK_REALTIME$/ { for (i = 1; i < NF; i++) if ($i == "times") shift = $(i + 1) * unit[$(i + 2)] }
			END { printf "2:%.6fs", (first - second) / 1e9 + ms / 1000 - shift }'
}

# After a job in time order, often comes a job of the other boot.
are_mixed()
{
	sed 1d "$work/m.csv" | sort -t, -k8,8n | awk -F, '{ boot = $6 >= 10000000 }
		NR > 1 && boot != last { changes++ } { last = boot } END { print changes; exit changes < 20 }'
}

for kernel in 6.1 7.x; do
	check "a recording on $kernel" record $kernel
	check "its jobs" jobs_of "$work/$kernel.grt" "$work/$kernel.csv"
done
check "merged: one after the other" merged 6.1 7.x
check "the other way round" merged 7.x 6.1
for ms in 0 -300 400; do
	check "merged: $ms ms apart" merged 6.1 7.x --offset "$(at_once 6.1 7.x $ms)"
	check "jobs of one are between those of the other" are_mixed
done
end
