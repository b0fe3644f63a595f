/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's own trace events: grtrace:submit and so on mirror written records, and
 * grtrace:clock_sync shows other clocks.  grtrace_trace.h says what they have.
 */
#ifndef _GRTRACE_TRACE_EVENTS_H
#define _GRTRACE_TRACE_EVENTS_H

#include <linux/jump_label.h>

struct grtrace_hdr;

/* On while an event that mirrors records is enabled. */
DECLARE_STATIC_KEY_FALSE(grt_mirrored);

/* Mirrors a record that has just been written.  Interrupts off, any context but NMI. */
void grt_mirror(const struct grtrace_hdr *rec);

/* A session starts or stops: clock_sync tells of it, and of every ten seconds between. */
void grt_clock_sync_begin(void);
/* Sleeps. */
void grt_clock_sync_end(void);

/* An event gets its first user, or loses its last one.  They sleep; tracepoints call them. */
int grt_mirror_wanted(void);
void grt_mirror_unwanted(void);
int grt_clock_sync_wanted(void);
void grt_clock_sync_unwanted(void);

#endif
