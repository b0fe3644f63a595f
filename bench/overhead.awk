# SPDX-License-Identifier: GPL-2.0
#
# Makes the table of bench/overhead from what overhead-guest.sh prints: for each turn of a tracer
# "LOOP|CALLS|TRACER|UNTRACED_S|TRACED_S|EVENTS|LEAST", or "LOOP||TRACER|REASON" if it is not there.
function sort(list, n,    i, j, value) {
	for (i = 2; i <= n; i++) {
		value = list[i]
		for (j = i - 1; j > 0 && list[j] > value; j--)
			list[j + 1] = list[j]
		list[j + 1] = value
	}
}
# of(FIELD, KEY): the values of a row, sorted, in sorted[]; returns the median
function of(value, key,    i, n) {
	n = rounds[key]
	for (i = 1; i <= n; i++)
		sorted[i] = value[key, i]
	sort(sorted, n)
	return n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}
function row(key,    slowdown, low, high, peer, beside) {
	if (key in reason) {
		printf "%-46s %s\n", name[key], reason[key]
		return
	}
	slowdown = of(ratio, key)
	low = sorted[1]
	high = sorted[rounds[key]]
	peer = loop[key] SUBSEP "trace-cmd record"
	beside = "-"
	if (rounds[peer] && name[key] != "nothing")
		beside = sprintf("%.2fx", slowdown / of(ratio, peer))
	printf "%-46s %9.0f ns %9.0f ns %8.2fx %6.2f %7.2f %9s %16s\n", name[key],
		of(untraced, key), of(traced, key), slowdown, low, high, beside,
		(events[key] == "-" ? "-" : events[key] " of " least[key])
}
NF < 4 { next }
{
	key = $1 SUBSEP $3
	if (!(key in name)) {
		name[key] = $3
		loop[key] = $1
		keys[++count] = key
	}
}
NF == 4 { reason[key] = $4; next }
{
	n = ++rounds[key]
	untraced[key, n] = $4 / $2 * 1e9
	traced[key, n] = $5 / $2 * 1e9
	ratio[key, n] = $5 / $4
	if (n == 1 || $6 < events[key]) {
		events[key] = $6
		least[key] = $7
	}
}
END {
	title["writes"] = "dd if=/dev/zero of=/dev/null bs=4k: one read and one write"
	title["jobs"] = "workload --scenario batch: one job"
	for (i = 1; i <= count; i++) {
		key = keys[i]
		if (loop[key] != shown) {
			shown = loop[key]
			printf "%s%s\n", (i > 1 ? "\n" : ""), title[shown]
			printf "%-46s %12s %12s %9s %6s %7s %9s %16s\n", "tracer", "untraced",
				"traced", "slowdown", "lowest", "highest", "trace-cmd", "events"
		}
		row(key)
	}
	exit !count
}
