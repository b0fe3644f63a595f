// SPDX-License-Identifier: LGPL-2.1
#include "hist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

/*
 * Band 0 holds values below 128, one bucket each.  Band b > 0 holds the values
 * whose highest bit is bit b + 6; the 7 bits below it choose one of 128 buckets.
 */
static unsigned int band_of(uint64_t value)
{
	if (value < GRT_HIST_SUB)
		return 0;
	return 63 - __builtin_clzll(value) - GRT_HIST_SUB_BITS + 1;
}

static unsigned int bucket_of(uint64_t value, unsigned int band)
{
	return (band ? value >> (band - 1) : value) & (GRT_HIST_SUB - 1);
}

/* The least value of a bucket; bucket numbers run on from band to band. */
static uint64_t low_of(unsigned int number)
{
	unsigned int band = number / GRT_HIST_SUB, bucket = number % GRT_HIST_SUB;

	return band ? (uint64_t)(GRT_HIST_SUB + bucket) << (band - 1) : bucket;
}

/* The greatest value of a bucket minus its least. */
static uint64_t width_of(unsigned int number)
{
	unsigned int band = number / GRT_HIST_SUB;

	return band ? (1ull << (band - 1)) - 1 : 0;
}

/* The middle of a bucket, so that the error is half its width at most. */
static uint64_t value_of(unsigned int number)
{
	return low_of(number) + width_of(number) / 2;
}

static __attribute__((noinline)) uint64_t *new_band(struct grt_hist *h, unsigned int band)
{
	h->bands[band] = calloc(GRT_HIST_SUB, sizeof(*h->bands[band]));
	if (!h->bands[band])
		grt_fail_memory();
	return h->bands[band];
}

/* A bucket of the arrays; NULL without memory. */
static uint64_t *array_at(struct grt_hist *h, unsigned int number)
{
	unsigned int band = number / GRT_HIST_SUB;
	uint64_t *buckets = h->bands[band] ? h->bands[band] : new_band(h, band);

	return buckets ? &buckets[number % GRT_HIST_SUB] : NULL;
}

/* An entry of the list: a count, and in its lower bits the number of the bucket. */
#define NUMBER_BITS	16
#define NUMBER_MASK	((1u << NUMBER_BITS) - 1)
_Static_assert(GRT_HIST_BANDS * GRT_HIST_SUB <= NUMBER_MASK, "numbers of buckets fit");

static unsigned int number_of(uint64_t entry)
{
	return entry & NUMBER_MASK;
}

