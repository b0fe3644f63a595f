#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: export --to perfetto: everything resolves, slices nest, and times are those of the report
# PERFETTO_PROTOS in the environment is a folder with Perfetto's own description of its format, with
# protos/perfetto in it: traces are decoded with that, too.
# Tests call these functions through ok(). $2 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

checker=$tools/test/cli/perfetto.awk
proto=$tools/lib/export
tab=$(printf '\t')

decode() { protoc --decode=grtpf.Trace -I"$proto" perfetto.proto; }
public()
{
	protoc --decode=perfetto.protos.Trace -I"$PERFETTO_PROTOS" \
		"$PERFETTO_PROTOS"/protos/perfetto/trace/trace.proto \
		"$PERFETTO_PROTOS"/protos/perfetto/trace/gpu/gpu_track_event.proto
}

# Fields that the description does not have are printed with their number.
has_unknown() { grep -E -m 1 '^ *[0-9]+(:| \{)' "$1"; }

# Slices of a track nest.  Prints "TRACK NAME SUM COUNT" for each name of slices.
nests()
{
	grep "^[BEI]$tab" facts | sort -s -t "$tab" -k 3,3n | awk -F "$tab" '
		{ key = $2 "" }
		$1 == "B" { at[key, ++open[key]] = $3; name[key, open[key]] = $5 }
		$1 == "E" && open[key] < 1 { print "an END without BEGIN on " key; bad = 1 }
		$1 == "E" && open[key] >= 1 {
			sum[key "\t" name[key, open[key]]] += $3 - at[key, open[key]]
			n[key "\t" name[key, open[key]]]++
			open[key]--
		}
		END {
			for (key in open)
				if (open[key] > 0) { print open[key] " slices stay open on " key; bad = 1 }
			for (key in sum)
				printf "%s\t%.0f\t%d\n", key, sum[key], n[key]
			exit bad
		}' > sums
}

export_it()	# options and file
{
	"$grtrace" export --to perfetto -o t.pftrace "$@" > out 2> err && decode < t.pftrace > text 2> err || return 1
	! has_unknown text > out || return 1
	if [ -n "${PERFETTO_PROTOS-}" ]; then
		public < t.pftrace > text 2> err || return 1
		! has_unknown text > out || return 1
	fi
	awk -f "$checker" text > facts
	if grep -m 5 ^wrong: facts > out; then return 1; fi
	nests || { cat sums > out; return 1; }
}

# Devices by the number of their GPU.
gpus()
{
	awk '/^  gpu_info \{/ { n = 0 } /^    gpus \{/ { n++; name = "" } n && name == "" && /^      name: / {
		name = $0; sub(/.*name: "/, "", name); sub(/".*/, "", name); sub(/.* /, "", name)
		print n - 1 "\t" name }' text | sort -u
}

# The time in which work covers each ring: "DEVICE/RING NS", sorted.
busy()
{
	gpus > devices
	grep "^work$tab" facts | sort -t "$tab" -k 2,2 -k 3,3 -k 5,5n | awk -F "$tab" '
		NR == FNR { device[$1] = $2; next }
		{ at = device[$2] "/" $3 }
		at != ring { if (ring != "") printf "%s %.0f\n", ring, sum; ring = at; sum = last = 0 }
		$6 > last { sum += $6 - ($5 > last ? $5 : last); last = $6 }
		END { if (ring != "") printf "%s %.0f\n", ring, sum }' devices - | sort
}

# Why each ring was idle: "DEVICE/RING CAUSE NS", sorted.
idle()
{
	awk -F "$tab" 'FNR == 1 { file++ }
		file == 1 && $1 == "track" { parent[$2 ""] = $3 ""; name[$2 ""] = $4 }
		file == 2 && name[$1 ""] == "idle" {
			ring = parent[$1 ""]
			device = name[parent[ring]]
			sub(/.* /, "", device)
			print device "/" name[ring] " " $2 " " $3
		}' facts sums | sort
}

reported()	# file and options: rings, with busy or occupied time if any
{
	"$grtrace" report --idle -f json "$@" 2> err | jq -r '.time[] | select(.scope == "ring") |
		"\(.device)/\(.ring) \((.busy_ns // 0) + (.occupied_ns // 0))" | select(endswith(" 0") | not)' | sort
}

