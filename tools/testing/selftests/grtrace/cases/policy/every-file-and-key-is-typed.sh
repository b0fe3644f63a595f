#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: test cases write each writable control file, read each other one, and set each key, alias, word, profile and mode
# kernels: 6.1
# requires: mock
# shellcheck disable=SC2016	# the dollars are those of the cases
for module in grtrace_aggregator grtrace_filter grtrace_perf_mon grtrace_sampling; do
	need_module $module
done

# The other cases, without their comments.
for file in "$0"/lib.sh "$0"/*/*.sh; do
	case $file in
	*/every-file-and-key-is-typed.sh) ;;
	*) grep -hv '^[[:blank:]]*#' "$file" ;;
	esac
done >"$CASE_TMP/text"

# typed LEAST PATTERN...: each line of standard input, LEAST of them or more, put for every @ of
# an extended regular expression, makes one of them match in some case
typed()
{
	least=$1 count=0
	shift
	# To start a program takes long in a guest: so there is one search per word, in lines with a word.
	cat >"$CASE_TMP/words"
	grep -F -f "$CASE_TMP/words" "$CASE_TMP/text" >"$CASE_TMP/lines" || :
	patterns=$(printf '|%s' "$@")
	patterns=${patterns#|} awk '{ all = ENVIRON["patterns"]; gsub(/@/, $0, all); print $0 "\t" all }' \
		"$CASE_TMP/words" >"$CASE_TMP/patterns"
	while IFS='	' read -r word pattern; do
		grep -qE -e "$pattern" "$CASE_TMP/lines" || fail "no case types '$word'"
		count=$((count + 1))
	done <"$CASE_TMP/patterns"
	[ $count -ge "$least" ] || fail "only $count words were found"
}

# A file behind '>', or a word of lib.sh: the case writes the file, and not only reads it.
write='(> ?"?\$(GRT_DIR|dir)/@"?|\b(put|takes|refused|expect_refused) @)\b'

awk -F, 'NR > 1 { print $1; if ($2 != "") print $2 }' "$GRT_DIR/keys" >"$CASE_TMP/keys"
for path in "$GRT_DIR"/*; do
	file=${path##*/}
	[ ! -L "$path" ] || continue
	case $file in events[0-9]*) continue ;; esac
	grep -qxF -- "$file" "$CASE_TMP/keys" || echo "$(command stat -c %a "$path") $file"
done >"$CASE_TMP/files"
sed -n 's/^600 //p' "$CASE_TMP/files" |
	typed 18 "$write" '^	*[a-z_]*\(\) \{ echo .* >"\$GRT_DIR/@"' '^emit\(\).*/@"'
sed -n 's/^400 //p' "$CASE_TMP/files" |
	typed 18 '(\$GRT_DIR|\$dir)/@\b' '\b(for|in) .*\b@\b' '\b(sum|rows|samples) @\b'
typed 30 '\b@=' "$write" <"$CASE_TMP/keys"
awk -F, 'NR > 1 && $1 != "profile" { print $1, $7 }' "$GRT_DIR/keys" | while read -r key words; do
	for word in $(echo "$words" | tr '/' ' '); do
		grep -qiE "\b(takes )?${key}[ =]$word\b" "$CASE_TMP/text" || fail "no case types '$key=$word'"
	done
done
awk -F, '$1 == "profile" { print $7 }' "$GRT_DIR/keys" | tr -s ' ' '\n' | grep . |
	typed 4 'for profile in.* @( |;)' 'profile=@\b'
expect_refused control nonsense
sed -n 's/.* is not one of: //p' "$GRT_DIR/error" | sed 's/, /\n/g' |
	typed 6 '\bctl @("|$| )' 'echo "?@"?( 2>/dev/null)? ?>"?\$(GRT_DIR|dir)/control' 'echo "?@"? >&[0-9]'
expect_refused sampling_mode nonsense
sed -n 's/.* is not one of: //p' "$GRT_DIR/error" | sed 's/, /\n/g' | sed 's/^[0-9] //' |
	typed 4 '\bput sampling_mode @\b'
