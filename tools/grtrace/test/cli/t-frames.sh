#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: report --frames finds the frames that were late, and says because of what
# GOLDEN=write in the environment writes the golden files anew.
# Tests call these functions through ok(). $2 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

golden=$golden/report/frames
export LC_ALL=C.UTF-8
scenes="vblanks marks flips bursts asked"
for scene in $scenes; do
	"$gen" scene "$scene" > "$scene" || exit 1
done

show()		# format, scene: reports, each below its command
{
	for options in "" "--per-process --refresh 100" "--refresh 100" "--frame-mark ^frame --limit 2"; do
		echo "$ grtrace report --format $1 --frames${options:+ }$options $2"
		# shellcheck disable=SC2086	# options are words
		"$grtrace" report --format "$1" --frames $options "$2" 2>&1
	done
}

agrees()	# format, scene
{
	case $1 in text) file=$golden/$2.txt ;; *) file=$golden/$2.$1 ;; esac
	show "$@" > out
	if [ "${GOLDEN-}" = write ]; then mkdir -p "$golden" && cp out "$file"; fi
	diff "$file" out > err
}

frames() { "$grtrace" report --frames "$@" > out 2> err; }
says() { grep -qxF -e "$1" out; }

# Values of a CSV without quotes, by the names of their columns.
cells()		# names
{
	awk -F, -v names="$1" 'NR == 1 { n = split(names, want, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $at[want[i]], (i < n ? " " : "\n") }' out
}

# The parts of each frame sum to its time; so do busy, and the frames follow each other.
is_lawful()	# options and file
{
	frames -f csv "$@" || return 1
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ n++; sum = 0; for (i = at["before_ns"]; i <= NF; i++) sum += $i
		  if ($at["verdict"] == "lossy") { if ($at["before_ns"] != "" || $at["gpu_busy_ns"] != "" || $at["cause"] != "") bad = 1 }
		  else if (sum != $at["duration_ns"] || $at["gpu_busy_ns"] + $at["gpu_wait_ns"] > $at["duration_ns"]) bad = 1
		  if (end && $at["start_ns"] != end) bad = 1
		  end = $at["start_ns"] + $at["duration_ns"] }
		END { exit bad || n < 3 }' out
}

# Worked out by hand from the scene, whose comment says why.
expected='1 10000000 on_time 1 ran
2 20000000 late 2 run
3 10000000 on_time 3 ran
4 20000000 late 4 before
5 20000000 late 5 ran
6 20000000 late 6 hang
7 10000000 lossy
8 10000000 on_time 8 ran'
is_as_scripted() { frames -f csv vblanks && cells "frame duration_ns verdict seqno cause" | sed "s/ *\$//" > got && [ "$(cat got)" = "$expected" ]; }
counts()	# the same numbers of frames in the rows and in the sums
{
	frames -f csv "$1" && cells verdict | sort | uniq -c | awk '{ print $2, $1 }' > rows
	frames --per-process -p 7 -f csv "$1" || return 1
	for verdict in on_time late open lossy pause; do
		[ "$(cells "$verdict")" = "$(awk -v v="$verdict" '$1 == v { n = $2 } END { print n + 0 }' rows)" ] || return 1
	done
}

# What was seen and what was not sum to the numbers; each question and each answer is counted once.
displays_add_up()	# first and last number of CRTC 0, file
{
	"$grtrace" report --displays -f csv "$3" > out 2> err && awk -F, -v span="$(($2 - $1 + 1))" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["crtc"] == 0 && $at["seen"] + $at["missing"] != span { bad = 1 }
		$at["asked"] != $at["in_time"] + $at["missed"] + $at["passed"] + $at["asked_unknown"] { bad = 1 }
		$at["told"] != $at["prompt"] + $at["late"] + $at["told_unknown"] { bad = 1 }
		$at["latency_count"] != $at["in_time"] + $at["missed"] || $at["missing_lost"] > $at["missing"] { bad = 1 }
		END { exit bad || NR != 3 }' out
}

for scene in $scenes; do
	ok "$scene: a sound trace"	run 0 "$grtrace" verify "$scene"
	for format in text csv json; do
		ok "$scene: $format"	agrees "$format" "$scene"
	done
	[ "$scene" = asked ] && continue	# it has no frames
	ok "$scene: adds up"		is_lawful "$scene"
	ok "$scene: the sums count the rows" counts "$scene"
done
ok "adds up by marks, too"		is_lawful --frame-mark '^frame' marks
ok "each frame is as scripted"		is_as_scripted

