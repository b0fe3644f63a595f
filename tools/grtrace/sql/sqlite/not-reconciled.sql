-- SPDX-License-Identifier: GPL-2.0
-- Traces whose rows are not those that their ledger counts.  Load them again.
select l.host, l.boot_id, l.segment, l.trace, l.jobs - count(j.ctx) as jobs_missing,
	l.exec_ns - ifnull(sum(j.t_exec_ns), 0) as exec_ns_missing,
	l.total_ns - ifnull(sum(j.total_ns), 0) as total_ns_missing,
	l.nr - (select count(*) from sums s where (s.host, s.boot_id, s.segment) = (l.host, l.boot_id, l.segment)) + 1 as rows_missing
from ledger l left join job j using (host, boot_id, segment)
group by l.host, l.boot_id, l.segment
having jobs_missing or exec_ns_missing or total_ns_missing or rows_missing
order by l.host, l.segment;
