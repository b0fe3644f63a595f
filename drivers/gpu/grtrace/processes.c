// SPDX-License-Identifier: GPL-2.0
/*
 * Names of the processes that submit jobs.
 *
 * A process is (tgid, start time), because tgids are used again.  Its current row is in the
 * hash chain of its tgid; the look-up on the hot path takes no lock.  When a process changes
 * its name or cgroup it gets a new row, even if it had that name before: readers attribute a
 * job to the last row before its SUBMIT.
 *
 * recycle.c frees rows that no reader needs any more.  While no row is free, a new process
 * takes no lock and is counted once as lost.
 */
#include <linux/atomic.h>
#include <linux/export.h>
#include <linux/grtrace_hook.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>

#include "processes.h"
#include "recycle.h"

#define MAX_ROWS	8192
#define LOW_ROWS	(MAX_ROWS / 2)	/* recycle when fewer rows are free */
#define SLOT_BITS	12
#define LOST_BITS	10
#define BATCH		64		/* rows looked at with interrupts off */

static struct grt_process *rows;
static u32 *slots;		/* hash of tgid -> row + 1, 0 = empty */
static u32 first_free, nr_free;	/* row + 1 */
static struct grt_line line;	/* rows in use */
static u32 lost[1 << LOST_BITS];	/* processes that found no room, by hash */
static atomic_t nr_lost;
static DEFINE_RAW_SPINLOCK(rows_lock);	/* for all but @lost; chains are read without it */

static u32 *slot_of(u32 tgid)
{
	return &slots[hash_32(tgid, SLOT_BITS)];
}

/* The noted process of a CPU that noted none: no process has this start time. */
static const struct grt_process nobody = { .def.start_ns = U64_MAX };

/* Under rows_lock, as every change of a row. */
static void put_free(struct grt_process *p)
{
	p->is_old = false;
	p->next = first_free;
	first_free = p - rows + 1;
	WRITE_ONCE(nr_free, nr_free + 1);
}

static void take_out_of_chain(struct grt_process *p)
{
	u32 *at = slot_of(p->def.tgid);

	if (!p->key)
		return;
	while (*at != p - rows + 1)
		at = &rows[*at - 1].next;
	/* Keep p->next: a reader that is on this row continues from here. */
	WRITE_ONCE(*at, p->next);
	WRITE_ONCE(p->key, 0);
}

void grt_processes_reset(void)
{
	struct grt_process *p, *next;
	unsigned int left;

	do {
		left = BATCH;
		raw_spin_lock_irq(&rows_lock);
		list_for_each_entry_safe(p, next, &line.places, place.link) {
			if (!left--)
				break;
			take_out_of_chain(p);
			grt_line_remove(&p->place);
			put_free(p);
		}
		raw_spin_unlock_irq(&rows_lock);
	} while (!list_empty(&line.places));
	raw_spin_lock_irq(&rows_lock);
	grt_line_reset(&line);
	raw_spin_unlock_irq(&rows_lock);
	memset(lost, 0, sizeof(lost));
	atomic_set(&nr_lost, 0);
}

void grt_processes_destroy(void)
{
	grt_recycle_stop();
	kvfree(rows);
	kvfree(slots);
}

size_t grt_processes_bytes(void)
{
	return MAX_ROWS * sizeof(*rows) + (sizeof(*slots) << SLOT_BITS) + sizeof(lost);
}

/* Under rows_lock.  The row joins the line before it gets its key, so readers get it in time. */
static void fill_row(struct grt_process *p, struct task_struct *leader, u32 tgid, u64 ts)
{
	p->def = (struct grtrace_process){
		.hdr.type = GRTRACE_PROCESS,
		.hdr.size = sizeof(p->def),
		.hdr.cpu = raw_smp_processor_id(),
		.hdr.ts = ts ?: ktime_get_mono_fast_ns(),
		.cgroup_id = grt_cgroup_of(leader),
		.tgid = tgid,
		.pidns = task_active_pid_ns(leader)->ns.inum,
		.start_ns = leader->start_time,
	};
	p->cgroups = rcu_access_pointer(leader->cgroups);
	memcpy(p->def.comm, leader->comm, sizeof(p->def.comm));
	p->def.comm[sizeof(p->def.comm) - 1] = '\0';
	grt_line_add(&line, &p->place);
	smp_store_release(&p->key, tgid);	/* pairs with grt_process_is() */
}

/* The current row of @tgid, or NULL.  Interrupts off, so that recycle.c waits for us. */
static struct grt_process *find_row(u32 tgid)
{
	u32 i = READ_ONCE(*slot_of(tgid));

	/* Pairs with add_row(). */
	for (; i; i = smp_load_acquire(&rows[i - 1].next))
		if (READ_ONCE(rows[i - 1].key) == tgid)
			return &rows[i - 1];
	return NULL;
}

/* Under rows_lock. */
static struct grt_process *add_row(struct task_struct *leader, u32 tgid, u64 ts)
{
	struct grt_process *p = find_row(tgid);
	u32 *slot = slot_of(tgid);

	/* Another thread of the process may have been here first. */
	if (p && grt_process_is(p, leader, tgid))
		return p;
	/* Only cgroups of other hierarchies changed, which the row does not show. */
	if (p && p->def.start_ns == leader->start_time &&
	    p->def.cgroup_id == grt_cgroup_of(leader) && grt_comm_is(p->def.comm, leader->comm)) {
		WRITE_ONCE(p->cgroups, rcu_access_pointer(leader->cgroups));
		return p;
	}
	if (!first_free)
		return NULL;
	if (p)
		take_out_of_chain(p);
	p = &rows[first_free - 1];
	first_free = p->next;
	WRITE_ONCE(nr_free, nr_free - 1);
	WRITE_ONCE(p->next, *slot);
	fill_row(p, leader, tgid, ts);
	smp_store_release(slot, p - rows + 1);	/* pairs with find_row() */
	return p;
}