ok "vertical blanks"			frames vblanks
ok "how many were late"			says '7 frames, 4 late (over 11.0 ms):'
ok "because of another's jobs"		says " 1 because gfx ran batch[8]'s jobs (9.0 ms)"
ok "because of the process"		says ' 1 because game[7] submitted late (10.0 ms)'
ok "because of its own job"		says ' 1 because its own jobs ran long (9.0 ms)'
ok "because of a hang"			says ' 1 because 2:2 hung (9.0 ms)'
ok "one is not judged"			says '1 more not judged: events are missing there'
ok "a fence"				sh -c "'$grtrace' report --frames --frame-mark '^frame' marks > out && grep -qxF \" 1 because compute ran batch[8]'s jobs (13.0 ms)\" out"
ok "a full ring"			says " 1 because compute was full while it ran batch[8]'s jobs (13.0 ms)"
ok "display latency is from the mark to the vertical blank" sh -c "'$grtrace' report --frames --frame-mark '^frame' -f csv marks | cut -d, -f12 | tr '\n' ' ' | grep -qx 'display_latency_ns  25000000 25000000 15000000 '"
ok "without a display"			frames bursts
ok "nobody says what is late"		grep -q -e ': --refresh 60 says' out
ok "a pause is no frame"		says '1 pause of over 250.0 ms without a SUBMIT; not counted'
ok "the user says"			frames --refresh 100 bursts
ok "then it is known"			says " 1 because gfx ran batch[8]'s jobs (19.0 ms)"
# Worked out by hand: before, scheduler, unknown, ran, held, done and after of each frame, and its cause.
parts="before_ns wait_scheduler_ns wait_unknown_ns ran_ns held_ns done_ns after_ns cause"
are()		# parts, options and file
{
	want=$1
	shift
	frames -f csv "$@" && cells "$parts" > got && [ "$(cat got)" = "$want" ]
}
# 5:1 runs from 1.1 to 10 ms, 9:1 is there from 3 to 4 ms; a frame ends at 5.5 ms.
ok "a job across the frame had the time before" are "500000 160000 0 4330000 0 10000 0 ran
0 0 0 4500000 0 1000 10499000 before" --frame-mark '^frame' --refresh 250 "$golden/job-across-frame.grt"
# Behind 5:2, which did not run, 5:1 is the first one that completes behind the frame.
ok "the first job behind the frame has its end" are "500000 2900000 0 1500000 90000 10000 0 scheduler
0 9500000 0 1000000 0 1000 4499000 scheduler" "$golden/job-behind-no-hw.grt"
# The job runs from 1.6 to 8.9 us, and one record tells of it at 10 us; a frame begins each 2 us.
ok "a job that is one record was in all these frames" are "0 0 0 2000 0 0 0 ran
0 0 0 2000 0 0 0 ran
0 0 0 2000 0 0 0 ran
0 0 0 900 0 100 1000 before
2000 0 0 0 0 0 0 before" "$golden/whole-job.raw"
# The blanks are 16.667 ms apart, their events 3 ms late now and then; one frame misses a refresh.
ok "the hardware says when a blank begins"	frames "$golden/late-blank-events.txt"
ok "so one frame is late"		says '58 frames, 1 late (over 18.3 ms):'
ok "and this is said"			grep -q '^FRAMES of .*, at the times that the hardware says$' out
sed "s/time=1/time=4/" "$golden/late-blank-events.txt" > other.txt
ok "another clock is not mixed in"	frames other.txt
ok "which is said, too"			grep -q '^FRAMES of .*, at the times of their events$' out
ok "when a job was complete at the latest" frames --refresh 60 "$golden/upper-bound.txt"
ok "the reason takes at most so long"	says ' 1 because its jobs waited; why is not known (at most 600.0 ms)'
ok "and how many are meant"		says 'in 1 of these, a job was perhaps complete before its COMPLETE'
ok "for programs"			frames --refresh 60 -f csv "$golden/upper-bound.txt"
ok "in the flags"			[ "$(cells "verdict flags cause")" = "late upper_bound unknown" ]
ok "in the sums"			sh -c "'$grtrace' report --frames --refresh 60 -f json '$golden/upper-bound.txt' | jq -e '.processes[0] | .late_upper_bound == 1 and .stamps == null'"
ok "a trace in which time runs backwards" run 0 "$build/fuzz/replay-raw" "$golden/time-runs-back.raw"
# A hint is to be pasted, so it is one line.
fits()		# width, options
{
	width=$1
	shift
	COLUMNS=$width "$grtrace" report --frames "$@" 2> err | sed '/^hint:/d; s/·/./g' > out
	[ "$(grep -c . out)" -gt 10 ] && ! awk -v width="$width" 'length > width' out | grep .
}
for width in 60 80 100; do
	ok "fits $width columns"	fits "$width" vblanks
	ok "all processes fit $width"	fits "$width" --per-process marks
