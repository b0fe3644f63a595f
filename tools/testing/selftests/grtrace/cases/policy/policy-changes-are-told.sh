#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: every change of a key has its POLICY once in each stream, before the first event under it, also when buffers are full
# kernels: 6.1
# requires: mock grtrace
# timeout: 600
CHANGES="filter_type_mask=3 filter_engine_mask=4 filter_type_mask=0 filter_engine_mask=0 filter_type_mask=8 filter_type_mask=0"
MANY=70000	# more than there is room for

# The POLICY records in the bytes of a stream, with repeats.
in_bytes() { tr -c ' -~' '\n' <"$1" | grep -E '^(buffer_size|global_seq|filter_[a-z_]*)=[0-9]' || :; }
# What a reader of these files is told.
told() { grtrace dump "$@" 2>/dev/null | sed -n 's/.* POLICY .*"\(.*\)"$/\1/p'; }
lines() { printf '%s\n' "$@"; }
has_policies()	# WHAT EXPECTED... : of each file in $files, and of all together
{
	what=$1
	shift
	for file in $files; do
		expect_eq "$what, bytes of ${file##*/}" "$(in_bytes "$file")" "$(lines "$@")"
		expect_eq "$what, told by ${file##*/}" "$(told "$file")" "$(lines "$@")"
	done
	# shellcheck disable=SC2086	# one word each
	expect_eq "$what, told by all" "$(told $files)" "$(lines "$@")"
}

# headline FILE: without the times
headline() { grtrace report "$1" 2>/dev/null | sed -n 's/ from [0-9.]* [mun]*s//g; s/^policy: //p'; }

# A reader takes what there is while the policy changes under real jobs.
session_start
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe" &
reader=$!
mock_run_jobs 60
for change in $CHANGES; do
	config "$change"
	config "$change"				# changes nothing
	expect_refused config filter_type_mask=99999999999
	expect_refused config filter_type_mask=no
	expect_refused config no_such_key=1
	workload --scenario mixed --jobs 60 >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
	sleep 0.2					# the reader has it
done
session_stop
wait $reader || fail "cat ended with $?"
files=$CASE_TMP/pipe
# shellcheck disable=SC2086	# words
has_policies "with a reader" $CHANGES
expect_status 0 grtrace verify -s 1s "$CASE_TMP/pipe"
expect_stat policies_lost 0

