/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Adapts the share of sampled jobs to the fill of the buffers and the rate of events.
 */
#ifndef _GRTRACE_ADAPT_H
#define _GRTRACE_ADAPT_H

#include <linux/types.h>

#define GRT_ADAPT_LEAST		100	/* hundredths of a percent */
#define GRT_ADAPT_CALM_PCT	25	/* percent of a buffer: up to here keep the most */
#define GRT_ADAPT_FULL_PCT	75	/* from here on keep the least */

struct grt_adapt {
	u64 share;		/* of the jobs, in hundredths of a percent */
	u64 events_hz;		/* at the last step */
	unsigned int fill_pct;
};

/* The share to keep at a fill of @fill_pct percent; @most while the buffers are nearly empty. */
static inline u64 grt_adapt_target(u64 fill_pct, u64 most)
{
	u64 least = most < GRT_ADAPT_LEAST ? most : GRT_ADAPT_LEAST;

	if (fill_pct <= GRT_ADAPT_CALM_PCT)
		return most;
	if (fill_pct >= GRT_ADAPT_FULL_PCT)
		return least;
	return most - (most - least) * (fill_pct - GRT_ADAPT_CALM_PCT) /
		      (GRT_ADAPT_FULL_PCT - GRT_ADAPT_CALM_PCT);
}

/*
 * One step: moves the share a quarter of the way to the target for the fill expected at the
 * next step.  It expects the buffers to fill as since the last step, faster if more events
 * come.
 */
static inline void grt_adapt_step(struct grt_adapt *a, u64 most, unsigned int fill_pct,
				  u64 events_hz)
{
	u64 growth = fill_pct > a->fill_pct ? fill_pct - a->fill_pct : 0, target;

	if (a->events_hz)
		growth = growth * events_hz / a->events_hz;
	target = grt_adapt_target(fill_pct + growth, most);
	if (target > a->share)
		a->share += (target - a->share + 3) / 4;
	else
		a->share -= (a->share - target + 3) / 4;
	a->events_hz = events_hz;
	a->fill_pct = fill_pct;
}

#endif
