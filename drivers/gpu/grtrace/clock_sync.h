/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace event grtrace:clock_sync: when a session starts, every ten seconds, and when it stops.
 */
#ifndef _GRTRACE_CLOCK_SYNC_H
#define _GRTRACE_CLOCK_SYNC_H

/* The event gets its first user, or loses its last one.  They sleep; the tracepoint calls them. */
int grt_clock_sync_wanted(void);
void grt_clock_sync_unwanted(void);

/* A session starts or stops.  Under the session lock. */
void grt_clock_sync_begin(void);
void grt_clock_sync_end(void);

#endif
