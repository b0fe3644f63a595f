/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last 60 seconds of a session, second by second.
 *
 * Each CPU keeps its own book, and nothing wakes it for that: the first event after a tenth
 * of a second is over books what was counted until then.  Whoever reads has the rest booked.
 * An event counts once its fate is decided, so the fates of each second sum to its events.
 * Which tenth is under way is known to a tick of the kernel's clock: looking at jiffies
 * costs an event three instructions, reading the time would cost fifty.
 */
#ifndef _GRTRACE_SECONDS_H
#define _GRTRACE_SECONDS_H

#include <linux/jiffies.h>
#include <linux/types.h>

#include "counters.h"

#define GRT_SECONDS	60	/* that are shown */
#define GRT_TENTHS	10
#define GRT_NO_TOKENS	U64_MAX	/* nothing limits, or it is not known */

/* What grtrace counted in one second, and in each tenth of it. */
struct grt_second {
	u64 second;	/* since the session began */
	u64 start_ns;
	u64 bytes;	/* written */
	u64 tokens;	/* at its end */
	u64 tenths[GRT_TENTHS];
	struct grtrace_fates fates;
};

int grt_seconds_create(void);
void grt_seconds_destroy(void);

/* All of these sleep, under the lock of the statistics. */
void grt_seconds_begin(u64 start_ns);	/* the counters are zero */
void grt_seconds_end(void);		/* and stand still */
void grt_seconds_forget(void);
/* Forgets the seconds before the one under way; then each CPU does what is below. */
void grt_seconds_reset(void);
/* What @cpu counted so far is no part of any second.  Called there, or it is offline. */
void grt_seconds_rebase(int cpu);
/* Fills @rows, GRT_SECONDS of them, with the seconds that there are; returns how many. */
unsigned int grt_seconds_read(struct grt_second *rows);

/* A tenth is over on this CPU, whose @c is.  Interrupts off. */
void grt_seconds_pass(struct grt_cpu *c);

static __always_inline bool grt_seconds_is_late(const struct grt_cpu *c)
{
	/* time_after_eq() of jiffies itself would leave a volatile on the stack, to be zeroed. */
	unsigned long now = jiffies;

	return time_after_eq(now, c->tenth_until);
}

/* Before an event is counted as seen. */
static __always_inline void grt_seconds_look(struct grt_cpu *c)
{
	if (unlikely(grt_seconds_is_late(c)))
		grt_seconds_pass(c);
}

#endif
