/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * How sure a quantile is.  The binomial distribution alone tells which two of the sorted values
 * enclose the true quantile with a given confidence, whatever the distribution of the values, if
 * these are independent.  Values that are not count as fewer: see grt_interval_effective().
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

/*
 * How many independent values would tell as much about the quantile as these, which come in
 * @blocks of time: @all values of each, @below of them up to the quantile.  *df: the degrees of
 * freedom of this estimate.  0: fewer than GRT_INTERVAL_BLOCKS blocks have values.
 */
#define GRT_INTERVAL_BLOCKS	8
double grt_interval_effective(const double *all, const double *below, unsigned int blocks,
			      unsigned int permille, unsigned int *df);

/* The interval of values in buckets that tell as much as @effective independent ones. */
struct grt_interval grt_interval(const struct grt_hist *h, double effective,
				 unsigned int permille, double confidence);

/*
 * The standard deviation of @parts[i] / @wholes[i], summed over all, over @count blocks of time
 * that may be alike if they are near each other.  *df as above.
 */
double grt_ratio_deviation(const double *parts, const double *wholes, unsigned int count,
			   unsigned int *df);

/* The bounds of b - a with the confidence of both intervals (method of Zou and Donner, 2008). */
void grt_interval_change(const struct grt_interval *a, const struct grt_interval *b,
			 double *low_ns, double *high_ns);

#endif /* GRT_INTERVAL_H */
