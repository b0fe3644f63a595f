-- SPDX-License-Identifier: GPL-2.0
-- How much time each pod had on the GPUs; where there is no pod: each Slurm job, container or unit.  Of a job whose
-- END is an upper bound the time is not known.
SELECT host, owner, sum(ns) AS gpu_ns, count() AS jobs, countIf(isNull(ns)) AS unknown
FROM (
	SELECT host, owner, if(ifNull(flags, '') LIKE '%upper_bound%' AND ifNull(flags, '') LIKE '%inferred_end%', NULL,
		t_exec_ns) AS ns FROM job FINAL
) AS runs
GROUP BY host, owner ORDER BY gpu_ns DESC, host, owner NULLS FIRST
