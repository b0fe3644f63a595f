#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: report --memory says what is live, what moves and what may leak, and nothing that it cannot know
# GOLDEN=write in the environment writes the golden files anew.
# Tests call these functions through ok(). $2 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

golden=$golden/report/memory
export LC_ALL=C.UTF-8
scenes="memory leak no-leak no-ends leak-lossy leak-reused placed twice two-gpus old-memory memory-by-hand"
for scene in $scenes moves; do
	"$gen" scene "$scene" > "$scene" || exit 1
done

agrees()	# format, scene
{
	case $1 in text) file=$golden/$2.txt ;; *) file=$golden/$2.$1 ;; esac
	for options in "" "--pid 7" "--until 1s"; do
		echo "$ grtrace report --format $1 --memory${options:+ }$options $2"
		# shellcheck disable=SC2086	# options are words
		"$grtrace" report --format "$1" --memory $options "$2" 2>&1
	done > out
	if [ "${GOLDEN-}" = write ]; then mkdir -p "$golden" && cp out "$file"; fi
	diff "$file" out > err
}

memory() { "$grtrace" report --memory "$@" > out 2> err; }
says() { grep -qF -e "$1" out; }
says_not() { ! grep -qiF -e "$1" out; }

# Values of a table of a CSV without quotes, by its number and the names of its columns.
cells()		# table, names
{
	awk -F, -v table="$1" -v names="$2" 'BEGIN { nr = 1 }
		/^$/ { nr++; head = 0; next }
		nr == table && !head { n = split(names, want, " "); for (i = 1; i <= NF; i++) at[$i] = i; head = 1; next }
		nr == table { for (i = 1; i <= n; i++) printf "%s%s", $at[want[i]] == "" ? "-" : $at[want[i]], (i < n ? " " : "\n") }' out
}

has()		# table, names, then a row each
{
	table=$1 names=$2
	shift 2
	cells "$table" "$names" > rows
	printf '%s\n' "$@" | diff - rows > err
}

# In each table: created - destroyed = live, and what comes into a domain less what leaves it; sums are those of the parts.
is_lawful()	# options and file
{
	memory -f csv "$@" || return 1
	cells 1 "scope live_begin_bytes created_bytes destroyed_bytes live_end_bytes live_peak_bytes" |
		awk '$5 != "-" { n++; if ($2 + $3 - $4 != $5 || $6 < $5 || $6 < $2) bad = 1 }
			$1 == "all" { created = $3; live = $5; next } { c += $3; l += $5 }
			END { exit bad || !NR || c != created || (live != "-" && l != live) }' || return 1
	cells 2 "live_begin_bytes created_bytes moved_in_bytes moved_out_bytes destroyed_bytes live_end_bytes" |
		awk '$6 != "-" && $1 + $2 + $3 - $4 - $5 != $6 { bad = 1 } { i += $3; o += $4 } END { exit bad || i != o }' || return 1
	[ "$(cells 2 created_bytes | awk '{ s += $1 } END { print s + 0 }')" = "$(cells 1 "scope created_bytes" | sed -n 's/^all //p')" ] || return 1
	moved=$(cells 4 "scope moved_bytes" | sed -n 's/^all //p')
	[ "$(cells 3 bytes | awk '{ s += $1 } END { print s + 0 }')" = "${moved:-0}" ] || return 1
	cells 3 "mean_bytes_per_s peak_bytes_per_s" | awk '$1 != "-" && $2 + 1 < $1 { bad = 1 } END { exit bad }' || return 1
	# The last column ends where the table of processes says; columns follow each other.
	cells 5 "scope pid from_ns to_ns live_low_bytes live_end_bytes" |
		awk '{ key = $1 $2 } key == last && $3 != to { bad = 1 } { last = key; to = $4; end[key] = $6; n[key]++ }
			$5 != "-" && $5 > $6 { bad = 1 }
			END { for (k in n) if (n[k] != 60) bad = 1; exit bad || !NR }'
}

same_figures()	# scene: its CSV, its JSON
{
	memory -f csv "$1" || return 1
	for table in memory domains moves causes live; do
		nr=$((${nr:-0} + 1))
		awk -v table="$nr" 'BEGIN { nr = 1 } /^$/ { nr++; next } nr == table' out > part.csv
		"$grtrace" report --memory -f json "$1" 2> err |
			jq -r --arg t "$table" '.[$t] as $rows | if ($rows | length) == 0 then empty else
				($rows[0] | keys_unsorted | join(",")), ($rows[] | [.[] | if . == null then "" else tostring end] | join(",")) end' > part.json
		[ -s part.json ] || sed -n 1p part.csv > part.json
		cmp -s part.csv part.json || { nr=; diff part.csv part.json > err; return 1; }
	done
	nr=
}

for scene in $scenes; do
	ok "$scene: text"			agrees text "$scene"
	ok "$scene: CSV and JSON agree"		same_figures "$scene"
done
for format in csv json; do
	ok "memory: $format"			agrees "$format" memory
