#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: top shows the numbers of reports, from files and from streams, as a screen and for programs
# GOLDEN=write in the environment writes the golden files anew.
# Tests call these functions through ok(). $2 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

imports=$golden/import
golden=$golden/top
export LC_ALL=C.UTF-8

"$gen" busy jobs=3000 > busy && "$gen" busy jobs=80000 seed=2 > long && "$gen" load jobs=4000 rings=2 lose=50 > lossy || exit 1
scenes="chain blame reset kill lossy firmware full suspend two-devices pipelined foreign marks vblanks"
for scene in $scenes; do
	"$gen" scene "$scene" > "$scene" || exit 1
done
cp "$imports/sched-617.txt" sched-617 || exit 1
says() { grep -qE -e "$1" out; }

# pick FILE COLUMN...: these columns of CSV, by name
pick()
{
	file=$1
	shift
	awk -F, -v names="$*" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
		{ for (i = 1; i <= n; i++) printf "%s%s", at[name[i]] ? $at[name[i]] : "", i < n ? "," : "\n" }' "$file"
}

# The same numbers, to the nanosecond and the job: what rings did, quantiles, processes, blame.
agrees()	# trace
{
	"$grtrace" top --batch -f csv "$1" > top.csv 2> err &&
		"$grtrace" report --idle --all-time -f csv "$1" > idle.csv 2>> err &&
		"$grtrace" report --per-ring --all-time -f csv "$1" > ring.csv 2>> err &&
		"$grtrace" report --per-process --all-time -f csv "$1" > process.csv 2>> err &&
		"$grtrace" report --blame --all-time -f csv "$1" > blame.csv 2>> err || return 1
	use="device ring order known_ns busy_ns occupied_ns starved_ns dependency_ns scheduler_ns hardware_ns recovery_ns unknown_ns jobs"
	# shellcheck disable=SC2086	# names are words
	pick idle.csv scope $use | grep '^ring,' | sort > a
	# shellcheck disable=SC2086
	pick top.csv scope $use | grep '^ring,' | sort > b
	diff a b > err || return 1
	# Jobs of an unknown ring have a row there.
	pick ring.csv scope ring t_exec_p50_ns t_exec_p99_ns failed | grep '^ring,[^,]' | sort > a
	pick top.csv scope ring exec_p50_ns exec_p99_ns failed | grep '^ring,' | sort > b
	diff a b > err || return 1
	pick process.csv scope pid jobs t_exec_sum_ns | grep '^process,' | sort > a
	pick top.csv scope pid jobs exec_ns | grep '^process,' | sort > b
	awk -F, 'NR == FNR { sum[$2] = $4; jobs[$2] = $3; next }
		$3 && ($3 != jobs[$2] || ($4 != "" && $4 + 0 != sum[$2] + 0)) { print "process " $2 ": " $0 ", report " jobs[$2] " " sum[$2]; bad = 1 }
		END { exit bad }' a b > err || return 1
	pick blame.csv pid by_pid waited_ns > a
	pick top.csv scope pid wait_ns taken_ns given_ns | grep '^process,' > b
	awk -F, 'NR == FNR { wait[$1] += $3; if ($2 != "" && $2 != $1) { taken[$1] += $3; given[$2] += $3 } next }
		$3 != wait[$2] + 0 || $4 != taken[$2] + 0 || $5 != given[$2] + 0 {
			print "pid " $2 ": " $0 ", report " wait[$2] + 0 " " taken[$2] + 0 " " given[$2] + 0; bad = 1 }
		END { exit bad }' a b > err
}

for trace in busy long lossy $scenes sched-617; do
	ok "report and top agree: $trace"	agrees "$trace"
done

# wait: SUBMIT to START, which reports have only in two parts.
"$grtrace" report --jobs -f csv busy > jobs.csv
"$grtrace" top --batch -f csv busy > top.csv
pick jobs.csv ring submit_ns start_ns | awk -F, '$1 == "gfx" && $3 != "" { print $3 - $2 }' | sort -n > waits
rank() { sed -n "$((($(wc -l < waits) * $1 + 999) / 1000))p" waits; }
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a >= b * 0.996 && a <= b * 1.004) }'; }
ok "median of waits"			near "$(pick top.csv ring wait_p50_ns | sed -n 's/^gfx,//p')" "$(rank 500)"
ok "and what 99 % do not exceed"	near "$(pick top.csv ring wait_p99_ns | sed -n 's/^gfx,//p')" "$(rank 990)"
# The same queue as in the picture.
"$grtrace" timeline -f csv busy > lanes.csv 2> err
ok "the queue is that of timeline"	sh -c 'test "$(awk -F, '\''NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["ring"] == "gfx" { sum += $at["waiting_ns"] + $at["on_ring_ns"] } END { printf "%.0f", sum }'\'' lanes.csv)" = '"$(pick top.csv ring waiting_ns | sed -n 's/^gfx,//p')"