/* Where bucket @number is in the list, or belongs. */
static uint32_t find_few(const struct grt_hist *h, unsigned int number)
{
	uint32_t from = 0, to = h->nr_few;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (number_of(h->few[middle]) < number)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

int grt_hist_reserve(struct grt_hist *h, uint32_t values)
{
	uint64_t *few = realloc(h->few, values * sizeof(*few));

	if (!few)
		return grt_fail_memory();
	h->few = few;
	h->room_few = values;
	return 0;
}

void grt_hist_empty(struct grt_hist *h)
{
	*h = (struct grt_hist){ .few = h->few, .room_few = h->room_few };
}

static int add_few(struct grt_hist *h, unsigned int number, uint64_t count)
{
	uint32_t i = find_few(h, number);
	int err;

	h->added += count;
	if (i < h->nr_few && number_of(h->few[i]) == number) {
		h->few[i] += count << NUMBER_BITS;
		return 0;
	}
	err = h->nr_few < h->room_few ? 0 : grt_hist_reserve(h, h->room_few ? 2 * h->room_few : 2);
	if (err)
		return err;
	memmove(&h->few[i + 1], &h->few[i], (h->nr_few - i) * sizeof(*h->few));
	h->few[i] = count << NUMBER_BITS | number;
	h->nr_few++;
	return 0;
}

#define MANY_VALUES	256
#define BYTES_PER_VALUE	16

/* Whether there are enough values to change to arrays. */
static bool is_many(const struct grt_hist *h)
{
	uint64_t bands = 0, bytes = GRT_HIST_BANDS * sizeof(*h->bands);

	if (h->added < MANY_VALUES)
		return false;
	for (uint32_t i = 0; i < h->nr_few; i++)
		bands |= 1ull << number_of(h->few[i]) / GRT_HIST_SUB;
	bytes += __builtin_popcountll(bands) * GRT_HIST_SUB * sizeof(**h->bands);
	return bytes / BYTES_PER_VALUE <= h->added;
}

int grt_hist_spread(struct grt_hist *h)
{
	h->bands = calloc(GRT_HIST_BANDS, sizeof(*h->bands));
	if (!h->bands)
		return grt_fail_memory();
	for (uint32_t i = 0; i < h->nr_few; i++) {
		uint64_t *bucket = array_at(h, number_of(h->few[i]));

		if (!bucket)
			return -ENOMEM;
		*bucket = h->few[i] >> NUMBER_BITS;
	}
	free(h->few);
	h->few = NULL;
	h->nr_few = h->room_few = h->added = 0;
	return 0;
}

/* Adds the values of another distribution's bucket. */
static int add_bucket(struct grt_hist *h, unsigned int number, uint64_t count)
{
	uint64_t *bucket;

	if (!h->bands)
		return add_few(h, number, count);
	bucket = array_at(h, number);
	if (!bucket)
		return -ENOMEM;
	*bucket += count;
	return 0;
}

/* The number of the next filled bucket, and how many values it has; see grt_hist_next(). */
static bool next_filled(const struct grt_hist *h, unsigned int *at, unsigned int *number,
			uint64_t *count)
{
	if (*at < h->nr_few) {
		*number = number_of(h->few[*at]);
		*count = h->few[*at] >> NUMBER_BITS;
		++*at;
		return true;
	}
	for (; h->bands && *at < GRT_HIST_BANDS * GRT_HIST_SUB; ++*at) {
		const uint64_t *buckets = h->bands[*at / GRT_HIST_SUB];

		if (!buckets)
			*at |= GRT_HIST_SUB - 1;
		if (!buckets || !buckets[*at % GRT_HIST_SUB])
			continue;
		*count = buckets[*at % GRT_HIST_SUB];
		*number = (*at)++;
		return true;
	}
	return false;
}

/* Not inline: only the first values of a distribution come here. */
static __attribute__((noinline)) int place_few(struct grt_hist *h, unsigned int number)
{
	int err = add_few(h, number, 1);

	/* Check only at powers of two: is_many() is slow. */
	if (!err && !(h->added & (h->added - 1)) && is_many(h))
		err = grt_hist_spread(h);
	return err;
}

unsigned int grt_hist_number(uint64_t value)
{
	unsigned int band = band_of(value);

	return band * GRT_HIST_SUB + bucket_of(value, band);
}

int grt_hist_place(struct grt_hist *h, uint64_t value, uint64_t **bucket)
{
	unsigned int number = grt_hist_number(value);

	*bucket = NULL;
	if (!h->bands)
		return place_few(h, number);
	*bucket = array_at(h, number);
	return *bucket ? 0 : -ENOMEM;
}

static void add_exact(struct grt_hist *h, uint64_t count, uint64_t min, uint64_t max,
		      unsigned __int128 sum)
{
	if (!h->count || min < h->min)
		h->min = min;
	if (max > h->max)
		h->max = max;
	h->count += count;
	h->sum += sum;
}

void grt_hist_add_sums(struct grt_hist *h, struct grt_exact_sums *t)
{
	if (t->count)
		add_exact(h, t->count, t->min, t->max, t->sum);
	*t = GRT_SUMS_NONE;
}

int grt_hist_add(struct grt_hist *h, uint64_t value)
{
	uint64_t *bucket;
	int err = grt_hist_place(h, value, &bucket);

	if (err)
		return err;
	if (bucket)
		++*bucket;
	add_exact(h, 1, value, value, value);
	return 0;
}

void grt_hist_take(struct grt_hist *h, unsigned int number)
{
	h->bands[number / GRT_HIST_SUB][number % GRT_HIST_SUB]--;
	h->count--;
}

int grt_hist_merge(struct grt_hist *to, const struct grt_hist *from)
{
	unsigned int at = 0, number;
	uint64_t count;
	int err = 0;

	if (!from->count)
		return 0;
	if (from->bands && !to->bands)
		err = grt_hist_spread(to);
	while (!err && next_filled(from, &at, &number, &count))
		err = add_bucket(to, number, count);
	if (!err && !to->bands && is_many(to))
		err = grt_hist_spread(to);
	if (!err)
		add_exact(to, from->count, from->min, from->max, from->sum);
	return err;
}

void grt_hist_free(struct grt_hist *h)
{
	for (unsigned int band = 0; h->bands && band < GRT_HIST_BANDS; band++)
		free(h->bands[band]);
	free(h->bands);
	free(h->few);
	*h = (struct grt_hist){ 0 };
}

static uint64_t clamp(const struct grt_hist *h, uint64_t value)
{
	if (value < h->min)
		return h->min;
	return value > h->max ? h->max : value;
}

uint64_t grt_hist_quantile(const struct grt_hist *h, unsigned int permille)
{
	uint64_t rank, below = 0, count;
	unsigned int at = 0, number;

	/* max is exact, and 0 without values. */
	if (!h->count || permille >= 1000)
		return h->max;
	rank = ((unsigned __int128)h->count * permille + 999) / 1000;
	if (!rank)
		rank = 1;
	while (next_filled(h, &at, &number, &count)) {
		below += count;
		if (below >= rank)
			return clamp(h, value_of(number));
	}
	return h->max;
}

uint64_t grt_hist_mean(const struct grt_hist *h)
{
	return h->count ? (h->sum + h->count / 2) / h->count : 0;
}

uint64_t grt_hist_sum(const struct grt_hist *h)
{
	return h->sum > UINT64_MAX ? UINT64_MAX : h->sum;
}

bool grt_hist_rank(const struct grt_hist *h, uint64_t rank, uint64_t *low, uint64_t *high)
{
	uint64_t below = 0, count;
	unsigned int at = 0;

	while (grt_hist_next(h, &at, low, high, &count)) {
		below += count;
		if (below < rank)
			continue;
		*low = clamp(h, *low);
		*high = clamp(h, *high);
		return true;
	}
	return false;
}

bool grt_hist_next(const struct grt_hist *h, unsigned int *at, uint64_t *low, uint64_t *high,
		   uint64_t *count)
{
	unsigned int number;

	if (!next_filled(h, at, &number, count))
		return false;
	*low = low_of(number);
	*high = *low + width_of(number);
	return true;
}

unsigned int grt_hist_power_of(uint64_t value)
{
	return value ? 64 - __builtin_clzll(value) : 0;
}

uint64_t grt_hist_power_from(unsigned int power)
{
	return power ? 1ull << (power - 1) : 0;
}

uint64_t grt_hist_power_below(unsigned int power)
{
	return power < GRT_HIST_POWERS - 1 ? 1ull << power : UINT64_MAX;
}

uint64_t grt_hist_powers(const struct grt_hist *h, uint64_t counts[GRT_HIST_POWERS])
{
	uint64_t low, high, count, most = 0;
	unsigned int at = 0;

	memset(counts, 0, GRT_HIST_POWERS * sizeof(*counts));
	while (grt_hist_next(h, &at, &low, &high, &count)) {
		uint64_t *sum = &counts[grt_hist_power_of(low)];

		*sum += count;
		if (*sum > most)
			most = *sum;
	}
	return most;
}
