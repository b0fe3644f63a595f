// SPDX-License-Identifier: GPL-2.0
/*
 * Names of the processes that submit.
 *
 * Rows are only ever added during a session, and published by a release of
 * nr_rows, so readers and the look-up of the hot path take no lock.
 */
#include <linux/cgroup.h>
#include <linux/export.h>
#include <linux/grtrace_hook.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "processes.h"

#define MAX_ROWS	8192
#define SLOT_BITS	12

static struct grtrace_process *rows;
static u32 *slots;		/* hash of tgid -> row + 1, 0 = empty */
static u32 nr_rows, nr_lost;
static DEFINE_RAW_SPINLOCK(rows_lock);

int grt_processes_create(void)
{
	BUILD_BUG_ON(sizeof(rows->comm) != TASK_COMM_LEN);
	rows = kvcalloc(MAX_ROWS, sizeof(*rows), GFP_KERNEL);
	slots = kvcalloc(1 << SLOT_BITS, sizeof(*slots), GFP_KERNEL);
	if (rows && slots)
		return 0;
	grt_processes_destroy();
	return -ENOMEM;
}

void grt_processes_destroy(void)
{
	kvfree(rows);
	kvfree(slots);
}

void grt_processes_reset(void)
{
	nr_rows = 0;
	nr_lost = 0;
	memset(slots, 0, sizeof(*slots) << SLOT_BITS);
}

static u64 current_cgroup_id(void)
{
	u64 id = 0;

#ifdef CONFIG_CGROUPS
	rcu_read_lock();
	id = cgroup_id(task_dfl_cgroup(current));
	rcu_read_unlock();
#endif
	return id;
}

/* Under rows_lock.  Returns the row + 1, 0 if there is no room. */
static u32 add_row(const char *comm)
{
	struct grtrace_process *row;

	if (nr_rows == MAX_ROWS) {
		nr_lost++;
		return 0;
	}
	row = &rows[nr_rows];
	*row = (struct grtrace_process){
		.hdr.type = GRTRACE_PROCESS,
		.hdr.size = sizeof(*row),
		.hdr.cpu = smp_processor_id(),
		.hdr.ts = ktime_get_mono_fast_ns(),
		.cgroup_id = current_cgroup_id(),
		.tgid = current->tgid,
		.pidns = task_active_pid_ns(current)->ns.inum,
	};
	memcpy(row->comm, comm, sizeof(row->comm));
	row->comm[sizeof(row->comm) - 1] = '\0';
	smp_store_release(&nr_rows, nr_rows + 1);	/* pairs with grt_process_copy() */
	return nr_rows;
}

static bool is_named(const struct grtrace_process *row, const char *comm)
{
	return row->tgid == current->tgid && grt_comm_is(row->comm, comm);
}

static noinline void note_new(u32 *slot, const char *comm)
{
	unsigned long flags;
	u32 row;

	raw_spin_lock_irqsave(&rows_lock, flags);
	row = *slot;
	if (!row || !is_named(&rows[row - 1], comm)) {
		row = add_row(comm);
		if (row)
			WRITE_ONCE(*slot, row);
	}
	raw_spin_unlock_irqrestore(&rows_lock, flags);
}

void grt_process_note(void)
{
	/* The process, not the thread; current keeps its leader alive. */
	const char *comm = current->group_leader->comm;
	u32 *slot = &slots[hash_32(current->tgid, SLOT_BITS)];
	u32 row = READ_ONCE(*slot);

	if (unlikely(!row || !is_named(&rows[row - 1], comm)))
		note_new(slot, comm);
}

void grtrace_process_note(void)
{
	grt_process_note();
}
EXPORT_SYMBOL_GPL(grtrace_process_note);

void grt_process_note_on(struct grt_cpu *c)
{
	grt_process_note();
	c->noted_tgid = current->tgid;
	memcpy(c->noted_comm, current->group_leader->comm, sizeof(c->noted_comm));
}

bool grt_process_copy(u32 i, struct grtrace_process *to)
{
	if (i >= smp_load_acquire(&nr_rows))	/* pairs with add_row() */
		return false;
	*to = rows[i];
	return true;
}

u32 grt_processes_lost(void)
{
	return READ_ONCE(nr_lost);
}