reported_idle()
{
	"$grtrace" report --idle -f json "$@" 2> err | jq -r '.time[] | select(.scope == "ring") | . as $t |
		("starved", "dependency", "scheduler", "hardware", "recovery", "unknown") |
		"\($t.device)/\($t.ring) \(.) \($t[. + "_ns"])" | select(endswith(" 0") or endswith(" null") | not)' | sort
}

# Sums of the stages of all jobs: "STAGE NS", sorted.
stages()
{
	awk -F "$tab" '$2 ~ /^t_(order|dep|ring|sched|queue|exec|complete)$/ && $3 > 0 { sum[$2] += $3 }
		END { for (name in sum) printf "%s %.0f\n", name, sum[name] }' sums | sort
}

reported_stages()
{
	"$grtrace" report --jobs -f csv "$@" 2> err | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^t_(order|dep|ring|sched|queue|exec|complete)_ns$/) name[i] = substr($i, 1, length($i) - 3); next }
		{ for (i in name) sum[name[i]] += $i }
		END { for (n in sum) if (sum[n] > 0) printf "%s %.0f\n", n, sum[n] }' | sort
}

same()		# what both of them print, file and options
{
	one=$1 other=$2
	shift 2
	$one > a && $other "$@" > b && diff a b > out
}

writes()	# how often: lines that begin like this, a pattern for the text
{
	[ "$(grep -c -e "$2" "${3-text}")" -eq "$1" ] || { grep -c -e "$2" "${3-text}" > out; return 1; }
}

names_are()	# tab-separated facts: kind, name, count
{
	[ "$(awk -F "$tab" -v kind="$1" -v name="$2" '$1 == kind && $5 == name' facts | wc -l)" -eq "$3" ]
}

command -v protoc > /dev/null || { echo "1..0 # SKIP protoc is not installed"; exit 0; }

scenes="single chain blame credits pipelined foreign full reset cut firmware two-devices stacks suspend
	story-hang story-fifo story-full story-chain story-late-cpu story-late-submit story-foreign
	vblanks marks flips bursts"
for scene in $scenes; do
	"$gen" scene "$scene" > "$scene.grt" || exit 1
done
for seed in 1 2 3 4 5 6; do
	"$gen" sim $((seed % 4)) "$seed" > "sim-$seed.grt" || exit 1
	scenes="$scenes sim-$seed"
done
for scene in $scenes; do
	has_turn || continue
	ok "$scene: exported"		export_it "$scene.grt"
	ok "$scene: busy time"		same busy reported "$scene.grt"
	ok "$scene: idle time"		same idle reported_idle "$scene.grt"
	ok "$scene: stages"		same stages reported_stages "$scene.grt"
done

