// SPDX-License-Identifier: GPL-2.0
/*
 * The wait queue of all readers.  Ours, not relay's: an epoll may hang on it when the
 * channel is freed.
 */
#include <linux/irq_work.h>

#include "waiters.h"

DECLARE_WAIT_QUEUE_HEAD(grt_waiters);

static void wake_waiters(struct irq_work *work)
{
	grt_waiters_wake_now();
}

static struct irq_work wake = IRQ_WORK_INIT(wake_waiters);

void grt_waiters_wake(void)
{
	/* Writers run where waking is not allowed, inside locks of the driver. */
	smp_mb();	/* what was produced, then the look at who waits */
	if (waitqueue_active(&grt_waiters))
		irq_work_queue(&wake);
}

void grt_waiters_wake_now(void)
{
	wake_up_interruptible_all(&grt_waiters);
}

void grt_waiters_sync(void)
{
	irq_work_sync(&wake);
}
