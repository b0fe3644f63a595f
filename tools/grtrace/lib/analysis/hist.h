/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A distribution of times.  Count, sum, min and max are exact.  Quantiles come
 * from a log-linear histogram, 128 buckets for each power of two: they are within
 * 0.4 % (1/256) of the exact quantile, and exact below 256 ns.
 *
 * A trace may have a distribution for each of a million contexts.  So a distribution of few
 * values is a sorted list of its filled buckets, 8 bytes each.  It changes to arrays of
 * buckets when these take no more than 16 bytes per value.
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
	uint64_t *few;		/* owned; filled buckets, sorted; NULL once there are @bands */
	uint32_t nr_few, room_few;
	uint32_t added;		/* values in @few */
};

/*
 * The exact part of a distribution while values are added.  It takes half a cache line.
 * GRT_SUMS_NONE is an empty one.
 */
struct grt_exact_sums {
	uint64_t count, min, max, sum;
};
#define GRT_SUMS_NONE	((struct grt_exact_sums){ .min = UINT64_MAX })

/* Moves the sums from @t to @h, and empties @t. */
void grt_hist_add_sums(struct grt_hist *h, struct grt_exact_sums *t);

/* Adds @value to @t; moves @t to @h first when the sum would overflow. */
static inline void grt_exact_sums_add(struct grt_exact_sums *t, struct grt_hist *h, uint64_t value)
{
	uint64_t sum;

	if (__builtin_expect(__builtin_add_overflow(t->sum, value, &sum), 0)) {
		grt_hist_add_sums(h, t);
		sum = value;
	}
	t->sum = sum;
	t->count++;
	if (value > t->max)
		t->max = value;
	if (value < t->min)
		t->min = value;
}

/*
 * Finds the bucket of @value, but leaves count, sum, min and max to a struct grt_exact_sums.
 * Where *bucket is not NULL, the caller must count it up, at once or later: the bucket may
 * not be in a cache yet.  0 or -ENOMEM.
 */
int grt_hist_place(struct grt_hist *h, uint64_t value, uint64_t **bucket);

/* Reserves memory in an empty distribution: adding @values then cannot fail.  0 or -ENOMEM. */
int grt_hist_reserve(struct grt_hist *h, uint32_t values);
void grt_hist_empty(struct grt_hist *h);	/* keeps the reserved memory */

/* The bucket of @value. */
unsigned int grt_hist_number(uint64_t value);

/* Arrays from now on, also for few values.  0 or -ENOMEM. */
int grt_hist_spread(struct grt_hist *h);

/*
 * Takes a value of this bucket out of the arrays and of the count.  The caller corrects sum, min and max.
 */
void grt_hist_take(struct grt_hist *h, unsigned int number);

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
 * Finds the next filled bucket from *at on; begin with 0.  It holds *count values, from *low
 * to *high.  False at the end.
 */
bool grt_hist_next(const struct grt_hist *h, unsigned int *at, uint64_t *low, uint64_t *high,
		   uint64_t *count);

#define GRT_HIST_POWERS	65

/*
 * The same in buckets of powers of two: number 0 has the value 0, and number i those from 2^(i - 1) to below
 * 2^i.  A finer bucket lies in one of them.  Returns the greatest count.
 */
uint64_t grt_hist_powers(const struct grt_hist *h, uint64_t counts[GRT_HIST_POWERS]);
unsigned int grt_hist_power_of(uint64_t value);
uint64_t grt_hist_power_from(unsigned int power);	/* the least value */
uint64_t grt_hist_power_below(unsigned int power);	/* the least value of the next one, at most UINT64_MAX */

/* Bounds of value number @rank in sorted order, from 1.  False: there are fewer values. */
bool grt_hist_rank(const struct grt_hist *h, uint64_t rank, uint64_t *low, uint64_t *high);

/* The sum; UINT64_MAX if it is longer than 584 years. */
uint64_t grt_hist_sum(const struct grt_hist *h);

#endif /* GRT_HIST_H */
