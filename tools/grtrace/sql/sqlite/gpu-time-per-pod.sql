-- SPDX-License-Identifier: GPL-2.0
-- How much time each pod had on the GPUs; where there is no pod: each Slurm job, container or unit.
select host, owner, sum(t_exec_ns) as gpu_ns, count(*) as jobs, count(*) - count(t_exec_ns) as unknown
from job group by host, owner order by gpu_ns desc, host, owner nulls first;
