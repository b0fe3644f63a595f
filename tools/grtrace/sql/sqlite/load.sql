-- SPDX-License-Identifier: GPL-2.0
--
-- Loads the rows of one or several traces into a database of SQLite:
--
--	grtrace export --to ndjson --segment node-0007.grt | sqlite3 room.db '.read load.sql'
--
-- A database that an older version made lacks columns: "grtrace export --to sqlite" adds them.
-- An integer of SQLite ends at 2^63 - 1. A greater number of a context, job, client or cgroup is a text, its digits
-- and a u, so that it stays the same; times and sums are rounded there.
-- A file that is loaded again replaces its rows.  Rows without their ledger, which comes behind all others,
-- are not complete, and change nothing.  For each of the questions beside this file:
--
--	sqlite3 -header -column room.db '.read gpu-time-per-pod.sql'
.bail on

create table if not exists job (
	host text not null, boot_id text not null, ctx integer not null, seqno integer not null,
	segment integer not null, day text, realtime_ns integer,
	owner text, device text, ring text, engine text, pid integer, comm text,
	cgroup text, namespace text, pod text, container text, slurm_job text, unit text,
	submit_ns integer, commit_ns integer, start_ns integer, end_ns integer, complete_ns integer,
	t_order_ns integer, t_dep_ns integer, t_ring_ns integer, t_sched_ns integer, t_submit_host_ns integer,
	t_queue_ns integer, t_exec_ns integer, t_hw_ns integer, t_complete_ns integer, total_ns integer,
	status integer, flags text, label text, t_gpu_wait_ns integer, t_sched_cpu_ns integer, t_wake_ns integer,
	t_ioctl_ns integer, pidns integer, cgroup_id integer,
	primary key (host, boot_id, ctx, seqno)
) without rowid;

-- All other rows, as they came.
create table if not exists sums (
	host text not null, boot_id text not null, segment integer not null, nr integer not null,
	row text not null, day text, json text not null,
	primary key (host, boot_id, segment, nr)
) without rowid;

-- Views are made again, as a later version may have more columns.
drop view if exists time;
create view time as select host, boot_id, segment, day,
	json ->> 'scope' as scope, json ->> 'device' as device, json ->> 'ring' as ring, json ->> 'wall_ns' as wall_ns,
	json ->> 'known_ns' as known_ns, json ->> 'busy_ns' as busy_ns, json ->> 'occupied_ns' as occupied_ns,
	json ->> 'starved_ns' as starved_ns, json ->> 'dependency_ns' as dependency_ns,
	json ->> 'scheduler_ns' as scheduler_ns, json ->> 'hardware_ns' as hardware_ns,
	json ->> 'recovery_ns' as recovery_ns, json ->> 'unknown_ns' as unknown_ns, json ->> 'unsure_ns' as unsure_ns,
	json ->> 'jobs' as jobs
	from sums where row = 'time';

drop view if exists pod_blame;
create view pod_blame as select host, boot_id, segment, day,
	json ->> 'owner' as owner, json ->> 'name' as name, json ->> 'waited_ns' as waited_ns,
	json ->> 'through' as through, json ->> 'by_owner' as by_owner, json ->> 'by_name' as by_name
	from sums where row = 'pod_blame';

drop view if exists blame;
create view blame as select host, boot_id, segment, day,
	json ->> 'pid' as pid, json ->> 'comm' as comm,
	iif(typeof(json ->> 'client_id') = 'real', (json -> 'client_id') || 'u', json ->> 'client_id') as client_id,
	json ->> 'device' as device, json ->> 'ring' as ring, json ->> 'waited_ns' as waited_ns, json ->> 'jobs' as jobs, json ->> 'worst_ns' as worst_ns,
	iif(typeof(json ->> 'worst_ctx') = 'real', (json -> 'worst_ctx') || 'u', json ->> 'worst_ctx') as worst_ctx,
	iif(typeof(json ->> 'worst_seqno') = 'real', (json -> 'worst_seqno') || 'u', json ->> 'worst_seqno') as worst_seqno,
	json ->> 'through' as through,
	json ->> 'by_pid' as by_pid, json ->> 'by_comm' as by_comm,
	iif(typeof(json ->> 'by_client_id') = 'real', (json -> 'by_client_id') || 'u', json ->> 'by_client_id') as by_client_id,
	json ->> 'by_device' as by_device, json ->> 'by_ring' as by_ring
	from sums where row = 'blame';