# Between two policies is no event that the first forbids, and some event that it allows.
grtrace dump --format csv "$CASE_TMP/pipe" >"$CASE_TMP/dump.csv" || fail "dump failed"
awk -F, '
	function phase() { if (!events) { print "no event under " policy; bad = 1 } events = 0 }
	BEGIN { bit["SUBMIT"] = 1; bit["COMPLETE"] = 2; bit["COMMIT"] = 8; bit["END"] = 32; policy = "none" }
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "POLICY" {
		phase(); policies++
		policy = $at["text"]; gsub(/"/, "", policy)
		if (policy ~ /^filter_type_mask=/) { mask = policy; sub(/.*=/, "", mask) }
		next
	}
	$at["type"] in bit {
		events++
		if (mask > 0 && int(mask / bit[$at["type"]]) % 2 == 0) { print $at["type"] " under " policy; bad = 1 }
	}
	END { phase(); exit bad || policies != 6 }' "$CASE_TMP/dump.csv" >"$CASE_TMP/out" ||
	fail "events under the wrong policy: $(head -n 5 "$CASE_TMP/out")"

# Wherever the stream is cut, no event comes before the policy that it was recorded under.
stamps() { awk -F, -v type="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	type == "POLICY" ? $at["type"] == type : $at["type"] ~ /^(SUBMIT|COMMIT|END|COMPLETE)$/ { print $at["ts"] }'; }
stamps POLICY <"$CASE_TMP/dump.csv" >"$CASE_TMP/changed"
bytes=$(wc -c <"$CASE_TMP/pipe") cut=0 seen=0
while [ $cut -lt 40 ]; do
	cut=$((cut + 1))
	head -c $((bytes * cut / 40)) "$CASE_TMP/pipe" >"$CASE_TMP/part"
	grtrace dump --format csv "$CASE_TMP/part" 2>/dev/null >"$CASE_TMP/part.csv" || continue
	last=$(stamps event <"$CASE_TMP/part.csv" | sort -n | tail -n 1)
	due=$(awk -v last="${last:-0}" '$1 < last' "$CASE_TMP/changed" | wc -l)
	has=$(stamps POLICY <"$CASE_TMP/part.csv" | wc -l)
	[ "$has" -ge "$due" ] || fail "the first $cut/40 of the stream have events under change $due, but only $has changes"
	[ "$due" -eq 0 ] || [ "$due" -eq 6 ] || seen=$((seen + 1))
done
[ $seen -gt 10 ] || fail "only $seen of the parts end amid the changes, so this run proves nothing"
echo "40 cuts, $seen of them amid the changes"

# Nobody reads, and the buffers are full.
session_start buffer_size=65536
# shellcheck disable=SC2086	# words
for change in $CHANGES; do
	config "$change"
	before=$(stat buffer_full)
	echo "submit 7 gfx 0 1 count=3000" >"$GRT_DIR/emit"
	for cpu in 0 1; do
		taskset $((1 << cpu)) workload --scenario mixed --jobs 300 >/dev/null || fail "the workload failed"
	done
	[ "$change" != filter_type_mask=0 ] || [ "$(stat buffer_full)" -gt "$before" ] ||
		fail "the buffer was not full, so this run proves nothing"
done
session_stop
files=
for stream in "$GRT_DIR"/events[0-9]*; do
	cat "$stream" >"$CASE_TMP/${stream##*/}"
	files="$files $CASE_TMP/${stream##*/}"
done
# shellcheck disable=SC2086	# words
has_policies "full buffers" buffer_size=65536 $CHANGES
# shellcheck disable=SC2086	# words
expect_status 0 grtrace verify -s 1s $files
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
files=$CASE_TMP/pipe
# shellcheck disable=SC2086	# words
has_policies "the pipe afterwards" buffer_size=65536 $CHANGES

# A later session does not know of it; what is set when it begins is of that moment.
session_start filter_engine_mask=4
session_stop
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
has_policies "the next session" buffer_size=65536 filter_engine_mask=4
expect_eq "times of what was set before" "$(grtrace dump -d "$CASE_TMP/pipe" |
	awk '/ (STREAM_INFO|POLICY) / { print $1 }' | uniq | wc -l)" 1
config filter_engine_mask=0 buffer_size=4194304

# record, by its options and by what its command does.
grtrace record -q -o "$CASE_TMP/t.grt" --type SUBMIT,COMPLETE -- sh -c "workload --scenario mixed --jobs 50 &&
	echo filter_engine_mask=4 >$GRT_DIR/config && workload --scenario mixed --jobs 50" >/dev/null ||
	fail "record failed"
config filter_engine_mask=0
expect_eq "the headline" "$(headline "$CASE_TMP/t.grt")" "filter_type_mask=3, filter_engine_mask=4"
grtrace report "$CASE_TMP/t.grt" | grep -q 'filter_engine_mask=4 from [0-9]' || fail "no time in the headline"
expect_status 0 grtrace verify -s 1s "$CASE_TMP/t.grt"
grtrace record -q -o "$CASE_TMP/r.grt" --rotate 128K --type SUBMIT,COMPLETE -- workload --jobs 5000 >/dev/null ||
	fail "record failed"
[ -e "$CASE_TMP/r-0003.grt" ] || fail "there are no three files, so this run proves nothing"
for file in "$CASE_TMP"/r-*.grt; do
	expect_eq "the headline of ${file##*/}" "$(headline "$file")" "filter_type_mask=3"
done
grtrace record -q -o "$CASE_TMP/plain.grt" -- workload --jobs 10 >/dev/null || fail "record failed"
expect_eq "the headline without a policy" "$(headline "$CASE_TMP/plain.grt")" ""

# Memory has an end: changes that find no room are counted.  32 bytes a line, so no write cuts one.
session_start
awk -v many=$MANY 'BEGIN { for (i = 0; i < many; i++) printf "filter_ring_id=%-16d\n", 1 + i % 1000 }' \
	>"$GRT_DIR/config" || fail "a change was refused: $(cat "$GRT_DIR/error")"
session_stop
cat "$GRT_DIR/events0" >"$CASE_TMP/many"
lost=$(stat policies_lost) has=$(in_bytes "$CASE_TMP/many" | wc -l)
[ "$lost" -gt 0 ] || fail "all found room, so this run proves nothing"
expect_eq "kept + lost" $((has + lost)) $MANY
expect_eq "changes told" "$(told "$CASE_TMP/many" | wc -l)" "$has"
grep -q "^policies_lost=$lost$" "$GRT_DIR/metadata" || fail "METADATA does not tell of the loss"
echo "$has changes kept, $lost lost"
session_start filter_ring_id=0
expect_stat policies_lost 0
session_stop
