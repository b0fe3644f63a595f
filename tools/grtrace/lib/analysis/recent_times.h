/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The distribution of times in the last seconds.  A time is added to it at once, and its second notes the
 * bucket in 2 bytes.  When the second is too long ago, its times are taken out again.  So a screen needs
 * no sum over the distributions of all seconds.
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
