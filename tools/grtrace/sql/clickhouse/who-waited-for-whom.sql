-- SPDX-License-Identifier: GPL-2.0
-- Which pod waited for which, and through what.
SELECT host, name, by_name, through, sum(waited_ns) AS waited_ns
FROM sums FINAL WHERE row = 'pod_blame'
GROUP BY host, name, by_name, through
ORDER BY waited_ns DESC, host, name NULLS FIRST, by_name NULLS FIRST, through NULLS FIRST
