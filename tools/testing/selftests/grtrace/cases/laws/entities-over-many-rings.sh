#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: no event forgets its ring where an entity balances over 5, 8 or 64 schedulers
# kernels: 6.1
# requires: mock grtrace crowd
MOCK=/sys/kernel/debug/grtrace_mock
cd "$CASE_TMP" || exit
trap 'echo 0 >$MOCK/schedulers' EXIT
for schedulers in 5 8 64; do
	echo $schedulers >$MOCK/schedulers
	expect_status 0 grtrace record -o t.grt -- \
		crowd --contexts 8 --processes 16 --jobs 64 --duration-us 500 --csv crowd.csv
	expect_stat lost_events 0
	crowd_recorded crowd.csv t.grt
	rings=$(cut -d, -f2 jobs.csv | sort -u | grep -c '^gfx\.')
	# Each of the 8 contexts has its own set of rings, and the scheduler picks one for each job.
	# The module remembers 8 rings per context, so 10 do not fit.
	enough=$((schedulers < 16 ? 5 * schedulers : 10 * 8))
	[ "$rings" -gt $enough ] || fail "only $rings rings had jobs, so this run proves nothing"
	grtrace dump --format csv t.grt | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		/^(SUBMIT|COMMIT|END|COMPLETE),/ { events++; if (!$at["ring"]) { of[$1]++; none++ } }
		END { for (type in of) print of[type] " of " events / 4 " " type " have no ring"
			exit none > 0 || events != 4 * 16 * 64 }' >out ||
		fail "$schedulers schedulers: $(cat out)"
done
