-- SPDX-License-Identifier: GPL-2.0
-- The jobs that took longest.  grtrace report --why CTX:SEQNO of the trace says why.  With the flag upper_bound, it was
-- that long at most.
select job.day, host, device, ring, ctx || ':' || seqno as job, comm, job.total_ns, t_exec_ns, trace,
	ifnull(flags, '') as flags
from job left join ledger using (host, boot_id, segment)
where job.total_ns is not null order by job.total_ns desc, host, ctx, seqno limit 20;
