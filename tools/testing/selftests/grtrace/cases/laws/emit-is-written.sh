#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a session with four synthetic events writes these four, with the given values
# kernels: 6.1
# requires: grtrace
session_start
emit submit 7 GRAPHICS 0 1
emit submit 7 COMPUTE 1 2
emit submit 7 COPY 2 3
emit 'dependency 7 COPY 2 3 dep_ctx=8 dep_seqno=9 flags=popped|SIGNALED|0x4000'
session_stop
expect_stat seen 4
expect_stat written 4
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/trace"
expect_eq "the dependency" "$(grtrace dump --format csv "$CASE_TMP/trace" |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == "DEPENDENCY" { print $3, $at["ctx"] ":" $at["seqno"], $at["dep_ctx"] ":" $at["dep_seqno"] }')" \
	'SYNTHETIC|POPPED|SIGNALED|FOREIGN 7:3 8:9'
