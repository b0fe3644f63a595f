/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A distribution of times.  Count, sum, min and max are exact.  Quantiles come
 * from a log-linear histogram, 128 buckets for each power of two: what it answers
 * is within 0.4 % of the exact quantile (1/256), and times below 256 ns are exact.
 */
#ifndef GRT_HIST_H
#define GRT_HIST_H

#include <stdbool.h>
#include <stdint.h>

#define GRT_HIST_SUB_BITS	7
#define GRT_HIST_SUB		(1u << GRT_HIST_SUB_BITS)
#define GRT_HIST_BANDS		(64 - GRT_HIST_SUB_BITS + 1)
#define GRT_HIST_ERROR_TEXT	"0.4 %"	/* no format: print it with %s */

/* Zeroed memory is an empty distribution. */
struct grt_hist {
	uint64_t count, min, max;
	unsigned __int128 sum;
	uint64_t **bands;	/* owned, GRT_HIST_BANDS of them; each NULL until a value falls there */
};

/*
 * What is exact, while it is added up: half a line of a cache.  GRT_TALLY_NONE is an empty
 * one.
 */
struct grt_tally {
	uint64_t count, min, max, sum;
};
#define GRT_TALLY_NONE	((struct grt_tally){ .min = UINT64_MAX })

/* Moves what is in @t to @h. */
void grt_hist_take(struct grt_hist *h, struct grt_tally *t);

/* Into @t, or into @h where a sum would not fit. */
static inline void grt_tally_add(struct grt_tally *t, struct grt_hist *h, uint64_t value)
{
	uint64_t sum;

	if (__builtin_expect(__builtin_add_overflow(t->sum, value, &sum), 0)) {
		grt_hist_take(h, t);
		sum = value;
	}
	t->sum = sum;
	t->count++;
	if (value > t->max)
		t->max = value;
	if (value < t->min)
		t->min = value;
}

/* The bucket of @value, for the caller to count up: a tally has none.  NULL without memory. */
uint64_t *grt_hist_bucket(struct grt_hist *h, uint64_t value);

/* 0 or -ENOMEM. */
int grt_hist_add(struct grt_hist *h, uint64_t value);
int grt_hist_merge(struct grt_hist *to, const struct grt_hist *from);
void grt_hist_free(struct grt_hist *h);

/*
 * The smallest value that at least @permille / 1000 of all values do not exceed.
 * 0 when empty.
 */
uint64_t grt_hist_quantile(const struct grt_hist *h, unsigned int permille);
uint64_t grt_hist_mean(const struct grt_hist *h);	/* rounded; 0 when empty */

/*
 * The next filled bucket from *at on, which begins with 0: its values are from *low to
 * *high, and there are *count of them.  False at the end.
 */
bool grt_hist_next(const struct grt_hist *h, unsigned int *at, uint64_t *low, uint64_t *high,
		   uint64_t *count);

/* Between which ends value number @rank of the sorted ones lies, from 1.  False: none does. */
bool grt_hist_rank(const struct grt_hist *h, uint64_t rank, uint64_t *low, uint64_t *high);

/* The sum, or the largest number there is when 584 years do not suffice. */
uint64_t grt_hist_sum(const struct grt_hist *h);

#endif /* GRT_HIST_H */
