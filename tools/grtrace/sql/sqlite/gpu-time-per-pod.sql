-- SPDX-License-Identifier: GPL-2.0
-- How much time each pod had on the GPUs; where there is no pod: each Slurm job, container or unit.  Of a job whose
-- END is an upper bound the time is not known.
select host, owner, sum(ns) as gpu_ns, count(*) as jobs, count(*) - count(ns) as unknown
from (
	select host, owner, case when ifnull(flags, '') like '%upper_bound%' and flags like '%inferred_end%' then null
		else t_exec_ns end as ns from job) as runs
group by host, owner order by gpu_ns desc, host, owner nulls first;
