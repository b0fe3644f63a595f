#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: record samples clocks, power and temperature from a folder that looks like /sys
# Tests call these functions through ok().
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export GRTRACE_DIR="$dir/debugfs" GRTRACE_SYSFS="$dir/sys"
gpu=$dir/sys/devices/pci0000:00/0000:03:00.0

sysfs()		# an amdgpu that is awake
{
	rm -rf "$GRTRACE_SYSFS"
	mkdir -p "$GRTRACE_SYSFS/class/drm/card1" "$gpu/power" "$gpu/hwmon/hwmon4"
	ln -s "$gpu" "$GRTRACE_SYSFS/class/drm/card1/device"
	echo active > "$gpu/power/runtime_status"
	echo 1500000000 > "$gpu/hwmon/hwmon4/freq1_input"
	echo sclk > "$gpu/hwmon/hwmon4/freq1_label"
	printf '0: 500Mhz\n1: 875Mhz *\n' > "$gpu/pp_dpm_mclk"
	echo 35250000 > "$gpu/hwmon/hwmon4/power1_average"
	echo 61000 > "$gpu/hwmon/hwmon4/temp1_input"
	echo edge > "$gpu/hwmon/hwmon4/temp1_label"
}

# The module's files, with two CPUs; the stream of the second one is open until the command ends.
module()
{
	rm -rf "$GRTRACE_DIR"
	mkdir "$GRTRACE_DIR"
	"$gen" example 0 > "$GRTRACE_DIR/events0"
	mkfifo "$GRTRACE_DIR/events1"
	exec 3<> "$GRTRACE_DIR/events1"
	"$gen" example 1 >&3
	sleep 60 > /dev/null 2>&1 &
	holder=$!
	exec 3>&-
	echo 0 > "$GRTRACE_DIR/enabled"
	echo running > "$GRTRACE_DIR/control"
	printf 'buffer_size=4194304\nfilter_type_mask=16777215\n' > "$GRTRACE_DIR/config"
	printf 'state=running\nseen=12345\nwritten=12000\nlost_events=5\n' > "$GRTRACE_DIR/stats"
}

record()	# shell commands to run while it records, then options
{
	commands=$1
	shift
	module
	"$grtrace" record -q "$@" -- sh -c "$commands; kill $holder" > out 2> err
}

# The values of a gauge, in the order of time.
values()	# gauge, field, file
{
	"$grtrace" dump --type FREQUENCY "$3" 2> /dev/null |
		awk -v gauge="gauge=$1" -v field="$2=" '$0 ~ gauge {
			for (i = 1; i <= NF; i++) if (index($i, field) == 1) print substr($i, length(field) + 1) }'
}

has_values()	# gauge, field, values without repeats, file
{
	[ "$(values "$1" "$2" "$4" | uniq | tr '\n' ' ')" = "$3 " ]
}

sampled() { "$grtrace" dump --type FREQUENCY "$1" 2> /dev/null | wc -l; }
has_line() { "$grtrace" verify "$1" > out 2> err && grep -q "$2" out; }

sysfs
hw=$gpu/hwmon/hwmon4
ok "records while clocks change"	record "sleep 0.5; echo 1700000000 > $hw/freq1_input; echo -2500 > $hw/temp1_input; sleep 0.5" -o t.grt
ok "the clock of the engines"		has_values CORE freq_hz "1500000000 1700000000" t.grt
ok "the clock of the memory"		has_values MEMORY freq_hz 875000000 t.grt
ok "the power"				has_values POWER power_uw 35250000 t.grt
ok "the temperature"			has_values TEMPERATURE temperature_mc "61000 -2500" t.grt
ok "all laws hold"			run 0 "$grtrace" verify t.grt
ok "the recorder is no CPU"		has_line t.grt " events of 2 CPUs,"
ok "each names the GPU, and was sampled" [ "$("$grtrace" dump --type FREQUENCY t.grt 2> err | grep -c 'pci_address=0x301 .*flags=UPPER_BOUND$')" = "$(sampled t.grt)" ]
ok "what does not change is not repeated at once" [ "$(values POWER power_uw t.grt | wc -l)" -le 2 ]
# Events of the other streams stay as they were.
"$grtrace" dump t.grt 2> /dev/null | grep -v FREQUENCY > rest
ok "the events of the CPUs are all there" [ "$(wc -l < rest)" = "$(wc -l < "$golden/dump/example.txt")" ]

ok "the clock of one that sleeps is not asked for" sh -c "echo suspended > $gpu/power/runtime_status"
ok "records"				record "sleep 0.3" -o asleep.grt
ok "nothing of it"			[ "$(sampled asleep.grt)" = 0 ]
ok "and all laws hold"			run 0 "$grtrace" verify asleep.grt
ok "it wakes up while it is recorded"	record "sleep 0.3; echo active > $gpu/power/runtime_status; sleep 0.4" -o wakes.grt
ok "then it has values"			has_values CORE freq_hz 1700000000 wakes.grt

ok "each second at least, and all in order" record "sleep 2.6" --gauges=5 -o long.grt
ok "so it is there thrice"		[ "$(values MEMORY freq_hz long.grt | wc -l)" = 3 ]
ok "in several sub-buffers that are accounted for" has_line long.grt "^ok  *written"
ok "in files that follow each other"	record "for i in 1 2 3; do sleep 0.5; echo \$i > $hw/power1_average; done; sleep 0.5" --gauges=50 --rotate 1s -o turn.grt
ok "there are two"			[ -e turn-0002.grt ]
ok "each is sound"			run 0 "$grtrace" verify turn-0001.grt
ok "the second, too"			run 0 "$grtrace" verify turn-0002.grt
ok "and both"				run 0 "$grtrace" verify turn-0001.grt turn-0002.grt
"$grtrace" merge -o both.grt turn-0001.grt turn-0002.grt > out 2> err
ok "nothing is missing between them"	has_values POWER power_uw "35250000 1 2 3" both.grt
ok "slices keep them"			run 0 "$grtrace" slice -o slice.grt --since 0s t.grt
ok "all of them"			[ "$(sampled slice.grt)" = "$(sampled t.grt)" ]

ok "off"				record "sleep 0.3" --gauges=off -o off.grt
ok "is none"				[ "$(sampled off.grt)" = 0 ]
ok "types without them"			record "sleep 0.3" --type SUBMIT -o type.grt
ok "have none"				[ "$(sampled type.grt)" = 0 ]
ok "types with them"			record "sleep 0.3" --type FREQUENCY -o type.grt
ok "have some"				[ "$(sampled type.grt)" -ge 4 ]
rm -r "$GRTRACE_SYSFS/class/drm/card1"
ok "a machine without a GPU"		record "sleep 0.3" -o none.grt
ok "says nothing about that"		[ ! -s err ]
ok "and has none"			[ "$(sampled none.grt)" = 0 ]
kill "$holder" 2> /dev/null
ok "too rare"				complains 2 "1 to 100 times a second, or off" "record -h" "$grtrace" record --gauges=0
ok "too often"				complains 2 "1 to 100 times a second, or off" "record -h" "$grtrace" record --gauges=101
ok "no number"				complains 2 "1 to 100 times a second, or off" "record -h" "$grtrace" record --gauges=often
end
