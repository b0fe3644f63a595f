#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: parameters of an extension loaded while a session runs stand in its stream, and hold from then on
# kernels: 6.1
# requires: modules
# vm: own --no-load
modprobe grtrace
session_start
emit submit 1 gfx 900 1
modprobe grtrace_aggregator aggregator_enable=1 aggregator_window=300
modprobe grtrace_sampling sampling_mode=static sampling_rate=0
modprobe grtrace_filter filter_enabled=1 filter_events=submit,complete
emit submit 1 gfx 900 2
session_stop
expect_stat sampled 1
expect_eq "SUBMIT written" "$(column SUBMIT written)" 1
cat "$GRT_DIR/trace_pipe" >"$CASE_TMP/pipe"
grtrace dump "$CASE_TMP/pipe" | sed -n 's/.* POLICY .*"\(.*\)"$/\1/p' | sort -u >"$CASE_TMP/told"
for pair in aggregator_enable=1 aggregator_window=300 sampling_mode=static sampling_rate=0 filter_enabled=1; do
	grep -qx "$pair" "$CASE_TMP/told" || fail "$pair is not told, but only: $(paste -s -d ' ' "$CASE_TMP/told")"
done
rmmod grtrace_filter grtrace_sampling grtrace_aggregator grtrace
