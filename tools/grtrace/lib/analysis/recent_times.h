/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * One distribution of the times of the last seconds, so that a screen need not add up those of all seconds.
 * Each second keeps a list of the buckets that its times are in, 2 bytes for each.  When the second is too long
 * ago, these times are taken out of the distribution.
 */
#ifndef GRT_RECENT_TIMES_H
#define GRT_RECENT_TIMES_H

#include <stdint.h>

#include "hist.h"
#include "vec.h"

#define GRT_RECENT_SECONDS	60

struct grt_recent_times_second {
	uint64_t min, max;
	unsigned __int128 sum;
	struct grt_vec buckets;		/* of uint16_t */
};

/* Zeroed memory is empty. */
struct grt_recent_times {
	struct grt_hist all;
	struct grt_recent_times_second seconds[GRT_RECENT_SECONDS];
};

/* Adds @ns to second @i.  0 or -ENOMEM. */
int grt_recent_times_add(struct grt_recent_times *t, unsigned int i, uint64_t ns);

/* Empties second @i.  Call grt_recent_times_settle() before t->all is read. */
void grt_recent_times_drop(struct grt_recent_times *t, unsigned int i);

/* Finds the least and the greatest time again. */
void grt_recent_times_settle(struct grt_recent_times *t);

void grt_recent_times_free(struct grt_recent_times *t);

#endif /* GRT_RECENT_TIMES_H */
