// SPDX-License-Identifier: GPL-2.0
/*
 * When a row of a table of definitions may be used again.
 *
 * A row must stay as long as an event that needs it can be read: a reader that opens now
 * gets the definitions of now, then the events that nobody has read yet.  So a row goes in
 * four steps:
 *
 * 1. Its table marks it as old: no event that is written from now on needs it.  Its process
 *    is dead or has another row by now; its ring is gone.
 * 2. A grace period: events that were on their way are in the buffers.  Now it is noted how
 *    far each CPU has written.
 * 3. When the readers are done with all that, every reader of that CPU had taken the row
 *    before the sub-buffer that needs it, as rows come first in a stream; and who opens
 *    later finds no event that needs it.  Only now the row leaves the line.
 * 4. Another grace period: nobody looks at it on the hot path.  Now it is free.
 *
 * A cursor that stands on a row that went finds that its number is gone, see line.h: the
 * rows behind it are handed out all the same, none twice.
 *
 * JOB and WINDOW records come after the last event of their job.  While jobs are followed
 * these may still be written, so step 2 waits LATE longer.
 *
 * Where nobody reads, nothing becomes free: then a full table is counted, not cut.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "jobs.h"
#include "recycle.h"
#include "transport/transport.h"

#define FIRST_WAIT	(HZ / 10)
#define LONGEST_WAIT	(10 * HZ)
#define LATE		(10 * HZ)

static enum { IDLE, MARKED, NOTED } step;	/* the work's own */
static unsigned long wait = FIRST_WAIT, marked_at;
static size_t *written;		/* by CPU: sub-buffers that hold what was written */

static const struct grt_recycled *tables[GRT_RECYCLE_TABLES];

void grt_recycle_serve(enum grt_recycled_table table, const struct grt_recycled *ops)
{
	tables[table] = ops;
}

static void work_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(recycle_work, work_fn);

static void note_written(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		written[cpu] = grt_transport_written(cpu);
}

static bool is_all_read(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (grt_transport_taken(cpu) < written[cpu])
			return false;
	return true;
}

static void mark(void)
{
	bool is_any = false;
	int i;

	for (i = 0; i < GRT_RECYCLE_TABLES; i++)
		if (tables[i])
			is_any |= tables[i]->mark_old();
	if (!is_any)
		return;
	marked_at = jiffies;
	step = MARKED;
}

static void free_marked(void)
{
	int i;

	for (i = 0; i < GRT_RECYCLE_TABLES; i++)
		if (tables[i])
			tables[i]->unlink_old();
	synchronize_rcu();
	for (i = 0; i < GRT_RECYCLE_TABLES; i++)
		if (tables[i] && tables[i]->free_old)
			tables[i]->free_old();
	step = IDLE;
	wait = FIRST_WAIT;
}

/* One step further; waits longer and longer for readers, and not at all when there is nothing. */
static void work_fn(struct work_struct *work)
{
	if (step == IDLE)
		mark();
	if (step == MARKED &&
	    (!static_key_enabled(&grt_tracked) || time_after(jiffies, marked_at + LATE))) {
		synchronize_rcu();
		note_written();
		step = NOTED;
	}
	if (step == NOTED && is_all_read())
		free_marked();
	if (step == IDLE)
		return;
	wait = min_t(unsigned long, 2 * wait, LONGEST_WAIT);
	queue_delayed_work(system_unbound_wq, &recycle_work, wait);
}

void grt_recycle_kick(void)
{
	if (!delayed_work_pending(&recycle_work))
		queue_delayed_work(system_unbound_wq, &recycle_work, FIRST_WAIT);
}

void grt_recycle_stop(void)
{
	cancel_delayed_work_sync(&recycle_work);
	step = IDLE;
	wait = FIRST_WAIT;
}

int grt_recycle_create(void)
{
	written = kcalloc(nr_cpu_ids, sizeof(*written), GFP_KERNEL);
	return written ? 0 : -ENOMEM;
}

void grt_recycle_destroy(void)
{
	grt_recycle_stop();
	kfree(written);
}
