-- SPDX-License-Identifier: GPL-2.0
-- The time from SUBMIT to COMPLETE that 99 of 100 jobs stayed below, for each day and pod; without jobs of which it is
-- only known when they were over at the latest.
with ranked as (
	select day, owner, total_ns,
		row_number() over (partition by day, owner order by total_ns) as nr,
		count(*) over (partition by day, owner) as jobs
	from job where total_ns is not null and ifnull(flags, '') not like '%upper_bound%')
select day, owner, jobs, total_ns as p99_ns
from ranked where nr * 100 >= jobs * 99 and (nr - 1) * 100 < jobs * 99
order by day nulls first, p99_ns desc, owner nulls first;
