#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace report reads valid input and refuses other input, with the right exit code
# Tests call these functions through ok(). $2 and the like are variables of awk and jq, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

says() { grep -q -e "$1" out; }

same()		# what follows "grtrace report", twice: the same output
{
	run 0 sh -c "'$grtrace' report $1" && cp out first &&
	run 0 sh -c "'$grtrace' report $2" && cmp -s first out
}

"$gen" example 0 > events0 && "$gen" example 1 > events1 || exit 1
cat events0 events1 > joined
"$gen" grt 4 40000 big.grt || exit 1
head -c 2000000 big.grt > short.grt
: > empty
head -c 5000 /dev/urandom > noise
mkdir nowhere live
cp events0 events1 live
: > live/control
echo 0 > live/enabled

# CPU 0 finishes a job; the account of a loss while the job ran comes only later
is_lossy()
{
	run 0 "$grtrace" report --jobs -f csv joined || return 1
	jobs=$(grep -c ",lossy\(|[a-z_|]*\)*,,,,," out)
	run 0 "$grtrace" report -f csv joined || return 1
	rings=$(sed 's/"[^"]*"/x/g' out | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "lossy") column = i }
		$1 == "ring" { lossy += $column }
		END { print lossy }')
	[ "$jobs" -ge 3 ] && [ "$jobs" = "$rings" ]
}

# total = host + queue + exec + complete in every row that has all of them
adds_up()
{
	run 0 "$grtrace" report --jobs --format csv big.grt &&
	awk -F, 'NR == 1 { if (NF != 39) exit 1; next }
		 { n++; if ($17 != "" && $18 != "" && $19 != "" && $22 != "" && $23 != "") {
			whole++; if ($17 + $18 + $19 + $22 != $23) bad++ } }
		 END { exit n != 10000 || whole != n || bad }' out
}

ok "a summary of a .grt"		run 0 "$grtrace" report big.grt
ok "it names every ring"		says "ring8"
ok "it prints losses beside the headline" says "^0 events lost"
ok "-i names the file too"		same "-i big.grt" "big.grt"
ok "each row adds up"			adds_up
ok "losses reach jobs that ended before they were told"	is_lossy
ok "raw files, one by one or joined"	same "--jobs -f csv events0 events1" \
					     "--jobs -f csv joined"
ok "a raw file from a pipe"		sh -c "cat joined | '$grtrace' report --jobs -f csv - > out 2> err && cmp out first"
ok "trace.grt by default"		sh -c "mkdir d && cp big.grt d/trace.grt && cd d && '$grtrace' report > /dev/null"
# The types of events, as many as dump prints.
"$gen" scene blame > blame
types() { "$grtrace" dump -f csv blame | sed 1d | cut -d, -f1 | sort | uniq -c | awk '{ print $2 "," $1 }' > a
	run 0 "$grtrace" report --events -f csv blame && sed 1d out | cut -d, -f1,2 | sort > b && cmp a b; }