drop view if exists ledger;
create view ledger as select host, boot_id, segment, day, nr,
	json ->> 'trace' as trace, json ->> 'version' as version, json ->> 'from_ns' as from_ns,
	json ->> 'to_ns' as to_ns, json ->> 'wall_ns' as wall_ns, json ->> 'events' as events,
	json ->> 'lost' as lost, json ->> 'left_out' as left_out, json ->> 'missing' as missing,
	json ->> 'jobs' as jobs, json ->> 'exec_jobs' as exec_jobs, json ->> 'exec_ns' as exec_ns,
	json ->> 'total_jobs' as total_jobs, json ->> 'total_ns' as total_ns, json ->> 'waited_ns' as waited_ns
	from sums where row = 'ledger';

-- No line of JSON has the separator of columns, so each is one value.
create temp table line (json text);
.separator "\037" "\n"
.import /dev/stdin line
.separator "|" "\n"

create temp table new as select json ->> 'row' as row, ifnull(json ->> 'host', '') as host,
	ifnull(json ->> 'boot_id', '') as boot_id, json ->> 'segment' as segment, json
	from line where json_valid(json);
create temp table whole as select host, boot_id, segment from new where row = 'ledger';

begin;
delete from job where (host, boot_id, segment) in whole;
delete from sums where (host, boot_id, segment) in whole;
insert or replace into job (host, boot_id, ctx, seqno, segment, day, realtime_ns, owner, device, ring, engine, pid,
	comm, cgroup, namespace, pod, container, slurm_job, unit, submit_ns, commit_ns, start_ns, end_ns, complete_ns,
	t_order_ns, t_dep_ns, t_ring_ns, t_sched_ns, t_submit_host_ns, t_queue_ns, t_exec_ns, t_hw_ns, t_complete_ns,
	total_ns, status, flags, label, t_gpu_wait_ns, t_sched_cpu_ns, t_wake_ns, t_ioctl_ns, pidns, cgroup_id)
	select host, boot_id,
	iif(typeof(json ->> 'ctx') = 'real', (json -> 'ctx') || 'u', json ->> 'ctx'),
	iif(typeof(json ->> 'seqno') = 'real', (json -> 'seqno') || 'u', json ->> 'seqno'),
	segment, json ->> 'day', json ->> 'realtime_ns', json ->> 'owner', json ->> 'device', json ->> 'ring', json ->> 'engine', json ->> 'pid', json ->> 'comm',
	json ->> 'cgroup', json ->> 'namespace', json ->> 'pod', json ->> 'container', json ->> 'slurm_job',
	json ->> 'unit', json ->> 'submit_ns', json ->> 'commit_ns', json ->> 'start_ns', json ->> 'end_ns',
	json ->> 'complete_ns', json ->> 't_order_ns', json ->> 't_dep_ns', json ->> 't_ring_ns', json ->> 't_sched_ns',
	json ->> 't_submit_host_ns', json ->> 't_queue_ns', json ->> 't_exec_ns', json ->> 't_hw_ns',
	json ->> 't_complete_ns', json ->> 'total_ns', json ->> 'status', json ->> 'flags', json ->> 'label',
	json ->> 't_gpu_wait_ns', json ->> 't_sched_cpu_ns', json ->> 't_wake_ns', json ->> 't_ioctl_ns',
	iif(typeof(json ->> 'pidns') = 'real', (json -> 'pidns') || 'u', json ->> 'pidns'),
	iif(typeof(json ->> 'cgroup_id') = 'real', (json -> 'cgroup_id') || 'u', json ->> 'cgroup_id')
	from new where row = 'job' and (host, boot_id, segment) in whole;
insert or replace into sums select host, boot_id, segment, json ->> 'nr', row, json ->> 'day', json
	from new where row != 'job' and (host, boot_id, segment) in whole;
commit;
select 'loaded ' || (select count(*) from new where row = 'job' and (host, boot_id, segment) in whole) ||
	' jobs of ' || (select count(*) from (select distinct segment, json ->> 'trace' from new where row = 'ledger')) || ' traces';
select 'no ledger, left out: ' || count(*) || ' rows' from line
	where not json_valid(json) or (ifnull(json ->> 'host', ''), ifnull(json ->> 'boot_id', ''), json ->> 'segment') not in whole
	having count(*) > 0;
