/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who waits for a sub-buffer, and how they are woken.
 */
#ifndef _GRTRACE_WAITERS_H
#define _GRTRACE_WAITERS_H

#include <linux/wait.h>

extern struct wait_queue_head grt_waiters;

/* A sub-buffer was produced.  Any context. */
void grt_waiters_wake(void);
/* Something changed that all of them want to know.  Process context. */
void grt_waiters_wake_now(void);
/* No wake-up that was asked for before is under way any more.  Sleeps. */
void grt_waiters_sync(void);

#endif