ok "types of events"			types
ok "with their fields"			says '^COMPLETE,[0-9]*,[0-9]*,[0-9]*,ctx seqno ring status$'
ok "and times"				sh -c "'$grtrace' report -E blame | grep -qE '^ ?SUBMIT +4 +0 ns +[0-9.]+ [mu]s +ctx seqno ring .*tgid'"
ok "of the whole trace"			complains 2 "whole trace" "report -h" "$grtrace" report --events --ring gfx blame
ok "and nothing else"			complains 2 "whole trace" "report -h" "$grtrace" report --events --jobs blame
# Of these jobs it is known where they ran: the last columns say so.
without_place() { sed 's/\(,[^,]*\)\{10\}$//' "$1"; }
live_is_same()
{
	(cd nowhere && GRTRACE_DIR=../live timeout 20 "$grtrace" report --live --jobs -f csv > ../out 2> ../err) || return 1
	without_place out > live.csv
	without_place first | diff - live.csv > err && sed 1d out | grep -v ",$(uname -n),$(cat /proc/sys/kernel/random/boot_id)," > err
	[ ! -s err ]
}
ok "the live session"		live_is_same
ok "losses are told where rows have no room" sh -c "'$grtrace' report -f csv events0 2>&1 > /dev/null | grep -q '10 events are missing in this trace'"
ok "--limit"				sh -c "[ \$('$grtrace' report --jobs -f json -n 7 big.grt | wc -l) = 7 ]"
ok "--pid"				sh -c "'$grtrace' report --jobs -f csv -p 101 big.grt | awk -F, 'NR > 1 { n++; if (\$6 != 101) exit 2 } END { exit !n }'"
ok "--ring by name"			sh -c "'$grtrace' report --jobs -f csv -r ring3 big.grt | awk -F, 'NR > 1 { n++; if (\$2 != \"ring3\") exit 2 } END { exit !n }'"
ok "a truncated file: warning and report" run 0 "$grtrace" report short.grt
ok "the warning is there"		grep -q "warning: .*not closed properly" err
ok "the headline says it too"		says "^number of events lost unknown · events missing at the end are not counted"
ok "nothing to read"			sh -c "cd nowhere && GRTRACE_DIR=/nonexistent '$grtrace' report > ../out 2> ../err; [ \$? = 3 ] && grep -q '^hint: sudo grtrace record' ../err"
ok "no such file"	complains 3 "nosuch" "record" "$grtrace" report nosuch
ok "an empty file"	complains 4 "empty" "record" "$grtrace" report empty
ok "noise"		complains 4 "no trace" "events0" "$grtrace" report noise
ok "no such format"	complains 2 "xml" "csv" "$grtrace" report -f xml big.grt
ok "no such ring"	complains 2 "no ring 'nope'" "ring8 (8)" "$grtrace" report -r nope big.grt
# A file cut at any place: a report and a warning, or one error with a hint.
cut_anywhere()	# file
{
	size=$(stat -c %s "$1") bytes=1
	while [ "$bytes" -lt "$size" ]; do
		head -c "$bytes" "$1" > part
		"$grtrace" report part > out 2> err
		case $? in
		0) grep -q '^grtrace: warning: ' err || return 1 ;;
		4) [ "$(grep '^grtrace: ' err | grep -vc ' warning: ')" = 1 ] && grep -q '^hint: ' err || return 1 ;;
		*) return 1 ;;
		esac
		bytes=$((bytes + 97))
	done
}

"$gen" pair pair.grt || exit 1
ok "a .grt that was cut"		cut_anywhere pair.grt
ok "a raw stream that was cut"		cut_anywhere events0

# --jobs with these options gives ROWS rows, and awk's CONDITION holds in each
rows()		# rows, condition, options
{
	wanted=$1 condition=$2
	shift 2
	run 0 "$grtrace" report --jobs -f csv "$@" &&
	awk -F, -v n="$wanted" 'NR > 1 { rows++; if (!('"$condition"')) bad = 1 }
		END { exit bad || rows + 0 != n }' out
}

"$gen" scene blame > blame && "$gen" scene kill > killed || exit 1
cat > my.rules <<'END'
# jobs of one ring
ring == gfx label=mine
off long-queue
END