export_it two-devices.grt
ok "each GPU has its number"	[ "$(gpus | wc -l)" -eq 2 ]
ok "rings of both"		[ "$(cut -f 1 devices 2> /dev/null | wc -l)" -ge 1 ]
export_it chain.grt
ok "an arrow per submit and wait" [ "$(sed -n "s/^sum${tab}arrows$tab//p" facts)" -gt \
	"$(sed -n "s/^sum${tab}submits$tab//p" facts)" ]
ok "a wait of the GPU's"	writes 2 "^    event_wait_ids: "
export_it firmware.grt
no_start() { ! grep -q "^work${tab}0${tab}ccs0${tab}execution" facts && grep -q "^work${tab}0${tab}ccs0${tab}on the ring" facts; }
ok "no START is made up"	no_start

"$gen" scene lossy > lossy.grt && "$gen" load lose=7 > lose.grt || exit 1
for trace in lossy lose; do
	ok "$trace: exported"		export_it "$trace.grt"
	ok "$trace: says so"		grep -q "previous_packet_dropped: 1" text
done
ok "says how many"		grep -q "7 events lost on CPU 0" text

# Definitions begin anew, and the part of the file behind that stands alone.
"$gen" load rings=3 jobs=1500 wait=200 gap=1 > load.grt || exit 1
ok "many packets"		export_it load.grt
ok "their busy time"		same busy reported load.grt
ok "begin anew"			writes 2 "^  sequence_flags: 3$"
"$grtrace" export --to perfetto -o - load.grt > piped 2> err
ok "the same into a pipe"	sh -c "'$grtrace' export --to perfetto -o - load.grt | cmp - t.pftrace && cmp piped t.pftrace"
ok "a window of it"		export_it --since 0.1s --until 0.2s load.grt
counts_before() { awk -F "$tab" '$1 == "C" && !seen[$2]++ && $6 != 0 { n++ } END { exit !n }' facts; }
ok "counters know what was there before" counts_before
ok "a job and what is around it" export_it --around 1:100 load.grt

# All kinds of events.
"$gen" timeline all > timeline.grt && "$gen" example 0 > example0 && "$gen" example 1 > example1 && cat example0 example1 > example.grt || exit 1
for trace in timeline example; do
	ok "$trace: exported"		export_it "$trace.grt"
done
export_it timeline.grt
for name in vblank TIMEOUT "waits for a CPU"; do
	ok "$name"	grep -q "^[IB]$tab.*$tab$name$tab" facts
done
export_it story-late-cpu.grt
ok "times on CPUs"		grep -q "^B$tab.*${tab}on a CPU$tab" facts
export_it "$golden/import/fences.txt"
ok "a wait of a thread"		grep -q "^B$tab.*${tab}waits for a fence$tab" facts
ok "for work of the GPU"	grep -q "render_stage_wait_event_ids: " text
export_it "$golden/import/i915-plain.txt"
ok "frequency"			grep -q "generic_gpu_frequency_event" text
export_it timeline.grt
ok "a clock of memory is none of engines" sh -c "! grep -q generic_gpu_frequency_event text"
# The values of a counter and their times, by the name of its track and that of the track above.
counter()	# track above, track
{
	awk -F "$tab" -v above="$1" -v name="$2" '
		$1 == "track" { names[$2] = $4; parents[$2] = $3 }
		$1 == "C" && names[$2] == name && index(names[parents[$2]], above) == 1 { printf "%.0f:%s ", $3 / 1000000 - 1000, $6 }' facts
}
"$gen" scene gauges > gauges.grt
export_it gauges.grt
ok "the clock of a GPU"		[ "$(counter mock frequency)" = "1000:1000000000 2000:2000000000 6000:500000000 " ]
ok "of its memory, which goes off" [ "$(counter mock 'memory clock')" = "3000:875000000 7000:0 " ]
ok "of a ring"			[ "$(counter compute frequency)" = "5000:300000000 " ]
ok "power, in mW"		[ "$(counter mock power)" = "1000:40000 5000:80000 " ]
ok "temperature, below zero, too" [ "$(counter mock temperature)" = "1:61000 9000:-2500 " ]
ok "all of one GPU"		[ "$(gpus | wc -l)" = 1 ]
"$gen" scene asked > asked.grt
export_it asked.grt
instants() { awk -F "$tab" -v name="$1" '$1 == "track" { names[$2] = $4 } $1 == "I" && names[$2] == name { printf "%s ", $5 }' facts; }
ok "vertical blanks"		[ "$(instants 'CRTC 0')" = "$(printf 'vblank %.0s' 1 2 3 4 5 6 7 8 9)" ]
ok "and what clients of them asked and were told" [ "$(instants 'CRTC 0, clients')" = "asks for 2 is told of 2 asks for 3 is told of 3 asks for 4 is told of 5 asks for 5 is told of 5 is told of 6 asks for 19 is told of 20 asks for 21 " ]
"$gen" scene two-displays > two.grt
export_it two.grt
ok "displays of two GPUs"	[ "$(instants 'CRTC 0 of 0000:0c:00.0')" = "$(printf 'vblank %.0s' 1 2 3 4)" ]
ok "clocks come first"		sh -c "awk '/^packet/ { n++ } /clock_snapshot/ { print n; exit }' text | grep -qx '[12]'"
export_it marks.grt
ok "marks"			grep -q "^I$tab.*frame" facts
ok "frames"			grep -q "^B$tab.*${tab}late frame" facts

# Hostile names and extreme times are exported, too.
for file in "$tools"/fuzz/hostile/*.grt; do
	has_turn || continue
	"$grtrace" report "$file" > out 2> err || continue
	ok "${file##*/}"	export_it "$file"
done
"$gen" scene names > names.grt
ok "names with control characters" export_it names.grt
ok "hidden ones are replaced"	sh -c "! LC_ALL=C grep -q '[\\]0[0-3]' text"

# Memory does not grow with the number of jobs.  The limit is higher with sanitizers.
"$gen" load rings=3 jobs=20000 wait=200 gap=1 > big.grt || exit 1
fits()
{
	"$build/test/make/measure" 1 "$grtrace" export --to perfetto -o big.pftrace big.grt > taken 2> err || return 1
	grep -q __asan_init "$grtrace" || [ "$(cut -d ' ' -f 3 taken)" -le $((64 << 10)) ]
}
ok "60,000 jobs in 64 MiB"	fits
end
