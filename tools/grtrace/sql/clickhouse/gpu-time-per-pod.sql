-- SPDX-License-Identifier: GPL-2.0
-- How much time each pod had on the GPUs; where there is no pod: each Slurm job, container or unit.
SELECT host, owner, sum(t_exec_ns) AS gpu_ns, count() AS jobs, countIf(isNull(t_exec_ns)) AS unknown
FROM job FINAL GROUP BY host, owner ORDER BY gpu_ns DESC, host, owner NULLS FIRST