ok "options alone are those of report"	sh -c "'$grtrace' --per-ring big.grt > out && '$grtrace' report --per-ring big.grt | cmp - out"
ok "--filter"		rows 2 '$2 == "gfx"' --filter 'ring == gfx && total > 5ms' blame
ok "--filter by label"	rows 1 '$26 == "dependency-stall"' --filter 'label == dependency-stall' blame
ok "--slower"		rows 1 '$23 > 7500000' --slower 7.5ms blame
ok "--engine by name"	rows 2 '$3 == "COMPUTE"' --engine compute blame
ok "--engine-mask"	rows 2 '$3 == "GRAPHICS"' --engine-mask 0x1 blame
ok "--engine, two"	rows 4 1 --engine gfx,compute blame
ok "--comm"		rows 1 '$7 == "llama"' --comm llama blame
ok "--until cuts no job"	rows 4 '$24 == 0 && $23 != ""' --until 5ms blame
ok "--until, before a job"	rows 3 '$8 < 1000045000' --until 45us blame
ok "--since: jobs that go on"	rows 3 '$12 > 1005000000' --since 5ms blame
ok "a time of the clock"	rows 3 '$12 > 1005000000' --since @1.005 blame
ok "jobs submitted in a time"	rows 2 '$8 >= 1000040000' --since 30us --since-by submit blame
ok "jobs complete in a time"	rows 2 '$12 < 1007000000' --until 7ms --since-by complete blame
ok "from a job on"		rows 2 '$8 >= 1000040000' --since 1:1 --since-by submit blame
ok "up to a job"		rows 1 '$4 == 3' --until 2:1 --since-by complete blame
ok "a while after a job"	rows 1 '$5 == 2' --since 1:1+5us --since-by submit blame
ok "a while before a job"	rows 3 '$8 >= 1000020000' --since 1:1-25us --since-by submit blame
ok "around a job"		sh -c "'$grtrace' report --around 1:2 -f json blame | grep -q '\"only_time\":null' && '$grtrace' report --around 3:1 -f json blame | grep -q '\"from_ns\":1000000000,\"to_ns\":1008040000,\"rule\":\"touch\"'"
ok "a job's chain is whole in any time"	sh -c "'$grtrace' report --why 1:2 --until 60us -f csv blame > out && '$grtrace' report --why 1:2 -f csv blame | cmp - out"
ok "a time after the end"	complains 2 "'1h' is after the end" "the trace spans 0s to 0.00805s, or @1 to @1.00805" "$grtrace" report --since 1h blame
ok "a time before the beginning" complains 2 "'@0.5' is not after the beginning" "@1 to @1.00805" "$grtrace" report --until @0.5 blame
ok "until before since"		complains 2 "until '2ms' is not after since '3ms'" "0s to 0.00805s" "$grtrace" report --since 3ms --until 2ms blame
ok "of diff, too"		complains 2 "'1h' is after the end" "0s to 0.00805s" "$grtrace" diff --since 1h blame blame
ok "a job that is not there"	complains 2 "no job 9:9" "--jobs" "$grtrace" report --until 9:9 blame
ok "no time"			complains 2 "'soon' is not a time" "@904.057" "$grtrace" report --since soon blame
ok "no rule"			complains 2 "no rule 'x'" "touch, submit or complete" "$grtrace" report --since 0 --since-by x blame
ok "around and since"		complains 2 "either --around or" "" "$grtrace" report --since 0 --around 1:1 blame

ring_times() { "$grtrace" report --idle -f csv "$@" sim | awk -F, '/^$/ { exit } NR > 1 { print $1 $2 $3, $5, $7 + $8, $9, $10, $11, $12, $13, $14 }'; }

