-- SPDX-License-Identifier: GPL-2.0
-- Traces whose rows are not those that their ledger counts.  Load them again.
select host, boot_id, segment, max(trace) as trace, sum(jobs) as jobs_missing, sum(exec_ns) as exec_ns_missing,
	sum(total_ns) as total_ns_missing, sum(nr) as rows_missing
from (
	-- The ledger is one of the other rows, which it does not count.
	select host, boot_id, segment, trace, cast(jobs as bigint) as jobs, cast(exec_ns as bigint) as exec_ns,
		cast(total_ns as bigint) as total_ns, nr + 1 as nr from ledger
	union all
	select host, boot_id, segment, '', -count(*), -cast(ifnull(sum(t_exec_ns), 0) as bigint),
		-cast(ifnull(sum(total_ns), 0) as bigint), 0
	from job group by host, boot_id, segment
	union all
	select host, boot_id, segment, '', 0, 0, 0, -count(*) from sums group by host, boot_id, segment
) as parts
group by host, boot_id, segment
having sum(jobs) != 0 or sum(exec_ns) != 0 or sum(total_ns) != 0 or sum(nr) != 0
order by host, segment;
