#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the folder is 0700, its files are 0600, and read-only files 0400
# kernels: 6.1
mode() { command stat -c %a "$1"; }

session_start
session_stop
expect_eq "mode of $GRT_DIR" "$(mode "$GRT_DIR")" 700
count=0
for file in "$GRT_DIR"/*; do
	[ ! -L "$file" ] || continue	# another name
	case ${file##*/} in
	reset_stats) want=600 ;;
	*stats | events_by_type | *_hist | pc_* | jobs | keys | rings | version | metadata | error | events | trace_pipe | events[0-9]*) want=400 ;;
	*) want=600 ;;
	esac
	expect_eq "mode of $file" "$(mode "$file")" $want
	count=$((count + 1))
done
[ $count -ge 13 ] || fail "only $count files in $GRT_DIR"
for file in control enabled enable stats events_by_type latency_hist size_hist result_hist \
	    pc_cseq pc_stats sec_stats reset_stats rings version metadata keys \
	    buffer_size config error emit events0; do
	[ -f "$GRT_DIR/$file" ] || fail "no file '$file'"
done
for file in "$GRT_DIR"/trace[0-9]*; do
	[ -L "$file" ] || fail "$file is no link"
	expect_eq "where $file leads" "$(readlink "$file")" "events${file##*/trace}"
done
