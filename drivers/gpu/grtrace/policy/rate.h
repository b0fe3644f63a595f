/* SPDX-License-Identifier: GPL-2.0 */
/*
 * So many events a second, of all CPUs together.
 *
 * CPUs share one number, what is spent, and change it with a compare-and-exchange: nobody
 * takes a lock.  A CPU claims several tokens at once and spends them without looking at
 * that number again.
 */
#ifndef _GRTRACE_RATE_H
#define _GRTRACE_RATE_H

#include <linux/types.h>

#define GRT_RATE_MAX		100000000	/* events/s */
#define GRT_RATE_BURST_MAX	10000000	/* events */

enum grt_rate_mode {
	GRT_RATE_WINDOW,	/* so many in each second, counted from the first event on */
	GRT_RATE_BUCKET,	/* tokens drip into a bucket; an event takes one */
};

struct grt_rate {
	u64 limit_hz;		/* 0: none */
	u64 mode;
	u64 burst;		/* events that a full bucket lets pass at once; 0: one second's */

	/* Made by grt_rate_restart(). */
	u64 interval;		/* bucket: time that a token takes to drip in, in ticks */
	u64 depth;		/* bucket: time that all of its tokens take, in ticks */
	u32 batch;		/* tokens that a CPU claims at once */

	/* Shared by all CPUs. */
	u64 began_ns;		/* the first event; 0: there was none yet */
	/*
	 * Bucket: the tick up to which tokens are spent.
	 * Window: the number of the second above GRT_RATE_TAKEN, and below what it gave.
	 */
	u64 spent;
};

/*
 * After a change of limit_hz, mode or burst: as if nothing had passed yet.  @cpus: how many
 * may claim at the same time.  What CPUs have left of old claims is the caller's to drop.
 */
void grt_rate_restart(struct grt_rate *r, unsigned int cpus);

/*
 * Claims tokens at @now_ns, which may be a little behind that of another CPU.  Returns how
 * many events may pass before *@until_ns; 0: none passes before that time.
 */
u32 grt_rate_claim(struct grt_rate *r, u64 now_ns, u64 *until_ns);

/* Events that could pass now, without those that CPUs have claimed. */
u64 grt_rate_left(const struct grt_rate *r, u64 now_ns);

#endif
