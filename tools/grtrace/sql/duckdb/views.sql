-- SPDX-License-Identifier: GPL-2.0
--
-- Views of DuckDB on the files that grtrace export --to ndjson wrote.  First say where they are:
--
--	set variable rows = '/srv/rows/*.ndjson';
--	.read views.sql
--	.read ../sqlite/gpu-time-per-pod.sql
--
-- The questions are those of SQLite.  A file that is there twice counts once, and rows without their ledger,
-- which comes behind all others, do not count.
create or replace view line as select * from read_ndjson(getvariable('rows'), columns = {
	row: 'varchar', host: 'varchar', boot_id: 'varchar', segment: 'ubigint', nr: 'ubigint', day: 'varchar',
	realtime_ns: 'ubigint', owner: 'varchar', device: 'varchar', ring: 'varchar', engine: 'varchar',
	ctx: 'ubigint', seqno: 'ubigint', pid: 'ubigint', comm: 'varchar', pidns: 'ubigint', cgroup_id: 'ubigint',
	cgroup: 'varchar', namespace: 'varchar', pod: 'varchar', container: 'varchar', slurm_job: 'varchar',
	unit: 'varchar', submit_ns: 'ubigint', commit_ns: 'ubigint', start_ns: 'ubigint', end_ns: 'ubigint',
	complete_ns: 'ubigint', t_order_ns: 'ubigint', t_dep_ns: 'ubigint', t_ring_ns: 'ubigint',
	t_sched_ns: 'ubigint', t_submit_host_ns: 'ubigint', t_queue_ns: 'ubigint', t_exec_ns: 'ubigint',
	t_hw_ns: 'ubigint', t_gpu_wait_ns: 'ubigint', t_complete_ns: 'ubigint', total_ns: 'ubigint',
	t_sched_cpu_ns: 'ubigint', t_wake_ns: 'ubigint', t_ioctl_ns: 'ubigint', status: 'integer', flags: 'varchar',
	label: 'varchar', scope: 'varchar', "order": 'varchar', wall_ns: 'ubigint', known_ns: 'ubigint',
	busy_ns: 'ubigint', occupied_ns: 'ubigint', starved_ns: 'ubigint', dependency_ns: 'ubigint',
	scheduler_ns: 'ubigint', hardware_ns: 'ubigint', recovery_ns: 'ubigint', unknown_ns: 'ubigint',
	unsure_ns: 'ubigint', jobs: 'ubigint', start_unknown: 'ubigint', cause: 'varchar', idle_ns: 'ubigint', stretches: 'ubigint',
	longest_ns: 'ubigint', client_id: 'ubigint', waited_ns: 'ubigint', worst_ns: 'ubigint',
	worst_ctx: 'ubigint', worst_seqno: 'ubigint', through: 'varchar', root: 'varchar', share: 'double',
	name: 'varchar', by_pid: 'ubigint', by_comm: 'varchar', by_client_id: 'ubigint', by_device: 'varchar',
	by_ring: 'varchar', by_owner: 'varchar', by_name: 'varchar', trace: 'varchar', version: 'varchar',
	from_ns: 'ubigint', to_ns: 'ubigint', events: 'ubigint', lost: 'ubigint', left_out: 'ubigint',
	missing: 'ubigint', exec_jobs: 'ubigint', exec_ns: 'ubigint', total_jobs: 'ubigint'
});

-- Of rows of the same key, which have the same values, one.  A host that is not known is ''.
create or replace view known_line as select * replace (ifnull(host, '') as host, ifnull(boot_id, '') as boot_id) from line;

create or replace view whole as select distinct host, boot_id, segment from known_line where row = 'ledger';

create or replace view job as select distinct on (host, boot_id, ctx, seqno)
	host, boot_id, ctx, seqno, segment, day, realtime_ns, owner, device, ring, engine, pid, comm, pidns, cgroup_id,
	cgroup, namespace, pod, container, slurm_job, unit, submit_ns, commit_ns, start_ns, end_ns, complete_ns,
	t_order_ns, t_dep_ns, t_ring_ns, t_sched_ns, t_submit_host_ns, t_queue_ns, t_exec_ns, t_hw_ns, t_gpu_wait_ns,
	t_complete_ns, total_ns, t_sched_cpu_ns, t_wake_ns, t_ioctl_ns, status, flags, label
	from known_line semi join whole using (host, boot_id, segment) where row = 'job';

create or replace view sums as select distinct on (host, boot_id, segment, nr) *
	from known_line semi join whole using (host, boot_id, segment) where row != 'job';

create or replace view time as select host, boot_id, segment, day, scope, device, ring, wall_ns, known_ns, busy_ns,
	occupied_ns, starved_ns, dependency_ns, scheduler_ns, hardware_ns, recovery_ns, unknown_ns, jobs
	from sums where row = 'time';

create or replace view pod_blame as select host, boot_id, segment, day, owner, name, waited_ns, through, by_owner, by_name
	from sums where row = 'pod_blame';

create or replace view blame as select host, boot_id, segment, day, pid, comm, client_id, device, ring, waited_ns, jobs,
	worst_ns, worst_ctx, worst_seqno, through, by_pid, by_comm, by_client_id, by_device, by_ring
	from sums where row = 'blame';

create or replace view ledger as select host, boot_id, segment, day, nr, trace, version, from_ns, to_ns, wall_ns, events,
	lost, left_out, missing, jobs, exec_jobs, exec_ns, total_jobs, total_ns, waited_ns from sums where row = 'ledger';
