/* SPDX-License-Identifier: GPL-2.0 */
/* Names the processes that submit jobs. */
#ifndef GRT_PROCESSES_BPF_H
#define GRT_PROCESSES_BPF_H

#include <bpf/bpf_core_read.h>

#include "record.bpf.h"

#define PROCESSES	4096

/* The last name of a process.  A process that finds no free place takes another one's. */
struct process_row {
	u64 tgid, start_ns, cgroups, comm[2];
};

static struct process_row processes[PROCESSES];

static __noinline int define_process(u32 tgid)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct task_struct *leader = BPF_CORE_READ(task, group_leader);
	struct pid *pid = BPF_CORE_READ(leader, thread_pid);
	u32 level = BPF_CORE_READ(pid, level);
	struct grt_bpf_cpu *c = own_counters();
	struct grtrace_process *p;
	struct pid_namespace *ns = NULL;

	p = reserve(c, sizeof(*p), false);
	if (!p)
		return 0;
	bpf_core_read(&ns, sizeof(ns), (void *)pid + bpf_core_field_offset(pid->numbers) +
		      level * bpf_core_type_size(struct upid) +
		      bpf_core_field_offset(struct upid, ns));
	p->tgid = tgid;
	p->pidns = ns ? BPF_CORE_READ(ns, ns.inum) : 0;
	p->cgroup_id = BPF_CORE_READ(leader, cgroups, dfl_cgrp, kn, id);
	p->start_ns = BPF_CORE_READ(leader, start_time);
	BPF_CORE_READ_INTO(&p->comm, leader, comm);
	p->comm[sizeof(p->comm) - 1] = '\0';
	submit(c, p, GRTRACE_PROCESS, sizeof(*p), 0);
	return 1;
}

static __always_inline struct process_row *process_place(u32 tgid, u32 nth)
{
	struct process_row *row = &processes[(tgid + nth) % PROCESSES];

	barrier_var(row);	/* as in own_counters() */
	return row;
}

/* The row of @tgid; else a free one; else the last one tried, which is taken from its process. */
static __always_inline struct process_row *process_row(u32 tgid)
{
	struct process_row *row = process_place(tgid, 0);

	for (u32 i = 1; i < TRIES && row->tgid && row->tgid != tgid; i++)
		row = process_place(tgid, i);
	return row;
}

/* Whether @row has the present name and cgroup of the process. */
static __always_inline bool is_named(const struct process_row *row, u32 tgid,
				     const struct task_struct *leader)
{
	return row->tgid == tgid && row->start_ns == leader->start_time &&
	       row->cgroups == (u64)leader->cgroups && row->comm[0] == *(u64 *)leader->comm &&
	       row->comm[1] == *(u64 *)&leader->comm[8];
}

static __noinline int name_process(u32 tgid)
{
	struct task_struct *leader = bpf_get_current_task_btf()->group_leader;
	struct process_row *row = process_row(tgid);
	/* Read before the name is written: a name that changes meanwhile is written next time. */
	const struct process_row now = {
		.tgid = tgid,
		.start_ns = leader->start_time,
		.cgroups = (u64)leader->cgroups,
		.comm = { *(u64 *)leader->comm, *(u64 *)&leader->comm[8] },
	};

	if (is_named(row, tgid, leader) || !define_process(tgid))
		return 0;
	*row = now;
	return 1;
}

/*
 * Names the current process if it is new, or changed its name or cgroup.  Whether it did.  Nearly all
 * processes are named already and have their first place.
 */
static __always_inline bool note_process(const struct task_struct *task, u32 tgid)
{
	return !is_named(process_place(tgid, 0), tgid, task->group_leader) && name_process(tgid);
}

#endif /* GRT_PROCESSES_BPF_H */
