#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: timeline draws what happened, in lines that fit, with the numbers of the report
# GOLDEN=write in the environment writes the golden files anew.
# Tests call these functions through ok(). $2 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

imports=$golden/import merges=$golden/merge names=$golden/names
golden=$golden/timeline
export LC_ALL=C.UTF-8

# Traces of each kind: causes of idle time, hangs, losses, unknown START, several GPUs, names that
# must not be printed as they are, another tool, and merged text.
scenes="chain blame reset kill lossy firmware full suspend two-devices pipelined foreign story-hang vblanks marks gauges"
for scene in $scenes; do
	"$gen" scene "$scene" > "$scene" || exit 1
done
cp "$names/name-esc.grt" name-esc && cp "$names/name-html.grt" name-html && cp "$imports/sched-617.txt" sched-617 &&
	cp "$merges/deltas.txt" deltas || exit 1
{
	echo "[1.000000] GPU FREQUENCY engine=GRAPHICS, ring=1, freq_hz=300000000"
	echo "[1.000100] GPU SUBMIT ctx_id=0x7, engine=GRAPHICS, ring=1, seqno=1"
	echo "[1.000200] GPU COMMIT ctx_id=0x7, engine=GRAPHICS, ring=1, seqno=1"
	echo "[1.000500] GPU FREQUENCY engine=GRAPHICS, ring=1, freq_hz=1200000000"
	echo "[1.001500] GPU END ctx_id=0x7, engine=GRAPHICS, ring=1, seqno=1, status=0"
	echo "[1.001600] GPU COMPLETE ctx_id=0x7, engine=GRAPHICS, ring=1, seqno=1, status=0"
	echo "[1.002000] GPU FREQUENCY engine=GRAPHICS, ring=1, freq_hz=600000000"
	echo "[1.003000] GPU MARK tgid=9, tid=9, text=\"a \\\"b\\\", <- c\""
} > clock
traces="$scenes name-esc name-html sched-617 deltas clock"

show()		# trace: its pictures, each below its command
{
	for options in "--width 60" "--width 100" "--width 160" "--width 100 --ascii"; do
		echo "$ grtrace timeline $options $1"
		# shellcheck disable=SC2086	# options are words
		"$grtrace" timeline $options "$1" 2>&1
	done
}

agrees()	# trace
{
	show "$1" > out
	if [ "${GOLDEN-}" = write ]; then mkdir -p "$golden" && cp out "$golden/$1.txt"; fi
	diff "$golden/$1.txt" out > err
}

# No line of the picture is longer than asked; above it there may be words that do not fit.
fits()		# trace
{
	for width in 40 60 100 160; do
		"$grtrace" timeline --width "$width" --ascii "$1" 2> err | sed '1,/^$/d' > out
		[ -s out ] && ! awk -v width="$width" 'length > width' out | grep . || return 1
	done
}

is_ascii() { "$grtrace" timeline --ascii "$@" > out 2> err && ! LC_ALL=C grep -q '[^ -~]' out; }

# Busy time over all cells of a ring is that of the report, and no cell has more time than its column.
sums()		# options and trace
{
	"$grtrace" timeline -f csv "$@" > cells.csv 2> err && "$grtrace" report -f csv --per-ring "$@" > rings.csv 2> err || return 1
	awk -F, 'NR == 1 { next }
		{ all = 0; for (i = 5; i <= 12; i++) all += $i
		  if (all > $2 - $1) exit 1
		  if ($5 != "") busy[$3 "," $4] += $5 }
		END { for (ring in busy) printf "%s,%d\n", ring, busy[ring] }' cells.csv | sort > drawn || return 1
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = at[$i] ? at[$i] : i; next }
		$at["scope"] == "ring" && $at["busy_ns"] != "" { printf "%s,%s,%d\n", $at["device"], $at["ring"], $at["busy_ns"] }' rings.csv | sort > reported
	cp drawn out && [ -s cells.csv ] && diff drawn reported > err
}

# The numbers of JSON, too, with each cause of idle time.
sums_json()	# trace
{
	"$grtrace" timeline -f csv "$1" | awk -F, 'NR > 1 { busy += $5; starved += $7; dep += $8; sched += $9 }
		END { printf "%d %d %d %d\n", busy, starved, dep, sched }' > drawn
	"$grtrace" report -f json "$1" | tr '{' '\n' | grep '"ring":".*"known_ns"' | grep -oE '"(busy|starved|dependency|scheduler)(_ns)?":[0-9]+' > out
	awk -F: '{ gsub(/"|_ns/, "", $1); sum[$1] += $2 }
		END { printf "%d %d %d %d\n", sum["busy"], sum["starved"], sum["dependency"], sum["scheduler"] }' out > said
	diff drawn said > err
}