done
for scene in memory leak no-leak no-ends leak-lossy leak-reused placed twice two-gpus old-memory; do
	ok "$scene: a sound trace"		run 0 "$grtrace" verify "$scene"
	ok "$scene: adds up"			is_lawful "$scene"
	ok "$scene: a window adds up"		is_lawful --since 1s --until 1700ms "$scene"
done
ok "memory: one process adds up"		is_lawful -p 7 memory

# Worked out by hand from the scene, of which only 10 s count.
ok "figures"					memory -f csv --until 10s memory
ok "live bytes"	has 1 "scope pid created_bytes destroyed_bytes live_end_bytes live_peak_bytes live_peak_at_ns" \
	"all - 7340032 2097152 5242880 7340032 5000000000" \
	"process 8 4194304 0 4194304 4194304 5000000000" \
	"process 7 3145728 2097152 1048576 3145728 2000000000"
ok "domains"	has 2 "pid domain_name created_bytes moved_in_bytes moved_out_bytes destroyed_bytes live_end_bytes" \
	"8 - 4194304 0 0 0 4194304" "7 GTT 0 1048576 0 0 1048576" "7 VRAM 0 3145728 1048576 2097152 0" "7 - 3145728 0 3145728 0 0"
ok "moves"	has 3 "from_domain_name to_domain_name moves bytes mean_bytes_per_s peak_bytes_per_s" \
	"SYSTEM VRAM 2 3145728 314572 3145728" "VRAM GTT 1 1048576 104857 1048576"
ok "causes"	has 4 "pid moves binds unbinds rebinds evictions read_faults write_faults shrinks pwrite_bytes pread_bytes" \
	"- 3 4 1 1 1 1 1 1 100 200" "8 1 3 1 1 1 1 1 0 100 200" "7 2 1 0 - 0 0 0 0 0 0" "9 0 0 0 0 0 0 0 1 0 0"
ok "the same in text"				memory --until 10s memory
ok "text: live"			says " game[7]          2  3.0 MiB    2.0 MiB      1.0 MiB  3.0 MiB  1.000000 s  ▃▃████████▃▃▃▃▃▃▃▃▃▃"
ok "text: a move"		says " 0000:0b:00.0  SYSTEM  VRAM      2  3.0 MiB  314.6 kB/s     3.1 MB/s"
ok "what was created before"	says "1 more object was destroyed that the trace does not see created."
ok "since 1.5 s"				memory -f csv --since 1500ms --until 10s memory
ok "what was live then"	has 1 "pid live_begin_bytes created_bytes destroyed_bytes live_end_bytes live_peak_bytes" \
	"- 3145728 4194304 2097152 5242880 7340032" "8 0 4194304 0 4194304 4194304" "7 3145728 0 2097152 1048576 3145728"
ok "by name"					memory -f csv --until 10s --comm llama memory
ok "only that process"	has 1 "scope pid created_bytes" "all - 4194304" "process 8 4194304"
ok "and what it moves"	has 3 "from_domain_name to_domain_name bytes" "VRAM GTT 1048576"

leaks='! game[7] may leak memory: its live bytes grew in each tenth of the time and never fell back, by 19.0 MiB in all; 20.0 MiB are live at the end.'
ok "a leak"			memory leak
ok "is named"			says "$leaks"
ok "with a next step"		says "hint: grtrace dump --type memory --filter 'op == CREATE && tgid == 7' leak"
ok "which works"		sh -c "'$grtrace' dump --type memory --filter 'op == CREATE && tgid == 7' leak | grep -c MEMORY | grep -qx 40"
ok "for programs, too"		memory -f csv leak
ok "the bytes of the leak"	has 1 "pid suspected_leak_bytes" "- -" "7 19922944" "8 -"
no_leak() { memory "$@" && says "LIVE BYTES" && says_not "leak memory" && memory -f csv "$@" && ! cells 1 suspected_leak_bytes | grep -q '[0-9]'; }
ok "memory that is given back"	no_leak no-leak
ok "a driver that reports no end" no_leak no-ends
ok "nor live bytes"		has 1 "created_bytes destroyed_bytes live_end_bytes live_peak_bytes" "83886080 - - -" "62914560 - - -" "20971520 - - -"
ok "it says so"			memory no-ends
ok "in words"			says "only what was created so far is known"
ok "lost events"		no_leak leak-lossy
ok "until then it is known"	sh -c "'$grtrace' report --memory -f csv leak-lossy | awk -F, '/^scope.*live_low/ { on = 1; next } on && \$2 == 7 && \$NF != \"\"' | wc -l | grep -qx 31"
ok "an end that nobody told"	no_leak leak-reused
ok "which is said of it"	memory -p 7 leak-reused
ok "in a sentence"		says "Some objects ended without an event that says so"
ok "but not of another process"	memory -p 8 leak-reused
ok "whose objects all end"	says_not "ended without an event"
ok "less than a second of it"	no_leak --until 900ms leak
ok "all of it before"		no_leak --since 9s leak