# With --step, rings of a step have the same time, and steps sum to the whole.
steps_add_up()	# class, seed
{
	"$gen" sim "$1" "$2" > sim && ring_times > whole &&
	"$grtrace" report --step 3us -f csv sim > steps && [ "$(wc -l < steps)" -gt 3 ] &&
	awk -F, 'NR > 1 && $4 != "" && ($4 != $10 + $11 + $12 + $13 + $14 + $15 + $16 + $17 || $4 > 3000) { bad = 1 } END { exit bad }' steps &&
	awk -F, 'NR > 1 { print $1 $5 $6, $4, $10 + $11, $12, $13, $14, $15, $16, $17 }' steps > parts &&
	grep '^ring' whole | awk 'NR == FNR { for (i = 2; i < 10; i++) sum[$1, i] += $i; next }
		{ for (i = 2; i < 10; i++) if (sum[$1, i] != $i) bad = 1 } END { exit bad }' parts -
}
# No line of these tables is wider than the terminal.
fits()		# cells, then options
{
	cells=$1
	shift
	COLUMNS=$cells "$grtrace" report "$@" > out 2> err &&
		sed '1,/^$/d' out | awk -v n="$cells" 'length($0) > n { bad = 1 } END { exit bad || !NR }'
}
per_second()
{
	run 0 "$grtrace" report --per-second -f csv blame &&
	awk -F, 'NR > 1 && $1 == "ring" && $4 == 8050000 && $18 == 2 { n++ } END { exit NR != 3 || n != 2 }' out
}
ok "--per-second"		per_second
ok "--step --per-process"	sh -c "'$grtrace' report --step 4ms --per-process -f csv blame | grep -q '^ring_process,1000000000,0,4000000,0000:0b:00.0,compute,9,train,4000000,3990000,,0,0,10000,0,0,0,0,,,0,0,0,0,0,0,0,0,0,0$'"
ok "steps begin with the window"	sh -c "'$grtrace' report --step 1ms --since 5ms -f csv blame | sed -n '2s/^ring,1005000000,5000000,1000000,.*/yes/p' | grep -q yes"
ok "too many steps"		complains 2 "has 8,050,000 steps of 1 ns" "--step 1us" "$grtrace" report --step 1ns blame
ok "a step of no time"		complains 2 "a step of no time" "--step 100ms" "$grtrace" report --step 0 blame
for class in 0 1 2 3 4 5; do
	ok "the time of rings in steps, class $class"	steps_add_up $class 7
done
# So do the headline and the first two tables; wc counts cells, not bytes.
screen_fits()	# cells, file
{
	COLUMNS=$1 "$grtrace" report "$2" 2> err | awk '/^WHO |^WORST/ { exit } { print }' > out
	grep -q "^WHAT THE RINGS DID" out && grep -q "^WHERE JOBS SPENT" out &&
	[ "$(LC_ALL=C.UTF-8 wc -L < out)" -le "$1" ]
}
"$gen" scene two-devices > two && "$gen" scene lossy > lossy && "$gen" scene reset > reset || exit 1
for cells in 60 72 80 100 132; do
	ok "$cells cells: steps"	fits $cells --step 1ms --per-process blame
	for scene in two lossy reset blame big.grt; do
		ok "$cells cells: the first screen of $scene" screen_fits $cells $scene
	done
done

# In each window, the time of a ring is that of the window. Windows that follow each other sum to the whole.
adds_up()	# class, seed
{
	"$gen" sim "$1" "$2" > sim && ring_times > whole && [ -s whole ] || return 1
	: > parts
	for part in '--until 20us' '--since 20us --until 35us' '--since 35us'; do
		# shellcheck disable=SC2086
		ring_times $part >> parts || return 1
	done
	awk '$2 != $3 + $4 + $5 + $6 + $7 + $8 + $9 { bad = 1 } END { exit bad }' whole parts &&
	awk 'NR == FNR { for (i = 2; i < 10; i++) sum[$1, i] += $i; next }
		{ for (i = 2; i < 10; i++) if (sum[$1, i] != $i) bad = 1 } END { exit bad }' parts whole
}
for class in 0 1 2 3 4 5; do
	ok "the time of rings in windows, class $class"	adds_up $class 7
