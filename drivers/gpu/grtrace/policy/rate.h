/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits the events per second, over all CPUs.
 *
 * CPUs share one number, @spent, and change it with a compare-and-exchange, without a lock.  A
 * CPU claims several tokens at once and spends them without touching @spent.
 */
#ifndef _GRTRACE_RATE_H
#define _GRTRACE_RATE_H

#include <linux/types.h>

#define GRT_RATE_MAX		100000000	/* events/s */
#define GRT_RATE_BURST_MAX	10000000	/* events */

enum grt_rate_mode {
	GRT_RATE_WINDOW,	/* a number per second; the first event starts the first second */
	GRT_RATE_BUCKET,	/* a token bucket */
};

struct grt_rate {
	u64 limit_hz;		/* 0: none */
	u64 mode;
	u64 burst;		/* tokens in a full bucket; 0: the events of one second */

	/* Computed by grt_rate_restart(). */
	u64 interval;		/* bucket: ticks per token */
	u64 depth;		/* bucket: ticks to fill it */
	u32 batch;		/* tokens that a CPU claims at once */

	/* Shared by all CPUs. */
	u64 began_ns;		/* time of the first event; 0: none yet */
	/*
	 * Bucket: the tick up to which tokens are spent.
	 * Window: the number of the second in the high 32 bits, the tokens taken in the low.
	 */
	u64 spent;
};

/*
 * Starts the limit afresh, after a change of limit_hz, mode or burst.  @cpus: how many CPUs may
 * claim at the same time.  The caller drops the claims that CPUs still hold.
 */
void grt_rate_restart(struct grt_rate *r, unsigned int cpus);

/*
 * Claims tokens at @now_ns; CPUs' clocks may differ a little.  Returns how many events may pass
 * before *@until_ns; 0: none may pass before that time.
 */
u32 grt_rate_claim(struct grt_rate *r, u64 now_ns, u64 *until_ns);

/* Returns how many events could pass at @now_ns; claimed tokens are not counted. */
u64 grt_rate_left(const struct grt_rate *r, u64 now_ns);

#endif
