/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last 60 seconds of a session, second by second.
 *
 * Each CPU keeps its own book, without a timer: the first event after the end of a tenth of a
 * second books what was counted until then, and a reader makes each CPU book the rest.  An
 * event counts once its fate is decided, so the fates of each second sum to its events.  The
 * end of a tenth is precise to one tick: reading jiffies costs an event three instructions,
 * reading the time would cost fifty.
 */
#ifndef _GRTRACE_SECONDS_H
#define _GRTRACE_SECONDS_H

#include <linux/jiffies.h>
#include <linux/types.h>

#include "counters.h"

#define GRT_SECONDS	60	/* shown to readers */
#define GRT_TENTHS	10
#define GRT_NO_TOKENS	U64_MAX	/* no limit, or not known */

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
void grt_seconds_begin(u64 start_ns);	/* call it while the counters are zero */
void grt_seconds_end(void);		/* call it once the counters do not change any more */
/* Shows no second until the next session. */
void grt_seconds_clear(void);
/* Hides the seconds before the current one; the caller then rebases every CPU. */
void grt_seconds_reset(void);
/* Counts @cpu from zero again.  Called on that CPU, or while it is offline. */
void grt_seconds_rebase(int cpu);
/* Fills @rows (GRT_SECONDS of them), oldest first; returns the number of seconds. */
unsigned int grt_seconds_read(struct grt_second *rows);

/* Books the tenth that is over on this CPU, @c.  Interrupts off. */
void grt_seconds_advance(struct grt_cpu *c);

static __always_inline bool grt_seconds_is_late(const struct grt_cpu *c)
{
	/* time_after_eq(jiffies, ...) would put a volatile on the stack, which is then zeroed. */
	unsigned long now = jiffies;

	return time_after_eq(now, c->tenth_until);
}

/* Call it before an event is counted as seen. */
static __always_inline void grt_seconds_check(struct grt_cpu *c)
{
	if (unlikely(grt_seconds_is_late(c)))
		grt_seconds_advance(c);
}

#endif
