/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the statistics show: the counters since the session began, or since somebody
 * reset the statistics.  The counters themselves go on, as the reader's account of
 * losses is of the whole session.
 */
#ifndef _GRTRACE_STATISTICS_H
#define _GRTRACE_STATISTICS_H

#include "counters.h"

struct grt_second;

int grt_statistics_create(void);
void grt_statistics_destroy(void);

/* All of these sleep.  The first four: under the session mutex. */
void grt_statistics_forget(void);	/* before the counters are zeroed */
void grt_statistics_begin(u64 start_ns);
void grt_statistics_end(void);
void grt_statistics_reset(void);

/* @cpu's, between two of its events: fates sum to seen. */
void grt_statistics_cpu(int cpu, struct grt_counts *to);
/* Of all CPUs; NULL: no memory.  For the caller to kfree(). */
struct grt_counts *grt_statistics_total(void);
/* The last seconds, oldest first, *@nr of them; NULL: no memory.  For the caller to kfree(). */
struct grt_second *grt_statistics_seconds(unsigned int *nr);
/* Longest timed event. */
u64 grt_statistics_cost_max_ns(void);
/* Sub-buffers that readers finished.  Not under the session mutex. */
u64 grt_statistics_consumed(void);

#endif
