#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: emit takes every type, engine and flag that its own text lists, each is counted and shown under its name
# kernels: 6.1

# emit_words TYPE|ENGINE|FLAG: the words that the file lists
emit_words()
{
	if [ "$1" = TYPE ]; then
		sed -n '/^[^#]/s/ .*//p' "$GRT_DIR/emit"
	else
		sed -n "s/^# $1: .*: *//p" "$GRT_DIR/emit"
	fi
}

session_start
count=0
for type in $(emit_words TYPE); do
	emit "$type" 3 copy 7 "$count"
	emit emit "$type" 3 2 7 "$count"
	count=$((count + 1))
done
emit mark 0 other 0 0 'text=a text with blanks = and signs'
session_stop
expect_eq "types" "$count" 24
expect_stat seen $((2 * count + 1))
expect_stat written $((2 * count + 1))
for type in $(emit_words TYPE); do
	name=$(echo "$type" | tr '[:lower:]' '[:upper:]')
	want=2
	[ "$name" != MARK ] || want=3
	expect_eq "$name seen,written" \
		"$(sed -n "s/^[0-9]*,$name,\([0-9]*,[0-9]*\),.*/\1/p" "$GRT_DIR/events_by_type")" \
		"$want,$want"
done

# Engines: each on a ring of its own, where the table says which it is
session_start
ring=900
for engine in $(emit_words ENGINE); do
	emit submit 7 "$engine" $ring 1
	echo "$engine $(sed -n "s/^$ring,[^,]*,[^,]*,[^,]*,\([A-Z_]*\),.*/\1/p" "$GRT_DIR/rings")"
	ring=$((ring + 1))
done >"$CASE_TMP/engines"
session_stop
expect_eq "engines" "$(wc -l <"$CASE_TMP/engines")" 12
while read -r engine shown; do
	case $engine in
	gfx | render) engine=GRAPHICS ;;
	comp) engine=COMPUTE ;;
	sdma | dma | blit) engine=COPY ;;
	esac
	expect_eq "the engine of a ring" "$shown" "$engine"
done <"$CASE_TMP/engines"

# Flags: each type takes its own flags, and shows them
session_start
for type in $(emit_words TYPE); do
	for flag in $(emit_words FLAG); do
		if emit "$type" 3 copy 7 1 "flags=$flag" 2>/dev/null; then
			echo "$flag SYNTHETIC"
		fi
	done
done >"$CASE_TMP/flags"
session_stop
expect_refused emit "submit 3 copy 7 1 flags=POPPED"
grep -q "flags is 'POPPED'" "$GRT_DIR/error" || fail "the error file says: $(cat "$GRT_DIR/error")"
for flag in $(emit_words FLAG); do
	grep -qw "$flag" "$CASE_TMP/flags" || fail "no type takes the flag $flag"
done
command -v grtrace >/dev/null || exit 0
dump_session
# Each of them, and SYNTHETIC beside it; that alone is shown once where it was typed, too.
tr ' ' '\n' <"$CASE_TMP/flags" | sort >"$CASE_TMP/typed"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["flags"] ~ /SYNTHETIC/ { n = split($at["flags"], flag, "|"); for (i = 1; i <= n; i++) print flag[i]
		if (n == 1) print "SYNTHETIC" }' "$CASE_TMP/dump.csv" | sort >"$CASE_TMP/shown"
diff "$CASE_TMP/typed" "$CASE_TMP/shown" >"$CASE_TMP/diff" || fail "flags typed (-) and shown (+): $(sort "$CASE_TMP/diff" | uniq -c | head -n 20)"