# A stream gives what its file does; of a file, each state can be shown.
"$grtrace" top --batch -f csv busy > a
"$grtrace" top --batch -f csv - < busy > out
ok "a file on standard input"		cmp a out
tail -c +1 busy | "$grtrace" top --batch -f csv - > out
ok "a stream through a pipe"		cmp a out
run 0 "$grtrace" top --batch -f csv --interval 500ms busy
ok "states of a file"			[ "$(pick out scope | grep -c ring)" = 12 ]
run 0 "$grtrace" top --batch -f csv --interval 500ms --count 2 busy
ok "some of them"			[ "$(pick out scope | grep -c ring)" = 6 ]
ok "with one header"			[ "$(grep -c now_ns out)" = 1 ]
run 0 "$grtrace" top --batch -f json --interval 500ms busy
ok "an object for each"			sh -c 'command -v jq > err || exit 0; [ "$(jq -s length out)" = 4 ] && [ "$(jq -s "[.[].rings | length] | unique[0]" out)" = 3 ]'
run 0 "$grtrace" top --batch -f csv --window 10s long
"$grtrace" report --per-ring -f csv --since @"$(pick out from_ns | sed -n '1s/\(.*\)\(.........\)$/\1.\2/p')" --since-by complete long > since.csv
ok "a window is the report since then"	[ "$(pick out scope ring jobs exec_p99_ns | grep ^ring)" = "$(pick since.csv scope ring jobs t_exec_p99_ns | grep ^ring)" ]
run 0 "$grtrace" top --batch --sort given busy
ok "sorted by what they gave"		sh -c 'sed "1,/>given/d" out | head -1 | grep -q "^batch"'
run 0 "$grtrace" top --batch --filter GAME busy
ok "filtered"				sh -c 'grep -q "^game" out && ! grep -qE "^(batch|gfx)" out'
run 0 "$grtrace" top --batch --cgroups busy
ok "by cgroup"				says "^cgroup 77 "
run 0 "$grtrace" top --batch --cgroups -f csv busy
ok "which programs see, too"		sh -c 'grep -q ",cgroup,.*,77," out'

# The screen, at two sizes; the unknown is no 0.
frames="busy long lossy firmware marks"
for size in 80x24 200x50; do
	for trace in $frames; do
		"$grtrace" top --batch --screen $size "$trace" > out 2> err
		if [ "${GOLDEN-}" = write ]; then mkdir -p "$golden" && cp out "$golden/$trace-$size.txt"; fi
		ok "screen of $trace, $size"	sh -c 'diff "$1" out > err' - "$golden/$trace-$size.txt"
		ok "fits"			[ "$(wc -l < out)" -le "${size#*x}" ] && [ "$(wc -L < out)" -le "${size%x*}" ]
	done
done
run 0 "$grtrace" top --batch firmware
ok "not known on a ring that is not FIFO" sh -c 'grep -q "\\*" out && grep -qE "^[a-z]+\[[0-9]+\] +- +- " out'
ok "ASCII"				sh -c 'LC_ALL=C "$0" top --batch --screen 80x24 long | LC_ALL=C grep -q "[^ -~]"; [ $? = 1 ]' "$grtrace"
for term in xterm vt100; do
	ok "a terminal, $term"		sh -c '{ sleep 1; printf "h"; sleep 0.3; printf "q"; } | TERM='"$term"' timeout 20 script -qec "stty rows 24 columns 80; '"$grtrace"' top busy" typed > out 2> err'
done
ok "is a screen"			sh -c 'tr -d "\r" < typed | grep -q "shares are of the time"'
ok "one that can show none"		sh -c 'TERM=dumb timeout 20 script -qec "'"$grtrace"' top busy" typed < /dev/null > out 2> err && grep -q "^compositor" typed'

# Stamps at the end of time: the last second has no end.
for trace in crash-2-2707.grt crash-4-255-b.grt; do
	ok "ends: $trace"		run 0 timeout 20 "$grtrace" top --batch "$tools/fuzz/hostile/$trace"
done
ok "nothing to read"			complains 4 "'standard input' is empty" "recorder" sh -c 'true | "$0" top --batch -' "$grtrace"
ok "no stream"				sh -c 'printf "%0200d" 0 | "$0" top --batch - > out 2> err; [ $? = 4 ] && grep -q "is no stream" err && grep -q "^hint: sudo grtrace record --live | grtrace top -" err' "$grtrace"
ok "no format"				complains 2 "no format 'xml'" "top -h" "$grtrace" top --batch -f xml busy
ok "no size"				complains 2 "WIDTHxHEIGHT" "top -h" "$grtrace" top --batch --screen 9x9 busy
ok "no sort"				complains 2 "cannot sort by 'size'; sort by gpu, waited" "top -h" "$grtrace" top --sort size busy
ok "no window"				complains 2 "1s to 60s" "top -h" "$grtrace" top --window 2m busy
ok "no two files"			complains 2 "one file" "top -h" "$grtrace" top busy long
export GRTRACE_DIR="$dir/debugfs"
mkdir "$GRTRACE_DIR" && echo 1 > "$GRTRACE_DIR/enabled" && echo running > "$GRTRACE_DIR/control"
ok "a session that runs keeps its events" complains 3 "a session runs already" "record --live | grtrace top -" "$grtrace" top --source=module
end
