// SPDX-License-Identifier: GPL-2.0
/*
 * When a row of a table of definitions may be used again.
 *
 * A row must stay while an event that needs it can still be read.  A reader that opens a
 * stream gets the current definitions, then all events that were not read yet.  So a row is
 * freed in four steps:
 *
 * 1. Its table marks the row as old: no later event needs it, because its process is dead or
 *    has another row, or because its ring is gone.
 * 2. After a grace period, events that were in flight are in the buffers.  Note how far each
 *    CPU has written.
 * 3. Wait until readers have taken all that.  Streams send definitions first, so these readers
 *    got the row before the events that need it, and later readers find no such event.  Now
 *    remove the row from the line.
 * 4. After another grace period, the hot path does not use the row any more.  Free it.
 *
 * If a cursor points to a removed row, it sees that the row's number changed (line.h).  It
 * still gets every later row, and none twice.
 *
 * JOB and WINDOW records come after the last event of their job.  While jobs are tracked, such
 * records may still be written, so step 2 waits LATE longer.
 *
 * If nobody reads, no row becomes free; then rows that find no room are counted as lost.
 *
 * In overwrite mode nobody takes the events, and those of a quiet CPU stay for long.  Then step 3
 * also ends after LATEST, so that new processes and rings get names.  Only a snapshot that is held
 * keeps the rows.
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
#define LATEST		(60 * HZ)

static enum { IDLE, MARKED, NOTED } step;	/* only the work uses these */
static unsigned long wait = FIRST_WAIT, marked_at;
static size_t *written;		/* by CPU: sub-buffers written at step 2 */

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

static bool is_old_enough(void)
{
	return grt_transport_is_overwrite() && time_after(jiffies, marked_at + LATEST);
}

/* The counts of sub-buffers do not tell of a snapshot, so its rows stay while there is one. */
static bool may_free(void)
{
	return !grt_transport_has_snapshot() && (is_all_read() || is_old_enough());
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

/* Does the next step.  Waits longer each time for readers; ends when no row is old. */
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
	if (step == NOTED && may_free())
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
