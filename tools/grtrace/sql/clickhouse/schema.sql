-- SPDX-License-Identifier: GPL-2.0
--
-- Tables of ClickHouse for the rows of grtrace export --to ndjson, for 18.16 and later.  grtrace-load --schema
-- creates them, and grtrace-load fills them.
--
-- A row that is sent again replaces the first one, some time later in the background.  So questions say FINAL.
-- What is not known is NULL; only in keys it is ''.  A partition is a day, so old days can be dropped; a row
-- whose day is not known is in that of 1970-01-01.
CREATE TABLE IF NOT EXISTS job (
	host LowCardinality(String), boot_id LowCardinality(String), device LowCardinality(String),
	ring LowCardinality(String), ctx UInt64, seqno UInt64,
	segment UInt64, day Nullable(Date), realtime_ns Nullable(UInt64),
	owner LowCardinality(Nullable(String)), engine LowCardinality(Nullable(String)),
	pid Nullable(UInt32), comm LowCardinality(Nullable(String)),
	pidns Nullable(UInt64), cgroup_id Nullable(UInt64), cgroup LowCardinality(Nullable(String)),
	namespace LowCardinality(Nullable(String)), pod LowCardinality(Nullable(String)),
	container LowCardinality(Nullable(String)), slurm_job LowCardinality(Nullable(String)),
	unit LowCardinality(Nullable(String)),
	submit_ns Nullable(UInt64), commit_ns Nullable(UInt64), start_ns Nullable(UInt64),
	end_ns Nullable(UInt64), complete_ns Nullable(UInt64),
	t_order_ns Nullable(UInt64), t_dep_ns Nullable(UInt64), t_ring_ns Nullable(UInt64),
	t_sched_ns Nullable(UInt64), t_submit_host_ns Nullable(UInt64), t_queue_ns Nullable(UInt64),
	t_exec_ns Nullable(UInt64), t_hw_ns Nullable(UInt64), t_gpu_wait_ns Nullable(UInt64),
	t_complete_ns Nullable(UInt64), total_ns Nullable(UInt64), t_sched_cpu_ns Nullable(UInt64),
	t_wake_ns Nullable(UInt64), t_ioctl_ns Nullable(UInt64),
	status Nullable(Int32), flags LowCardinality(Nullable(String)), label LowCardinality(Nullable(String))
) ENGINE = ReplacingMergeTree PARTITION BY ifNull(day, toDate(0))
ORDER BY (host, boot_id, device, ring, ctx, seqno);

-- The tables of the report: time, idle, blame, roots, pod_blame and pod_roots.
CREATE TABLE IF NOT EXISTS sums (
	host LowCardinality(String), boot_id LowCardinality(String), segment UInt64, nr UInt32,
	row LowCardinality(String), day Nullable(Date), realtime_ns Nullable(UInt64),
	scope LowCardinality(Nullable(String)), device LowCardinality(Nullable(String)),
	ring LowCardinality(Nullable(String)), `order` LowCardinality(Nullable(String)),
	pid Nullable(UInt32), comm LowCardinality(Nullable(String)), client_id Nullable(UInt64),
	owner LowCardinality(Nullable(String)), name LowCardinality(Nullable(String)),
	wall_ns Nullable(UInt64), known_ns Nullable(UInt64), busy_ns Nullable(UInt64), occupied_ns Nullable(UInt64),
	starved_ns Nullable(UInt64), dependency_ns Nullable(UInt64), scheduler_ns Nullable(UInt64),
	hardware_ns Nullable(UInt64), recovery_ns Nullable(UInt64), unknown_ns Nullable(UInt64),
	unsure_ns Nullable(UInt64), jobs Nullable(UInt64), start_unknown Nullable(UInt64),
	cause LowCardinality(Nullable(String)), idle_ns Nullable(UInt64), stretches Nullable(UInt64),
	longest_ns Nullable(UInt64), ctx Nullable(UInt64), seqno Nullable(UInt64),
	waited_ns Nullable(UInt64), worst_ns Nullable(UInt64), worst_ctx Nullable(UInt64), worst_seqno Nullable(UInt64),
	through LowCardinality(Nullable(String)), root LowCardinality(Nullable(String)), share Nullable(Float64),
	by_pid Nullable(UInt32), by_comm LowCardinality(Nullable(String)), by_client_id Nullable(UInt64),
	by_device LowCardinality(Nullable(String)), by_ring LowCardinality(Nullable(String)),
	by_owner LowCardinality(Nullable(String)), by_name LowCardinality(Nullable(String))
) ENGINE = ReplacingMergeTree PARTITION BY ifNull(day, toDate(0))
ORDER BY (host, boot_id, segment, nr);

-- A row per file and machine, sent when all others are there.
CREATE TABLE IF NOT EXISTS ledger (
	host LowCardinality(String), boot_id LowCardinality(String), segment UInt64, nr UInt32,
	day Nullable(Date), realtime_ns Nullable(UInt64), trace String, version LowCardinality(String),
	from_ns UInt64, to_ns UInt64, wall_ns UInt64, events UInt64, lost UInt64, left_out UInt64, missing UInt64,
	jobs UInt64, exec_jobs UInt64, exec_ns UInt64, total_jobs UInt64, total_ns UInt64, waited_ns UInt64
) ENGINE = ReplacingMergeTree PARTITION BY ifNull(day, toDate(0))
ORDER BY (host, boot_id, segment)
