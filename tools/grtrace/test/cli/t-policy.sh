#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: each source returns policies once and in order, edits keep them, reports show them, and dependent values are unknown
# Tests call these functions through ok(). $2 and the like are variables of awk and jq, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export LC_ALL=C.UTF-8
for cpu in 0 1; do
	"$gen" policy $cpu > events$cpu && "$gen" policy $cpu whole > whole$cpu || exit 1
done
cat events0 events1 > joined
mkdir live
cp events0 events1 live
: > live/control
echo 0 > live/enabled

# The dump: every policy, and the jobs before and after it.
story() { sed -n 's/.* POLICY .*"\(.*\)"$/\1/p; s/.* SUBMIT .*/job/p' | uniq | paste -s -d ' '; }
all="buffer_size=65536 level=standard job sample=25 buffer_size=131072 job sample=100 job"

tells()		# story, files
{
	expected=$1
	shift
	"$grtrace" dump "$@" 2> err | story > out
	echo "$expected" | diff - out > err
}
tells_live()
{
	GRTRACE_DIR=live timeout 20 "$grtrace" dump -l 2> err | story > out
	echo "$all" | diff - out > err
}
headline()	# words, then what to report
{
	words=$1
	shift
	"$grtrace" report "$@" 2> err | grep '^policy: ' > out
	echo "$words" | diff - out > err
}
edit()	# file to make, then a command with it: sound, without a word
{
	made=$1
	shift
	run 0 "$grtrace" "$@" && [ ! -s err ] && run 0 "$grtrace" verify "$made"
}

ok "raw streams"		tells "$all" events0 events1
ok "in the other order"		tells "$all" events1 events0
ok "joined"			tells "$all" joined
ok "one CPU alone"		tells "$all" events1
ok "a live session"		tells_live
ok "verify accepts them"	run 0 "$grtrace" verify events0 events1
ok "repair"			edit r.grt repair -o r.grt events0 events1
ok "keeps them"			tells "$all" r.grt
ok "repair of a .grt"		edit again.grt repair -o again.grt r.grt
ok "keeps them too"		tells "$all" again.grt

# Times of a slice count from the first event, 0.5 s after the start.
ok "slice, late"		edit late.grt slice --since 1s -o late.grt r.grt
ok "keeps what is in force"	tells "buffer_size=65536 level=standard sample=25 buffer_size=131072 sample=100 job" late.grt
ok "slice, early"		edit early.grt slice --until 1s -o early.grt joined
ok "has none from behind it"	tells "buffer_size=65536 level=standard job sample=25 buffer_size=131072 job" early.grt
ok "merge of both"		edit both.grt merge -o both.grt early.grt late.grt
ok "has each once"		tells "$all" both.grt
"$gen" boot other 1700000000 1 other.grt || exit 1
ok "merge with another machine"	run 0 "$grtrace" merge --offset 2:1s -o two.grt r.grt other.grt
ok "keeps them all"		sh -c "[ \$('$grtrace' dump two.grt | grep -c ' POLICY ') -eq 5 ]"

ok "report"			headline "policy: buffer_size=65536, level=standard, sample=25 from 700.0 ms, sample=100 from 1.500 s" joined
ok "a part of the time names only its own policies"	headline "policy: buffer_size=65536, level=standard, sample=25 from 700.0 ms, sample=100 from 1.500 s" --since 1.8s joined
"$gen" example 0 > plain || exit 1
ok "of a trace without policy"	sh -c "! '$grtrace' report plain | grep -q policy"

# Invariant 2: values of the same trace with all jobs never contradict, and some are unknown here.
json() { "$grtrace" report "$@" -f json 2> /dev/null; }
is_unknown()
{
	json --jobs joined > lossy.json && json --jobs whole0 whole1 > whole.json &&
	jq -s -e 'map(select(.start_ns == null)) | length == 4' lossy.json > out &&
	jq -s -e 'map(select(.start_ns == null)) | length == 0' whole.json > out &&
	jq -n -e --slurpfile a lossy.json --slurpfile b whole.json '
		[range($a | length) as $i | $a[$i] | to_entries[] |
		 select(.key != "flags" and .value != null and .value != $b[$i][.key])] == []' > out &&
	jq -s -e 'all(.submit_ns and .complete_ns and .total_ns)' lossy.json > out
}
# From the account before the policy to the one after it.
span_is_unknown()
{
	json --idle joined | jq -e '.time[] | select(.ring == "gfx") |
		.unknown_ns == 1300000000 and .start_unknown == 2' > out &&
	json --idle whole0 whole1 | jq -e '.time[] | select(.ring == "gfx") | .unknown_ns == 0' > out
}
if command -v jq > /dev/null; then
	ok "JSON"		sh -c "'$grtrace' report -f json joined 2> err | jq -e '.trace.policies == [
	{ key: \"buffer_size\", value: \"65536\", from_ns: null }, { key: \"level\", value: \"standard\", from_ns: null },
	{ key: \"sample\", value: \"25\", from_ns: 2200000000 }, { key: \"sample\", value: \"100\", from_ns: 3000000000 }
	] and .trace.more_policies == 0' > out"
	ok "START under a policy"	is_unknown
	ok "busy and idle under it"	span_is_unknown
fi
end
