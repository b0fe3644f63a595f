/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The numbers that the statistics files show: counts since the session began, or since the
 * statistics were reset.  A reset does not touch the counters themselves, because accounts
 * of losses in streams cover the whole session.
 */
#ifndef _GRTRACE_STATISTICS_H
#define _GRTRACE_STATISTICS_H

#include "counters.h"

struct grt_second;

int grt_statistics_create(void);
void grt_statistics_destroy(void);

/* All of these sleep.  The first four: under the session mutex. */
void grt_statistics_clear(void);	/* before the counters are zeroed */
void grt_statistics_begin(u64 start_ns);
void grt_statistics_end(void);
void grt_statistics_reset(void);

/* Reads the counts of @cpu between two of its events, so that fates sum to seen. */
void grt_statistics_cpu(int cpu, struct grt_counts *to);
/* The counts of all CPUs; NULL: no memory.  The caller frees them with kfree(). */
struct grt_counts *grt_statistics_total(void);
/* The last *@nr seconds, oldest first; NULL: no memory.  The caller frees them with kfree(). */
struct grt_second *grt_statistics_seconds(unsigned int *nr);
/* The longest time that a timed event took, in ns. */
u64 grt_statistics_cost_max_ns(void);
/* Number of sub-buffers that readers finished.  Not under the session mutex. */
u64 grt_statistics_consumed(void);
/* Bytes in sub-buffers that wait for their readers.  Not under the session mutex. */
u64 grt_statistics_unread(void);

#endif
