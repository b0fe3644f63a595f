/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * How sure a quantile is.  The binomial distribution alone tells which two of the sorted
 * values enclose the true quantile with a given confidence, whatever the distribution of
 * the values.
 */
#ifndef GRT_INTERVAL_H
#define GRT_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "hist.h"

struct grt_interval {
	uint64_t ns;		/* the quantile */
	uint64_t low_ns, high_ns; /* they enclose the true quantile, with the given confidence */
	bool is_known;		/* there are enough values */
};

/*
 * Values number *low and *high, from 1, of @count sorted values enclose the true quantile.
 * The quantile lies beyond either one with probability (1 - @confidence) / 2 at most.
 * False where even the smallest or the largest value does not suffice.  @permille is 1..999.
 */
bool grt_interval_ranks(uint64_t count, unsigned int permille, double confidence, uint64_t *low,
			uint64_t *high);

/* The interval of values in buckets, wider by the width of the buckets. */
struct grt_interval grt_interval(const struct grt_hist *h, unsigned int permille,
				 double confidence);

/* The intervals do not overlap: the two true quantiles differ. */
static inline bool grt_interval_apart(const struct grt_interval *a, const struct grt_interval *b)
{
	return a->is_known && b->is_known && (a->high_ns < b->low_ns || b->high_ns < a->low_ns);
}

#endif /* GRT_INTERVAL_H */
