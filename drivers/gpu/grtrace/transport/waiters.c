// SPDX-License-Identifier: GPL-2.0
/*
 * The wait queue of all readers.  It is not relay's, because an epoll may still use it after
 * the channel is freed.
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
	smp_mb();	/* publish the sub-buffer before looking for waiters */
	/* Writers may hold locks of drivers, where waking is not allowed: use irq_work. */
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