/* Keeps one process per hash slot: two that share a slot may be counted more than once. */
static void count_lost(const struct task_struct *leader, u32 tgid)
{
	u64 who = tgid ^ leader->start_time ^ grt_cgroup_of(leader) ^
		  grt_comm_word(leader->comm, 0) ^ grt_comm_word(leader->comm, 1);
	u32 tag = hash_64(who, 32) | 1;
	u32 *slot = &lost[tag >> (32 - LOST_BITS)];

	if (READ_ONCE(*slot) == tag)
		return;
	WRITE_ONCE(*slot, tag);
	atomic_inc(&nr_lost);
}

static noinline struct grt_process *note_new(struct task_struct *leader, u32 tgid, u64 ts)
{
	struct grt_process *p = NULL;

	if (READ_ONCE(nr_free)) {
		raw_spin_lock(&rows_lock);
		p = add_row(leader, tgid, ts);
		raw_spin_unlock(&rows_lock);
	}
	if (READ_ONCE(nr_free) < LOW_ROWS)
		grt_recycle_kick();
	if (!p)
		count_lost(leader, tgid);
	return p;
}

void grt_process_note_on(struct grt_cpu *c, u64 ts)
{
	struct task_struct *leader = current->group_leader;
	u32 tgid = current->tgid;
	struct grt_process *p;

	if (!tgid)	/* the idle task: an interrupt came while the CPU was idle */
		return;
	p = find_row(tgid);
	if (unlikely(!p || !grt_process_is(p, leader, tgid)))
		p = note_new(leader, tgid, ts);
	c->noted = p ?: &nobody;
}

void grt_process_note(void)
{
	unsigned long flags;
	struct grt_cpu *c;

	local_irq_save(flags);
	c = this_cpu_ptr(grt_cpus);
	/* Called from a hook: the row is valid from the time of the event that it judges. */
	if (!grt_process_is_noted(c, current->tgid))
		grt_process_note_on(c, c->hook_depth ? c->event_ts : 0);
	local_irq_restore(flags);
}

void grtrace_process_note(void)
{
	grt_process_note();
}
EXPORT_SYMBOL_GPL(grtrace_process_note);

bool grt_process_copy(struct grt_line_cursor *at, struct grtrace_process *to)
{
	struct grt_place *place;
	unsigned long flags;

	raw_spin_lock_irqsave(&rows_lock, flags);
	place = grt_line_next(&line, at);
	if (place)
		*to = container_of(place, struct grt_process, place)->def;
	raw_spin_unlock_irqrestore(&rows_lock, flags);
	return place;
}

u32 grt_processes_lost(void)
{
	return atomic_read(&nr_lost);
}

static bool is_dead(const struct grtrace_process *def)
{
	struct task_struct *leader = pid_task(find_pid_ns(def->tgid, &init_pid_ns), PIDTYPE_TGID);

	return !leader || leader->start_time != def->start_ns;
}

/* Calls @fn for all rows, BATCH by BATCH: with interrupts off, under RCU and the lock. */
static void each_row(void (*fn)(struct grt_process *p))
{
	u32 i, end;

	for (i = 0; i < MAX_ROWS; ) {
		end = i + BATCH;
		rcu_read_lock();
		raw_spin_lock_irq(&rows_lock);
		for (; i < end; i++)
			fn(&rows[i]);
		raw_spin_unlock_irq(&rows_lock);
		rcu_read_unlock();
		cond_resched();
	}
}

static u32 nr_old;	/* only the work uses it */

static void mark_row(struct grt_process *p)
{
	p->is_old = p->place.nth && (!p->key || is_dead(&p->def));
	nr_old += p->is_old;
}

static void unlink_row(struct grt_process *p)
{
	if (!p->is_old)
		return;
	take_out_of_chain(p);
	grt_line_remove(&p->place);
}

static void free_row(struct grt_process *p)
{
	if (p->is_old)
		put_free(p);
}

static bool mark_old(void)
{
	nr_old = 0;
	if (READ_ONCE(nr_free) < LOW_ROWS)
		each_row(mark_row);
	return nr_old;
}

static void unlink_old(void)
{
	each_row(unlink_row);
}

static void free_old(void)
{
	each_row(free_row);
}

static const struct grt_recycled recycled = {
	.mark_old   = mark_old,
	.unlink_old = unlink_old,
	.free_old   = free_old,
};

int grt_processes_create(void)
{
	int cpu;
	u32 i;

	BUILD_BUG_ON(sizeof(rows->def.comm) != TASK_COMM_LEN);
	rows = kvcalloc(MAX_ROWS, sizeof(*rows), GFP_KERNEL);
	slots = kvcalloc(1 << SLOT_BITS, sizeof(*slots), GFP_KERNEL);
	if (!rows || !slots) {
		grt_processes_destroy();
		return -ENOMEM;
	}
	grt_line_reset(&line);
	for (i = MAX_ROWS; i--; )
		put_free(&rows[i]);
	for_each_possible_cpu(cpu)
		per_cpu_ptr(grt_cpus, cpu)->noted = &nobody;
	grt_recycle_serve(GRT_RECYCLE_PROCESSES, &recycled);
	return 0;
}