ok "placed before its CREATE, and freed by a MOVE" memory -f csv placed
ok "are no moves"	has 3 "from_domain_name to_domain_name moves bytes" "VRAM GTT 1 1048576"
ok "but domains, and an end"	has 2 "domain_name created_bytes moved_in_bytes moved_out_bytes destroyed_bytes live_end_bytes" \
	"GTT 0 1048576 0 1048576 0" "VRAM 3145728 0 1048576 2097152 0"
ok "the same domain twice"	memory -f csv twice
ok "does not say where from"	has 3 "from_domain from_domain_name to_domain_name bytes" "- - GTT 1048576" "- - VRAM 1048576"
ok "two GPUs"			memory -f csv two-gpus
ok "have their own names"	has 3 "device from_domain from_domain_name to_domain_name" "0000:10:00.0 0 0 2" "0000:0c:00.0 7 7 9" "0000:0c:00.0 1 TT VRAM1" "0000:0b:00.0 0 SYSTEM VRAM"
ok "an old trace"		memory -f csv old-memory
ok "knows no address spaces"	has 4 "scope binds rebinds" "all 2 -" "process 2 -"
ok "by hand"			memory memory-by-hand
ok "is left out"		says 'hint: grtrace report --memory --synthetic memory-by-hand'
ok "unless asked for"		memory --synthetic memory-by-hand
ok "then it counts"		says '4.0 KiB created in 1 object, 4.0 KiB destroyed'

# What the kernel copies right behind a MOVE; the scene says which jobs these are.
moving() { "$grtrace" report --jobs -F 'label == memory-move' -f csv moves 2> err | cut -d, -f4,5 > out && printf 'ctx,seqno\n2,1\n2,2\n2,11\n' | diff - out > err; }
ok "jobs that move memory"	moving
ok "have a flag"		sh -c "'$grtrace' report --jobs -F 'flags == memory_move' -f csv moves 2> err | grep -c 'kernel_job|memory_move' | grep -qx 3"
ok "others have none"		sh -c "'$gen' scene firmware > firmware && '$grtrace' report --jobs -F 'flags == memory_move' -f csv firmware 2> err | wc -l | grep -qx 1"

fits()		# width, options
{
	width=$1
	shift
	COLUMNS=$width "$grtrace" report --memory "$@" 2> err | sed '/^hint:/d; s/[^ -~]/./g' > out
	[ "$(grep -c . out)" -gt 10 ] && ! awk -v width="$width" 'length > width' out | grep .
}
for width in 80 100; do
	ok "fits $width columns"	fits "$width" memory
	ok "a leak fits $width"		fits "$width" leak
done
# Names stay whole while there is a column to leave out.
ok "narrow"			fits 80 memory
ok "leaves out whole columns"	says_not "~"
ok "shrinks before faults"	grep -qx "CAUSED BY    moves  binds  rebinds  evictions  read faults  write faults" out
ok "in ASCII"			sh -c "LC_ALL=C '$grtrace' report --memory leak | LC_ALL=C grep -q '^ game.*11*22*3.*8\$'"
ok "from a pipe"		sh -c "cat memory | '$grtrace' report --memory -f csv - > piped && '$grtrace' report --memory -f csv memory | cmp - piped"
ok "another process"		memory -p 99 memory
ok "has none"			says 'no events of memory of this process'
ok "a warning for programs"	sh -c "'$grtrace' report --memory -p 99 -f csv memory 2>&1 > out | grep -q 'warning: no events of memory'"
"$gen" scene chain > chain || exit 1
ok "a trace without"		memory chain
ok "says so"			says 'no events of memory in this trace'
ok "its values are not known, not 0"	sh -c "'$grtrace' report --memory -f json chain 2> err |
	jq -e '[(.memory[0], .live[]) | to_entries[] | select(.key | test(\"objects|bytes|peak\")) | .value] | all(. == null) and length > 9' > out"
ok "of another process it is 0"	sh -c "'$grtrace' report --memory -p 99 -f json memory 2> err | jq -e '.memory[0].created_bytes == 0' > out"
ok "with other tables"		complains 2 "no other tables" "leave" "$grtrace" report --memory --blame memory
ok "with frames"		complains 2 "no other tables" "leave" "$grtrace" report --memory --frames memory
ok "with filters"		complains 2 "without other filters" "choose a process" "$grtrace" report --memory --ring gfx memory
ok "with --html"		complains 2 "takes only filters" "export --to html" "$grtrace" report --memory --html x.html memory

# Damaged traces: an answer or an error, nothing else.
survives()	# file
{
	"$grtrace" report --memory -f json "$1" > out 2> err
	code=$?
	[ "$code" -eq 4 ] || { [ "$code" -eq 0 ] && jq -e .memory out > /dev/null; }
}
for scene in memory leak-lossy two-gpus; do
	for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
		has_turn || continue
		"$gen" damage "$number" "$scene" > damaged || exit 1
		ok "$scene, damaged: $number" survives damaged
	done
done
end
