#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: of random writes to all control files, a refused one changes nothing, and an accepted one changes only what it names
# timeout: 600
# kernels: 6.1
#
# GRTRACE_WRITES: how many; the soak has 100,000, of which 2,000 may change something.
writes=${GRTRACE_WRITES:-20000}
seed=${GRTRACE_SEED:-$(date +%s)}

trap 'echo clear >"$GRT_DIR/rules"' EXIT
for module in grtrace_aggregator grtrace_filter grtrace_perf_mon grtrace_sampling; do
	need_module $module
done
scribble --writes "$writes" --changes $((writes / 50)) --seed "$seed" ||
	fail "repeat it: scribble --writes $writes --changes $((writes / 50)) --seed $seed"
fates_sum
