// SPDX-License-Identifier: LGPL-2.1
#include "interval.h"

#define NEGLIGIBLE	1e-20	/* of the greatest term */

/*
 * Relative probability that k of @n values are below the quantile, where each is with
 * probability @q.
 */
struct binomial {
	double n, q;
};

/* The factor from the term of @k to the term of k - 1, and to the term of k + 1. */
static double step_down(const struct binomial *b, double k)
{
	return k * (1 - b->q) / ((b->n - k + 1) * b->q);
}

static double step_up(const struct binomial *b, double k)
{
	return (b->n - k) * b->q / ((k + 1) * (1 - b->q));
}

/* The sum of all terms below, or above, the term of @k, which counts as 1. */
static double sum_beyond(const struct binomial *b, double k,
			 double (*step)(const struct binomial *b, double k), int direction)
{
	double term = 1, sum = 0;

	while ((term *= step(b, k)) > NEGLIGIBLE) {
		sum += term;
		k += direction;
	}
	return sum;
}

bool grt_interval_ranks(uint64_t count, unsigned int permille, double confidence, uint64_t *low,
			uint64_t *high)
{
	const struct binomial b = { count, permille / 1000.0 };
	uint64_t mode = ((unsigned __int128)count + 1) * permille / 1000;
	double below = sum_beyond(&b, mode, step_down, -1);
	double above = sum_beyond(&b, mode, step_up, 1);
	double miss = (1 - confidence) / 2 * (below + 1 + above), term = 1;

	/* below is the sum of the terms below the term of *low. */
	for (*low = mode; *low && below > miss; --*low) {
		term *= step_down(&b, *low);
		below -= term;
	}
	term = 1;
	/* above is the sum of the terms of *high and above. */
	for (*high = mode + 1; *high <= count && above > miss; ++*high) {
		term *= step_up(&b, *high - 1);
		above -= term;
	}
	return *low && *high <= count;
}

struct grt_interval grt_interval(const struct grt_hist *h, unsigned int permille, double confidence)
{
	struct grt_interval i = { 0 };
	uint64_t low, high, unused;

	if (!h->count || !grt_interval_ranks(h->count, permille, confidence, &low, &high))
		return i;
	i.ns = grt_hist_quantile(h, permille);
	i.is_known = grt_hist_rank(h, low, &i.low_ns, &unused) &&
		     grt_hist_rank(h, high, &unused, &i.high_ns);
	return i;
}
