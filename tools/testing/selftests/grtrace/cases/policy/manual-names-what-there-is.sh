#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the manual names each control file with its mode, each key with its bounds and an example, what each profile sets, and each name of the statistics
# kernels: 6.1
# requires: mock grtrace
for module in grtrace_aggregator grtrace_filter grtrace_perf_mon grtrace_sampling; do
	need_module $module
done
manuals=$0/../Documentation	# in a guest
[ -d "$manuals" ] || manuals=$0/../../../../../Documentation
files=$manuals/control-files.rst

# named LEAST MANUAL: each line of standard input, LEAST of them or more, is in it between ``
named()
{
	count=0
	while read -r word; do
		grep -qF -- "\`\`$word\`\`" "$2" || fail "$2 does not name '$word'"
		count=$((count + 1))
	done
	[ $count -ge "$1" ] || fail "only $count names were found for $2"
}

# key COLUMN: of all keys, where there is something in it
key()
{
	awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; if (!at[name]) exit 1; next }
		$at[name] != "" { print $at[name] }' "$GRT_DIR/keys" || fail "keys has no column '$1'"
}

config cost_sample=1
session_start
mock_run_jobs 5
session_stop

# Keys.
expect_eq "what config --list prints" "$(grtrace config --list)" "$(cat "$GRT_DIR/keys")"
key key >"$CASE_TMP/keys"
key alias >>"$CASE_TMP/keys"
named 25 "$files" <"$CASE_TMP/keys"
sed -n '/^Keys$/,/^Each key has a file/s/^   [*] - \(``.*\)/\1/p' "$files" | tr -d '`' | sed 's/, /\n/g' >"$CASE_TMP/manual-keys"
while read -r name; do
	grep -qxF -- "$name" "$CASE_TMP/keys" || fail "$files names '$name', which is no key"
done <"$CASE_TMP/manual-keys"
[ "$(wc -l <"$CASE_TMP/manual-keys")" -ge 25 ] || fail "no table of keys in $files"
key alias >"$CASE_TMP/aliases"
while read -r alias; do
	grep -qF -- ", \`\`$alias\`\`" "$files" || fail "no key has the other name '$alias' in $files"
done <"$CASE_TMP/aliases"
key words | sed 's/[ /]/\n/g' | grep . >"$CASE_TMP/words"
while read -r word; do
	grep -qwF -- "$word" "$files" || fail "$files does not say '$word'"
done <"$CASE_TMP/words"
[ "$(wc -l <"$CASE_TMP/words")" -ge 10 ] || fail "keys tells few words"

# Their bounds and defaults, where both are numbers.
awk '/^   [*] - ``/ { key = $3; gsub(/[`,]/, "", key); at = NR }
	NR == at + 1 { preset = $2 }
	NR == at + 2 && $2 ~ /^[0-9]+[.][.][0-9]+$/ && preset != "" { print key, $2, preset }' "$files" \
	>"$CASE_TMP/manual-bounds"
awk -F, 'NR > 1 && $4 != "" { print $1, $4 ".." $5, $6 }' "$GRT_DIR/keys" >"$CASE_TMP/bounds"
count=0
while read -r name bounds preset; do
	grep -q "^$name " "$CASE_TMP/manual-bounds" || continue
	grep -qxF -- "$name $bounds $preset" "$CASE_TMP/manual-bounds" ||
		fail "$name is within $bounds, $preset by default, and $files says: $(grep "^$name " "$CASE_TMP/manual-bounds")"
	count=$((count + 1))
done <"$CASE_TMP/bounds"
[ $count -ge 12 ] || fail "bounds of only $count keys were compared"

# Each key has an example, and each example is of a key.
sed -n 's/.*Example: ``\([a-z_]*\)=.*/\1/p' "$files" | sort -u >"$CASE_TMP/examples"
while read -r name; do
	grep -qxF -- "$name" "$CASE_TMP/keys" || fail "the example for '$name' is of no key"
done <"$CASE_TMP/examples"
key key >"$CASE_TMP/names"
while read -r name; do
	case $name in buffer_size | global_seq | clock | watch_*) continue ;; esac
	grep -qxF -- "$name" "$CASE_TMP/examples" || fail "there is no example for '$name'"
done <"$CASE_TMP/names"

# Files: what the manual says of all keys it does not repeat.
count=0
for path in "$GRT_DIR"/*; do
	file=${path##*/}
	[ ! -L "$path" ] || continue
	case $file in events[0-9]*) continue ;; esac
	! grep -qxF -- "$file" "$CASE_TMP/keys" || continue
	mode=0$(command stat -c %a "$path")
	cat "$files" "$manuals/modules.rst" | grep -F -A 1 -- "\`\`$file\`\`" | grep -qF -- "- $mode" ||
		fail "no manual says that $file has mode $mode"
	count=$((count + 1))
done
[ $count -ge 35 ] || fail "only $count files in $GRT_DIR"
for path in /sys/module/grtrace/parameters/*; do
	echo "${path##*/}"
done | named 25 "$files"

# Words of control, from the refusal of another one.
expect_refused control nonsense
sed -n 's/.* is not one of: //p' "$GRT_DIR/error" | sed 's/, /\n/g' | named 6 "$files"

# Profiles: "PROFILE KEY=VALUE", by the manual and as they are.
sed -n '/^Profiles$/,/^What it costs$/p' "$manuals/policy.rst" | awk '
	/^   [*] - / { row++; column = 0; key = $3; gsub(/`/, "", key); is_list = /,/; next }
	/^     - / && row == 1 { profile[++column] = $2; next }
	/^     - / && !is_list { print profile[++column], key "=" $2 }' >"$CASE_TMP/manual-profiles"
awk -F, '$1 == "profile" { print $7 }' "$GRT_DIR/keys" | sed 's/ /\n/g' | grep . | while read -r profile; do
	config profile="$profile"
	sed "s/^/$profile /" "$GRT_DIR/config"
done | grep -v ' profile=' >"$CASE_TMP/profiles"
config profile=default
while read -r line; do
	grep -qxF -- "$line" "$CASE_TMP/profiles" || fail "the manual says of a profile: $line"
done <"$CASE_TMP/manual-profiles"
[ "$(wc -l <"$CASE_TMP/manual-profiles")" -ge 40 ] || fail "no table of profiles in policy.rst"
cut -d ' ' -f 2 "$CASE_TMP/profiles" | sort -u | cut -d = -f 1 | uniq -d | grep -vxFf "$CASE_TMP/aliases" >"$CASE_TMP/names"
while read -r name; do
	grep -q " $name=" "$CASE_TMP/manual-profiles" || fail "the manual does not say that profiles set $name"
done <"$CASE_TMP/names"
[ "$(wc -l <"$CASE_TMP/names")" -ge 5 ] || fail "profiles differ in few keys"

# Statistics.
sed 's/=.*//' "$GRT_DIR/stats" | named 39 "$files"
sed -n 's/^\([a-z_]*\)=.*/\1/p' "$GRT_DIR/sampling_stats" | named 12 "$manuals/modules.rst"
for file in events_by_type pc_stats pc_cseq result_hist size_hist latency_hist sec_stats; do
	head -n 1 "$GRT_DIR/$file" | tr ',' '\n'
done | grep -v '^[lg][te]_[0-9]' | sort -u | named 35 "$files"
sed '1d; s/,.*//' "$GRT_DIR/result_hist" | named 5 "$files"