# --- the script of the scene "chain" ---
#
# Job 1:1 of game runs on gfx from 50 to 1050 us, 2:1 of llama on compute from 1070 to 3070, and 3:1 of
# train on gfx from 3100 to 3600; each waits for the one before. The trace has 3610 us, a line of 100
# cells 76 columns. So it must be possible to read these times off the picture.
truth()		# from, to and so on, in us: # where jobs run
{
	awk -v times="$*" 'BEGIN {
		n = split(times, t, " ")
		for (c = 0; c < 76; c++) {
			from = c * 3610 / 76; to = from + 3610 / 76; busy = 0
			for (i = 1; i < n; i += 2) {
				a = t[i] > from ? t[i] : from; b = t[i + 1] < to ? t[i + 1] : to
				if (b > a) busy += b - a
			}
			printf "%s", (busy > 0.45 * 3610 / 76 ? "#" : ".")
		}
		print ""
	}'
}
lane()		# ring: its line without texts; boxes are #, all else is .
{
	grep "^$1 " out | cut -c 17-92 | sed 's/game 1:1/########/; s/llama 2:1/#########/; s/train 3:1/#########/; s/dep [12]:1/-------/; s/[^#]/./g'
}
is_as_scripted()
{
	"$grtrace" timeline --ascii --width 100 chain > out || return 1
	[ "$(lane gfx)" = "$(truth 50 1050 3100 3600)" ] && [ "$(lane compute)" = "$(truth 1070 3070)" ] &&
		grep -q '^gfx .*game 1:1#.*-dep 2:1-.*train 3:1#' out && grep -q '^compute .*-dep 1:1-.*llama 2:1#' out
}
has_chain()	# the job that was asked for, and the one that it waited for
{
	"$grtrace" timeline --ascii --around 3:1 chain > out || return 1
	grep -qE '^3:1 +-+#+$' out && grep -qE '^2:1 +-+#+$' out &&
		tr -s ' \n' ' ' < out | grep -q '3:1 train\[9\] gfx - dep 3.1 ms ~ sched 20 us # exec 500 us c complete 10 us total 3.6 ms' &&
		grep -q 'held it up 3.1 ms' out
}

for trace in $traces; do
	ok "$trace: pictures"		agrees "$trace"
	ok "$trace: no line is too long" fits "$trace"
	ok "$trace: ASCII"		is_ascii "$trace"
	ok "$trace: sums are those of the report" sums "$trace"
	ok "$trace: in few cells"	sums --until 1ms "$trace"
done
ok "from a time on"			sums --since 1ms chain
ok "around a job"			sums --around 2:1 chain
ok "JSON has busy times"		sums_json chain
ok "the script can be read off the picture" is_as_scripted
ok "the stages of a job"		has_chain
ok "a hung job and its victim"		sh -c "'$grtrace' timeline --around 17:9 story-hang | grep -q '^15:45 '"

for i in 1 2 3 4; do
	"$gen" sim $i 7 > "sim-$i" 2> /dev/null || continue
	ok "random schedule $i"		sums "sim-$i"
done

# --- merged text ---

ok "merged text has processes"		sh -c "'$grtrace' timeline deltas | grep -q 'glxgears 4660:42'"
ok "without names, no process"		sh -c "'$grtrace' timeline '$merges/example.txt' > out && ! grep -q '=' out"
reads() { "$grtrace" dump "$merges/types.txt" > out && grep -q "ERROR .*code=TIMEOUT status=14" out && grep -q 'MARK .*text="frame 7"' out; }
ok "merged text is a trace"		reads
ok "of which rules hold"		sh -c "'$grtrace' import -o merged.grt '$merges/types.txt' > out && '$grtrace' verify merged.grt > out"
again()		# trace: what is merged, and what is merged of that, are the same jobs
{
	"$grtrace" merge --cpu cpu.txt --gpu "$1" > merged.txt && "$grtrace" report --jobs -f csv merged.txt > got 2> err &&
		"$grtrace" report --jobs -f csv "$1" > want || return 1
	for file in got want; do
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ print $at["ctx"], $at["seqno"], $at["submit_ns"], $at["commit_ns"], $at["end_ns"], $at["complete_ns"] }' "$file" | sort > "$file.keys"
	done
	diff got.keys want.keys > out && [ -s want.keys ]
}
echo "[1.000000] IOCTL_ENTER pid=7 tid=7 comm=a cmd=0x6440 arg=0x0" > cpu.txt
ok "the times of jobs are the same"	again chain
ok "of those that hang, too"		again story-hang

# --- the list ---