done
ok "a slow display"			sh -c "'$grtrace' report --frames --refresh 50 vblanks | grep -q '^7 frames, none late (over 22.0 ms)'"
ok "another process"			sh -c "'$grtrace' report --frames --comm batch vblanks | grep -q '^FRAMES of batch\[8\], from vertical blanks'"
ok "a process without jobs"		sh -c "'$grtrace' report --frames -p 99 vblanks | grep -q '^no frames: of this process'"
ok "is a warning for programs"		sh -c "'$grtrace' report --frames -p 99 -f csv vblanks 2>&1 > out | grep -q 'warning: no frames'"
ok "no mark matches"			sh -c "'$grtrace' report --frames --frame-mark nothing marks | grep -q '^no frames: no two marks match --frame-mark'"
ok "from a pipe"			sh -c "cat vblanks | '$grtrace' report --frames -f csv - > piped && '$grtrace' report --frames -f csv vblanks | cmp - piped"
ok "a window"				is_lawful --since 20ms vblanks
ok "a process that marks its frames is the one" sh -c "'$grtrace' report --frames marks | grep -q '^FRAMES of game'"
"$gen" scene chain > chain || exit 1
head -c 5000 /dev/urandom > noise
ok "a trace with one job of each"	sh -c "'$grtrace' report --frames chain | grep -q '^no frames: the trace has neither'"

# Worked out by hand from the scene, whose comment says why.
by_hand='0 10000000 hardware 9 12 1 0 6 2 1 1 2 6 5 1 0 3 18000000
1 8000000 events 5 0 0 1 1 0 0 0 1 1 0 0 1 0 '
names="crtc refresh_ns stamps seen missing missing_lost restarts asked in_time missed passed asked_unknown told prompt late told_unknown latency_count latency_max_ns"
ok "displays"				run 0 "$grtrace" report --displays -f csv asked
ok "are as scripted"			[ "$(cells "$names")" = "$by_hand" ]
ok "nothing is counted twice"		displays_add_up 1 21 asked
ok "a source without questions: not known" run 0 "$grtrace" report --displays -f csv vblanks
ok "but the blanks are"			[ "$(cells "crtc refresh_ns seen missing asked missed told late")" = "1 10000000 13 0    " ]
ok "in a window"			run 0 "$grtrace" report --displays -f csv --since 20ms --until 55ms asked
ok "only what is in it"			[ "$(cells "crtc seen asked told" | head -1)" = "0 3 2 4" ]
"$gen" scene two-displays > two || exit 1
names='CRTC 0 of 0000:0b:00.0
CRTC 0 of 0000:0c:00.0
CRTC 1 of 0000:0b:00.0'
ok "displays of two GPUs"		run 0 "$grtrace" report --displays two
ok "have their names"			[ "$(sed -n 's/^ \(CRTC [0-9] of [0-9a-f:.]*\) .*/\1/p' out)" = "$names" ]
ok "also where they show frames"	sh -c "'$grtrace' report --frames two | grep -q '^FRAMES of game.7., from vertical blanks of CRTC 0 of 0000:0b:00.0, '"
ok "in a picture"			run 0 "$grtrace" timeline --width 120 two
ok "the same names"			[ "$(sed -n 's/^ \(CRTC [0-9] of .*\): 1-9 .*/\1/p' out)" = "$names" ]
ok "no vertical blanks"			sh -c "'$grtrace' report --displays bursts 2> err | grep -qx 'no displays: the trace has no vertical blanks'"
ok "is a warning for programs"		sh -c "'$grtrace' report --displays -f csv bursts 2>&1 > out | grep -q 'warning: no vertical blanks'"
for width in 40 60 80 100; do
	ok "displays fit $width columns" sh -c "! COLUMNS=$width '$grtrace' report --displays asked 2> err | sed 's/·/./g' | grep '.\{$((width + 1))\}'"
done
ok "displays of a process"		complains 2 "of the whole machine" "report --frames" "$grtrace" report --displays -p 7 asked
ok "a bad expression"			complains 2 "frame-mark '('" "regular expression" "$grtrace" report --frames --frame-mark '(' marks
ok "a bad rate"				complains 2 "'x' is no refresh rate" "like 60" "$grtrace" report --frames --refresh x marks
ok "no rate"				complains 2 "'0' is no refresh rate" "like 60" "$grtrace" report --frames --refresh 0 marks
ok "with other tables"			complains 2 "no other tables" "leave" "$grtrace" report --frames --blame marks
ok "with other groups"			complains 2 "no other tables" "leave" "$grtrace" report --frames --per-ring marks
ok "with jobs"				complains 2 "no other tables" "leave" "$grtrace" report --frames --jobs marks
ok "with filters"			complains 2 "without other filters" "choose a process" "$grtrace" report --frames --ring gfx marks
ok "marks without --frames"		complains 2 "are for --frames" "report --frames" "$grtrace" report --frame-mark x marks
ok "a file that is none"		complains 4 "no trace" "" "$grtrace" report --frames noise
end
