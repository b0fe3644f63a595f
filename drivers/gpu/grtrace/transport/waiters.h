/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The readers that wait for a sub-buffer, and how to wake them.
 */
#ifndef _GRTRACE_WAITERS_H
#define _GRTRACE_WAITERS_H

#include <linux/wait.h>

extern struct wait_queue_head grt_waiters;

/* Wakes waiters a little later, after a sub-buffer was produced.  Any context. */
void grt_waiters_wake(void);
/* Wakes all waiters now, after the session changed.  Process context. */
void grt_waiters_wake_now(void);
/* Waits until wake-ups requested by grt_waiters_wake() are done.  Sleeps. */
void grt_waiters_sync(void);

#endif