cat > merged.txt <<'END'
[1.000000] CPU IOCTL_ENTER cmd=0x6444, arg=0x0 <- game(7)
[1.000010] GPU SUBMIT ctx_id=0x1, engine=GRAPHICS, ring=1, seqno=1 <- 10us after ioctl
[1.000020] CPU IOCTL_ENTER cmd=0x6444, arg=0x0 <- batch(8)
[1.000030] CPU IOCTL_EXIT ret=0, duration_ns=30000 <- game(7)
[1.000040] GPU START ctx_id=0x1, engine=GRAPHICS, ring=1, seqno=1
[1.000050] GPU SUBMIT ctx_id=0x2, engine=GRAPHICS, ring=1, seqno=1 <- 30us after ioctl
[1.000060] GPU END ctx_id=0x1, engine=GRAPHICS, ring=1, seqno=1
[1.000070] GPU COMPLETE ctx_id=0x1, engine=GRAPHICS, ring=1, seqno=1, status=0
[1.000080] CPU IOCTL_EXIT ret=0, duration_ns=60000 <- batch(8)
[1.000090] GPU COMPLETE ctx_id=0x2, engine=GRAPHICS, ring=1, seqno=1, status=0
[1.000100] GPU COMPLETE ctx_id=0x3, engine=GRAPHICS, ring=1, seqno=1, status=0
END
arrows='/--------> ENTER
|--------> SUBMIT
|/-------> ENTER
||-------> EXIT
||-------> START
||-------> SUBMIT
||-------> END
\|-------> COMPLETE
 |-------> EXIT
 \-------> COMPLETE
           COMPLETE'
draws() { "$grtrace" timeline --list --ascii "$@" merged.txt > out 2> err && [ "$(sed -E 's/\[[^]]*\] [A-Z]+ (IOCTL_)?([A-Z]+) .*/\2/' out)" = "$arrows" ]; }
ok "arrows"				draws
ok "lines are those of the file"	sh -c "cut -c 12- out | cmp - merged.txt"
ok "of a part"				sh -c "'$grtrace' timeline --list --since 40us --until @1.000061 merged.txt > out && [ \$(grep -c . out) -eq 3 ]"
ok "from a pipe"			sh -c "'$grtrace' timeline --list - < merged.txt > piped && '$grtrace' timeline --list merged.txt | cmp - piped"
ok "of a trace"				sh -c "'$grtrace' timeline --list chain > out && [ \$(grep -c . out) -eq 16 ] && grep -q '<- 500us GPU exec' out"
ok "of a trace from a pipe"		sh -c "'$grtrace' timeline --list - < chain | cmp - out"
many()		# more jobs at once than there are columns
{
	for i in $(seq 20); do echo "[1.0000$((i + 10))] GPU SUBMIT ctx_id=0x$i, engine=GRAPHICS, ring=1, seqno=1"; done > many.txt
	"$grtrace" timeline --list --ascii many.txt > out && [ "$(grep -c '^|*/-*> ' out)" -eq 8 ] && [ "$(grep -c . out)" -eq 20 ]
}
ok "of many jobs"			many
printf '[1.000000] CPU IOCTL_ENTER cmd=0x1, arg=0x0 <- a\033]0;b\007(7)\nrest\n' > evil.txt
ok "names cannot control a terminal"	sh -c "'$grtrace' timeline --list evil.txt > out 2> err && ! grep -q '[[:cntrl:]]' out && grep -q '1 line of' err"

# --- other ways ---

ok "latencies only"			sh -c "'$grtrace' timeline --latency-only chain > out && grep -q t_dep out && ! grep -q '█' out"
ok "no more than before"		sh -c "'$grtrace' report --per-ring --per-process chain | cmp - out"
ok "as merge_timeline"			sh -c "ln -s '$grtrace' visualize_timeline && ./visualize_timeline chain | grep -q 'game 1:1'"
ok "one ring"				sh -c "'$grtrace' timeline --ring gfx chain > out && grep -q '^gfx' out && ! grep -q '^compute' out"
ok "one engine"				sh -c "'$grtrace' timeline --engine compute chain > out && ! grep -q '^gfx' out && grep -q '^compute' out"
ok "no colours in a pipe"		sh -c "'$grtrace' timeline chain > out && ! grep -q '$(printf '\033')' out"
ok "the width of the terminal"		sh -c "COLUMNS=50 '$grtrace' timeline --ascii chain > out && ! awk 'length > 50' out | grep ."
ok "a locale without UTF-8"		sh -c "LC_ALL=C '$grtrace' timeline chain > out && ! LC_ALL=C grep -q '[^ -~]' out"
"$gen" scene by-hand > by-hand || exit 1
ok "jobs written by hand"		sh -c "'$grtrace' timeline by-hand > out && grep -q '^1 job written by hand' out && grep -q '?????' out"
head -c 5000 /dev/urandom > noise
ok "a file that is none"		complains 4 "no trace" "" "$grtrace" timeline noise
ok "a ring that is none"		complains 2 "no ring 'none'" "gfx" "$grtrace" timeline --ring none chain
ok "a job that is none"			complains 2 "no job 9:9" "" "$grtrace" timeline --around 9:9 chain
ok "a time that is none"		complains 2 "after the end" "spans" "$grtrace" timeline --since 1h chain
ok "too narrow"				complains 2 "40 to 2024" "width" "$grtrace" timeline --width 20 chain
ok "too wide"				complains 2 "40 to 2024" "width" "$grtrace" timeline --width 5000 chain
ok "a bad format"			complains 2 "no format 'x'" "text or csv" "$grtrace" timeline -f x chain
ok "a list around a job"		complains 2 "--list takes" "dump" "$grtrace" timeline --list --around 3:1 chain
end
