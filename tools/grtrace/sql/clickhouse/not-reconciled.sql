-- SPDX-License-Identifier: GPL-2.0
-- Traces whose rows are not those that their ledger counts.  Load them again.  Rows without a ledger are of a
-- trace without a name; their jobs_missing is below 0.
SELECT host, boot_id, segment, max(trace) AS trace, sum(jobs) AS jobs_missing, sum(exec_ns) AS exec_ns_missing,
	sum(total_ns) AS total_ns_missing, sum(rows) AS rows_missing
FROM (
	SELECT host, boot_id, segment, trace, toInt64(jobs) AS jobs, toInt64(exec_ns) AS exec_ns,
		toInt64(total_ns) AS total_ns, toInt64(nr) AS rows
	FROM ledger FINAL
	UNION ALL
	SELECT host, boot_id, segment, '' AS trace, -toInt64(count()) AS jobs,
		-toInt64(sum(ifNull(t_exec_ns, 0))) AS exec_ns, -toInt64(sum(ifNull(total_ns, 0))) AS total_ns,
		toInt64(0) AS rows
	FROM (SELECT host, boot_id, segment, t_exec_ns, total_ns FROM job FINAL) AS j GROUP BY host, boot_id, segment
	UNION ALL
	SELECT host, boot_id, segment, '' AS trace, toInt64(0) AS jobs, toInt64(0) AS exec_ns, toInt64(0) AS total_ns,
		-toInt64(count()) AS rows
	FROM sums FINAL GROUP BY host, boot_id, segment
) AS parts
GROUP BY host, boot_id, segment
HAVING jobs_missing != 0 OR exec_ns_missing != 0 OR total_ns_missing != 0 OR rows_missing != 0
ORDER BY host, segment
