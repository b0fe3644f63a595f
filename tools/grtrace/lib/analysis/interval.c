// SPDX-License-Identifier: LGPL-2.1
#include "interval.h"

#include "student.h"

#define NEGLIGIBLE	1e-20	/* of the greatest term */
#define LEAST_DF	3
#define MANY_IN_BLOCK	5	/* values on each side of the quantile */
#define MOST_EVEN	2

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

/* The sum of the products of each of @values and the one @lag blocks later. */
static double products(const double *values, unsigned int count, unsigned int lag)
{
	double sum = 0;

	for (unsigned int i = lag; i < count; i++)
		sum += values[i - lag] * values[i];
	return sum;
}

/*
 * The variance of the ratio of both sums.  Blocks that are alike count by their covariance: of
 * pairs of lags, as long as these are positive (initial positive sequence, Geyer 1992).
 * *df: so many independent blocks, less one, would tell as much.
 */
static double ratio_variance(const double *parts, const double *wholes, unsigned int count,
			     unsigned int *df)
{
	double own[count + 1], part = 0, whole = 0, single, sum;

	own[0] = 0;
	for (unsigned int i = 0; i < count; i++) {
		part += parts[i];
		whole += wholes[i];
	}
	for (unsigned int i = 0; i < count; i++)
		own[i] = parts[i] - wholes[i] * part / whole;
	single = products(own, count, 0);
	sum = single + 2 * products(own, count, 1);
	for (unsigned int lag = 2; lag + 1 < count; lag += 2) {
		double pair = products(own, count, lag) + products(own, count, lag + 1);

		if (pair <= 0)
			break;
		sum += 2 * pair;
	}
	sum = sum > single ? sum : single;
	*df = count - 1;
	if (sum > 0)
		*df = count * single / sum - 1;
	*df = *df < LEAST_DF ? LEAST_DF : *df;
	return sum * count / (count - 1) / (whole * whole);
}

double grt_ratio_deviation(const double *parts, const double *wholes, unsigned int count,
			   unsigned int *df)
{
	return grt_square_root(ratio_variance(parts, wholes, count, df));
}

double grt_interval_effective(const double *all, const double *below, unsigned int blocks,
			      unsigned int permille, unsigned int *df)
{
	double parts[blocks + 1], wholes[blocks + 1], values = 0, p = permille / 1000.0;
	double effective, most;
	unsigned int count = 0;

	for (unsigned int i = 0; i < blocks; i++)
		if (all[i] > 0) {
			parts[count] = below[i];
			wholes[count++] = all[i];
			values += all[i];
		}
	if (count < GRT_INTERVAL_BLOCKS)
		return 0;
	effective = ratio_variance(parts, wholes, count, df);
	most = values * (p < 0.5 ? p : 1 - p) >= MANY_IN_BLOCK * count ? MOST_EVEN * values : values;
	effective = effective > 0 ? p * (1 - p) / effective : most;
	return effective < most ? effective : most;
}

struct grt_interval grt_interval(const struct grt_hist *h, double effective,
				 unsigned int permille, double confidence)
{
	struct grt_interval i = { 0 };
	uint64_t count = effective, low, high, unused;

	if (!count || !h->count || !grt_interval_ranks(count, permille, confidence, &low, &high))
		return i;
	low = low * (h->count / effective);
	high = high * (h->count / effective) + 1;
	low = low ? low : 1;
	high = high < h->count ? high : h->count;
	i.ns = grt_hist_quantile(h, permille);
	i.is_known = grt_hist_rank(h, low, &i.low_ns, &unused) &&
		     grt_hist_rank(h, high, &unused, &i.high_ns);
	return i;
}

void grt_interval_change(const struct grt_interval *a, const struct grt_interval *b,
			 double *low_ns, double *high_ns)
{
	double change = (double)b->ns - (double)a->ns;
	double a_down = a->ns - a->low_ns, a_up = a->high_ns - a->ns;
	double b_down = b->ns - b->low_ns, b_up = b->high_ns - b->ns;

	*low_ns = change - grt_square_root(b_down * b_down + a_up * a_up);
	*high_ns = change + grt_square_root(b_up * b_up + a_down * a_down);
}
