/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fewer events as the buffer fills, so that what is kept is chosen, not cut off.
 */
#ifndef _GRTRACE_PRESSURE_H
#define _GRTRACE_PRESSURE_H

#include <linux/bits.h>
#include <linux/types.h>

#define GRT_PRESSURE_ALL	BIT_ULL(32)	/* everything is kept */

struct grt_pressure {
	u64 threshold_pct;	/* of the buffer that is full; 0: off */
	u64 is_adaptive;	/* thins out jobs, instead of keeping nothing */
	u32 first;		/* sub-buffers that wait, from the threshold on; by _prepare() */
};

/* After a change of threshold_pct; a buffer has @all sub-buffers. */
void grt_pressure_prepare(struct grt_pressure *p, u32 all);

/*
 * The share of jobs to be kept while @full of @all sub-buffers wait for the reader, in
 * parts of GRT_PRESSURE_ALL.  Without is_adaptive all or nothing; with it less and less
 * from the threshold on, which is approached by a 64th of the way with every event.
 * @share: the one before.
 */
u64 grt_pressure_share(const struct grt_pressure *p, u64 share, u64 full, u64 all);

#endif
