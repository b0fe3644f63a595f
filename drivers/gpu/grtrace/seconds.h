/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last 60 seconds of a session, second by second.
 *
 * A look every 100 ms, at counters that go on meanwhile: what is counted between a
 * look and the next belongs to the slice between them.  An event counts once its fate
 * is decided, so that the fates of each second sum to its events.
 */
#ifndef _GRTRACE_SECONDS_H
#define _GRTRACE_SECONDS_H

#include <linux/percpu.h>
#include <linux/types.h>

#include "counters.h"

/* What grtrace counted in one second, and in the busiest tenth of it. */
struct grt_second {
	u64 second;	/* since the session began */
	u64 start_ns;
	u64 bytes;	/* written */
	u64 burst;
	u64 max_rate;	/* events/s in that tenth */
	u64 tokens;	/* at its end */
	struct grtrace_fates fates;
};

/* All sleep.  All but the last: under the session mutex. */
void grt_seconds_begin(u64 start_ns);	/* the counters are zero */
void grt_seconds_end(void);		/* and stand still */
void grt_seconds_forget(void);
/* Empties the rows; what is counted beyond @bases comes into the next ones. */
void grt_seconds_reset(const struct grt_counts __percpu *bases);
/* The first second that is kept from @from on; false: there is none. */
bool grt_second_next(u64 from, struct grt_second *to);

#endif
