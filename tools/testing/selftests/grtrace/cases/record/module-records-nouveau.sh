#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the module records jobs of nouveau by their fences, each once: not the hardware fences of jobs that the scheduler has
# requires: grtrace
# arm64: no, Debian's kernel lists no variables there, and the test finds the operations of nouveau's fences by name
# vm: own --gpu none --with nouveau --mem 1500
# kernels: 6.1 7.x
# shellcheck source=SCRIPTDIR/../fire_nouveau.sh
. "$0/fire_nouveau.sh"
trap ftrace_undo EXIT
need_module grtrace_nouveau
load_nouveau
record_nouveau with module
expect_nouveau with
grtrace report "$CASE_TMP/with.grt"

# More clients, one after the other, than the table of rings has rows: each has a ring, and none is lost.
CLIENTS=1200
# shellcheck disable=SC2086,SC2154	# words, of load_nouveau
grtrace record --source=module -q -o "$CASE_TMP/clients.grt" -- \
	modprobe grtrace_fire_nouveau $nouveau clients=$CLIENTS >"$CASE_TMP/words" 2>&1 ||
	fail "record: $(cat "$CASE_TMP/words")"
rmmod grtrace_fire_nouveau
expect_stat rings_lost 0
grtrace dump --format csv "$CASE_TMP/clients.grt" >"$CASE_TMP/clients.csv"
expect_eq "clients with a ring" "$(awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "SUBMIT" && $at["ring_name"] ~ /^client/ && !($at["ring_name"] in is) { is[$at["ring_name"]]; n++ }
	END { print n + 0 }' "$CASE_TMP/clients.csv")" $CLIENTS
rmmod nouveau || fail "nouveau is in use"
