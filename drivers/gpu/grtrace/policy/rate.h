/* SPDX-License-Identifier: GPL-2.0 */
/*
 * So many events a second, of all CPUs together.  The caller has a lock.
 */
#ifndef _GRTRACE_RATE_H
#define _GRTRACE_RATE_H

#include <linux/types.h>

#define GRT_RATE_MAX		100000000	/* events/s */
#define GRT_RATE_BURST_MAX	10000000	/* events */

enum grt_rate_mode {
	GRT_RATE_WINDOW,	/* so many in each second from the first event on */
	GRT_RATE_BUCKET,	/* tokens drip into a bucket; an event takes one */
};

struct grt_rate {
	u64 limit_hz;		/* 0: none */
	u64 mode;
	u64 burst;		/* events that a full bucket lets pass at once; 0: one second's */

	/* State; times in ns. */
	u64 window_end;
	u64 left;		/* of this window */
	u64 filled_at;		/* the bucket, when it was looked at last */
	u64 level;		/* of the bucket, in parts of a token: 1e9 are one */
};

/* After a change of limit_hz, mode or burst: as if nothing had passed yet. */
void grt_rate_restart(struct grt_rate *r, u64 now_ns);
/* Takes the event's token if there is one.  @now_ns may be a little behind the last one. */
bool grt_rate_takes(struct grt_rate *r, u64 now_ns);
/* Events that could pass now. */
u64 grt_rate_left(const struct grt_rate *r, u64 now_ns);

#endif
