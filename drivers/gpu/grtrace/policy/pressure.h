/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps fewer events as the buffer fills, to drop whole jobs before the buffer is full.
 */
#ifndef _GRTRACE_PRESSURE_H
#define _GRTRACE_PRESSURE_H

#include <linux/bits.h>
#include <linux/types.h>

#define GRT_PRESSURE_ALL	BIT_ULL(32)	/* everything is kept */

struct grt_pressure {
	u64 threshold_pct;	/* percent of the buffer that is full; 0: off */
	u64 is_adaptive;	/* above the threshold keep some jobs, instead of none */
	u32 first;		/* the threshold in sub-buffers; set by _prepare() */
};

/* Call it after a change of threshold_pct; a buffer has @all sub-buffers. */
void grt_pressure_prepare(struct grt_pressure *p, u32 all);

/*
 * Returns the share of jobs to keep, out of GRT_PRESSURE_ALL, while @full of @all sub-buffers
 * wait for the reader.  Without is_adaptive it is all or nothing.  With is_adaptive the target
 * falls as the fill grows above the threshold; every event moves the share, now @share, a 64th
 * of the way to the target.
 */
u64 grt_pressure_share(const struct grt_pressure *p, u64 share, u64 full, u64 all);

#endif