done
ok "--since"		rows 3 '$12 > 1005000000' --since 5ms killed
ok "--since from a pipe" sh -c "'$grtrace' report --jobs -f csv --since 5ms - < killed > out 2> err && '$grtrace' report --jobs -f csv --since 5ms killed | cmp - out"
ok "--rules"		rows 1 '$26 == "mine"' --rules my.rules --filter 'label == mine && total > 7.5ms || seqno == 2' --limit 2 blame
ok "--no-rule"		rows 4 '$26 == ""' --no-rule long-queue,dependency-stall blame
ok "--na in CSV"	rows 3 '$26 == "NA" && $21 == "NA"' --na NA --no-rule error killed
ok "--na in text"	sh -c "'$grtrace' report --jobs --na '?' killed | grep -q ' ? '"
ok "--topN"		sh -c "[ \$('$grtrace' report --blame -f csv --topN 2 blame | wc -l) = 3 ]"
ok "--topn is --topN"	same "--blame -f csv --topn 2 blame" "--blame -f csv --topN 2 blame"
ok "--topn beside others: the list, too" run 0 "$grtrace" report --topn 2 --hist lat --per-ring blame
ok "the jobs, with their stages" says "^WORST JOBS (2 of 4)  *t_queue  t_exec  t_gpu_wait  t_complete  *total"
ok "a row of them"	says "^ 1:2  game\[7\]  gfx  *990 us  1.0 ms  *-  *10 us  8.0 ms  waited 6.0 ms for llama"
ok "what held jobs up"	says "^WHO WAITED FOR WHOM"
ok "as many rows of it"	says "^ [0-9]* more: grtrace report --blame blame"
ok "the rings"		says "^BY ring "
ok "the histogram"	says "^HOW LONG JOBS TOOK"
ok "all four in CSV"	sh -c "'$grtrace' report --topn 2 --hist lat --per-ring -f csv blame > out && [ \$(grep -c '^\$' out) = 3 ] && grep -q '^gfx,.*,8010000,\|,gfx,.*,1,2,7,game,' out"
ok "and in JSON"	sh -c "! command -v jq > /dev/null || '$grtrace' report --topn 2 --hist lat --per-ring -f json blame | jq -e '(.worst | length) == 2 and (.blame | length) > 0 and (.rings | length) == 2 and (.latencies | length) > 0' > out"
"$gen" scene synthetic > mixed && "$gen" scene by-hand > by-hand || exit 1
ok "jobs by hand are left out beside others" rows 1 '$25 !~ /synthetic/' mixed
ok "those by hand count where there is nothing else" rows 1 '$25 ~ /synthetic/' by-hand
ok "and that is said"	sh -c "'$grtrace' report by-hand | grep -q '^1 job written by hand, and no others'"
ok "--why takes them, too" sh -c "'$grtrace' report --why 9:1 by-hand > out"
ok "from a pipe as well" sh -c "'$grtrace' report - < by-hand | grep -q '^1 job written by hand, and no others'"
ok "several tables in CSV"	sh -c "[ \$('$grtrace' report --blame --idle -f csv blame | grep -c '^\$') = 2 ]"
ok "a group that is not asked for" sh -c "! '$grtrace' report -f json blame | grep -q contexts"
ok "a group that is"	sh -c "[ \$('$grtrace' report -f csv --per-ctx blame | grep -c ^ctx) = 3 ]"
ok "a bad filter"	complains 2 "filter, column 1: no field 'nope'" "fields: device" "$grtrace" report --filter 'nope == 1' blame
ok "a bad rules file"	complains 2 "blame" "" "$grtrace" report --rules blame blame
ok "no such rules file"	complains 2 "cannot read 'nosuch'" "" "$grtrace" report --rules nosuch blame
ok "no such rule"	complains 2 "no rule 'nope'" "error" "$grtrace" report --no-rule nope blame
ok "no such engine"	complains 2 "no engine 'gpu'" "GRAPHICS" "$grtrace" report --engine gpu blame
ok "no such histogram"	complains 2 "no histogram 'x'" "lat" "$grtrace" report --hist lat,x blame
ok "--why of no job"	complains 2 "'seven' is no job" "401:78" "$grtrace" report --why seven blame
ok "--why of a job that is not there" complains 2 "no job 1:9 " "1:2" "$grtrace" report --why 1:9 blame
ok "--why from a pipe"	sh -c "'$grtrace' report --why 1:2 --steps - < blame | grep -q 'waits for 2:1'"
ok "no such option"	complains 2 "nonsense" "report" "$grtrace" report --nonsense
ok "a full disk"	sh -c "! '$grtrace' report big.grt > /dev/full 2> err && grep -q 'No space' err"
ok "a reader who leaves" sh -c "'$grtrace' report --jobs big.grt 2> err | head -1 > /dev/null && [ ! -s err ]"
end
