-- SPDX-License-Identifier: GPL-2.0
-- The jobs that took longest.  grtrace report --why CTX:SEQNO of the trace says why.  With the flag upper_bound, it was
-- that long at most.
SELECT day, host, device, ring, concat(toString(ctx), ':', toString(seqno)) AS job, comm, total_ns, t_exec_ns, trace,
	ifNull(flags, '') AS flags
FROM (
	SELECT day, host, boot_id, segment, device, ring, ctx, seqno, comm, total_ns, t_exec_ns, flags
	FROM job FINAL WHERE isNotNull(total_ns) ORDER BY total_ns DESC, host, ctx, seqno LIMIT 20
) AS worst ANY LEFT JOIN (
	SELECT host, boot_id, segment, trace FROM ledger FINAL
) AS traces USING (host, boot_id, segment)
ORDER BY total_ns DESC, host, ctx, seqno
