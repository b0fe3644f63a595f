/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * How sure a quantile is, whatever the distribution: which of the sorted values are below
 * and above the true one with the confidence asked for is a matter of the binomial
 * distribution alone.
 */
#ifndef GRT_INTERVAL_H
#define GRT_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "hist.h"

struct grt_interval {
	uint64_t ns;		/* the quantile */
	uint64_t low_ns, high_ns; /* the true one is in here, with that confidence */
	bool is_known;		/* there are enough values to say so */
};

/*
 * The values number *low and *high, from 1, of @count sorted ones enclose the true
 * quantile: on either side it is missed with (1 - @confidence) / 2 at most.  False where
 * even the smallest or the largest value does not suffice.  @permille is 1..999.
 */
bool grt_interval_ranks(uint64_t count, unsigned int permille, double confidence, uint64_t *low,
			uint64_t *high);

/* Of values that were placed in buckets: by the width of those it is wider. */
struct grt_interval grt_interval(const struct grt_hist *h, unsigned int permille,
				 double confidence);

/* Neither can be the other. */
static inline bool grt_interval_apart(const struct grt_interval *a, const struct grt_interval *b)
{
	return a->is_known && b->is_known && (a->high_ns < b->low_ns || b->high_ns < a->low_ns);
}

#endif /* GRT_INTERVAL_H */
