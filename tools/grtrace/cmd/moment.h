/* SPDX-License-Identifier: GPL-2.0 */
/* Records that record itself writes: one instant on all clocks, and the counters. */
#ifndef GRT_MOMENT_H
#define GRT_MOMENT_H

#include <stdint.h>

#include <linux/grtrace.h>

/* Reads the four clocks as close together as it gets. */
void grt_moment_clock(struct grtrace_clock *clock);

/* The module's stats file as a STATS record. */
struct grt_moment_stats {
	struct grtrace_stats stats;
	char text[4096];
};

/* 0 or -errno with a cause. */
int grt_moment_stats(struct grt_moment_stats *stats, uint64_t session_id);

/* Nanoseconds of one clock. */
uint64_t grt_moment_now(int clock);

#endif /* GRT_MOMENT_H */
