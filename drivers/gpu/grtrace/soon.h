/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work for any context but NMI: an event may hold any lock, which the workqueue could need, so an
 * irq_work queues the work.
 */
#ifndef _GRTRACE_SOON_H
#define _GRTRACE_SOON_H

#include <linux/irq_work.h>
#include <linux/workqueue.h>

struct grt_soon {
	struct irq_work irq_work;
	struct work_struct work;
};

/* Defines @name, which runs @fn. */
#define GRT_DEFINE_SOON(name, fn)						\
	struct grt_soon name = {						\
		.irq_work = IRQ_WORK_INIT(grt_soon_run),			\
		.work = __WORK_INITIALIZER(name.work, fn),			\
	}

/* For GRT_DEFINE_SOON() only. */
void grt_soon_run(struct irq_work *irq_work);

/* Runs the work soon, once, if it is not queued yet. */
static inline void grt_soon_queue(struct grt_soon *soon)
{
	irq_work_queue(&soon->irq_work);
}

/* Waits until work that was queued before is done.  Sleeps. */
static inline void grt_soon_sync(struct grt_soon *soon)
{
	irq_work_sync(&soon->irq_work);
	flush_work(&soon->work);
}

#endif
