-- SPDX-License-Identifier: GPL-2.0
-- The time from SUBMIT to COMPLETE that 99 of 100 jobs stayed below, for each day and pod; without jobs of which it is
-- only known when they were over at the latest.
SELECT day, owner, count() AS jobs, arraySort(groupArray(total_ns))[intDiv(count() * 99 + 99, 100)] AS p99_ns
FROM job FINAL WHERE isNotNull(total_ns) AND ifNull(flags, '') NOT LIKE '%upper_bound%'
GROUP BY day, owner ORDER BY day NULLS FIRST, p99_ns DESC, owner NULLS FIRST
