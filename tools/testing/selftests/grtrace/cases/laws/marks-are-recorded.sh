#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the module, BPF programs and tracefs record the same marks of programs
# kernels: 6.1
# requires: mock grtrace
# marks FILE: process, thread, its name and text of each mark, by thread; then its time
marks()
{
	grtrace dump --format csv "$1" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == "MARK" { print $at["tgid"], $at["tid"], $at["process_name"], $at["text"] "\t" $at["ts"] }' |
		grep -v '<faulted>' | sort -s -n -k 2,2
}

# far MOST_NS FILE FILE: lines whose times differ by more
far()
{
	paste "$2" "$3" | awk -F '\t' -v most="$1" '
		{ d = $4 - $2; if (d < 0) d = -d; if (d > worst) worst = d }
		d > most { print "stamps of " $1 " differ by " d " ns" }
		END { printf "stamps differ by at most %d us\n", worst / 1000 >"/dev/stderr" }'
}

marker=$TRACEFS/trace_marker
cat >"$CASE_TMP/write" <<END
grtrace mark "frame 7"
for _ in 1 2 3; do
	marker "$marker" 100 &
done
wait
echo "the last" >"$marker"
END
others=tracefs with_bpf=""
# BPF programs know trace_marker by the address of its operations.
if [ -e /sys/kernel/btf/vmlinux ] && grep -q ' tracing_mark_fops$' /proc/kallsyms; then
	others="bpf tracefs" with_bpf="grtrace record --source=bpf -q -o $CASE_TMP/bpf --"
fi
session_start
emit mark 0 0 0 0 text=synthetic
# shellcheck disable=SC2086	# words
grtrace record --source=tracefs -q -o "$CASE_TMP/tracefs" -- $with_bpf sh "$CASE_TMP/write"
session_stop
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/module"
# Where grtrace is a part of the kernel, ftrace hands marks to the module, and no kprobe is needed.
grep '^kprobe.tracing_mark_write' "$GRT_DIR/metadata" || echo "marks come without a kprobe"

# A mark of the control file is not one of a program, and is there once.
expect_eq "synthetic marks" "$(grtrace dump "$CASE_TMP/module" | grep -c 'MARK .*synthetic')" 1
for source in module $others; do
	grtrace verify -s 1s "$CASE_TMP/$source" || fail "$source: verify"
	marks "$CASE_TMP/$source" | grep -v ' synthetic	' >"$CASE_TMP/$source.marks"
	cut -f 1 "$CASE_TMP/$source.marks" >"$CASE_TMP/$source.texts"
	echo "$source: $(wc -l <"$CASE_TMP/$source.texts") marks"
	grtrace dump "$CASE_TMP/$source" | grep -c '<faulted>' || :
done
expect_eq "numbered marks" "$(grep -c ' marker number [0-9]* of' "$CASE_TMP/module.texts")" 300
expect_eq "marks of commands" "$(grep -c -E ' (grtrace frame 7|sh the last)$' "$CASE_TMP/module.texts")" 2
grep -q -E ' long[x]{1020}$' "$CASE_TMP/module.texts" || fail "the long mark is not cut after 1024 bytes"
grep -q -E ' marker longxxxxx$' "$CASE_TMP/module.texts" || fail "the text that ends before its memory does is not cut there"
grep -q ' marker ends at a NUL$' "$CASE_TMP/module.texts" || fail "the text with a NUL is not cut there"
for source in $others; do
	diff "$CASE_TMP/module.texts" "$CASE_TMP/$source.texts" | cut -c 1-300 | head -20 >"$CASE_TMP/diff"
	[ ! -s "$CASE_TMP/diff" ] || { cat "$CASE_TMP/diff"; fail "marks of module and $source differ"; }
	far 200000000 "$CASE_TMP/module.marks" "$CASE_TMP/$source.marks" >"$CASE_TMP/diff"
	[ ! -s "$CASE_TMP/diff" ] || { head "$CASE_TMP/diff"; fail "stamps of module and $source"; }
done
