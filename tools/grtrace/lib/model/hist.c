// SPDX-License-Identifier: LGPL-2.1
#include "hist.h"

#include <errno.h>
#include <stdlib.h>

#include "error.h"

/*
 * Band 0 holds values below 128, one bucket each.  Band b > 0 holds those with
 * their highest bit at b + 6, cut into 128 by the 7 bits that follow it.
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

/* The middle of a bucket, so that the error is half its width at most. */
static uint64_t value_of(unsigned int band, unsigned int bucket)
{
	uint64_t low;

	if (!band)
		return bucket;
	low = (uint64_t)(GRT_HIST_SUB + bucket) << (band - 1);
	return low + ((1ull << (band - 1)) - 1) / 2;
}

static uint64_t *new_band(struct grt_hist *h, unsigned int band)
{
	if (!h->bands)
		h->bands = calloc(GRT_HIST_BANDS, sizeof(*h->bands));
	if (h->bands)
		h->bands[band] = calloc(GRT_HIST_SUB, sizeof(*h->bands[band]));
	if (h->bands && h->bands[band])
		return h->bands[band];
	grt_fail_memory();
	return NULL;
}

static uint64_t *band_at(struct grt_hist *h, unsigned int band)
{
	return h->bands && h->bands[band] ? h->bands[band] : new_band(h, band);
}

uint64_t *grt_hist_bucket(struct grt_hist *h, uint64_t value)
{
	unsigned int band = band_of(value);
	uint64_t *buckets = band_at(h, band);

	return buckets ? &buckets[bucket_of(value, band)] : NULL;
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

void grt_hist_take(struct grt_hist *h, struct grt_tally *t)
{
	if (t->count)
		add_exact(h, t->count, t->min, t->max, t->sum);
	*t = GRT_TALLY_NONE;
}

int grt_hist_add(struct grt_hist *h, uint64_t value)
{
	uint64_t *bucket = grt_hist_bucket(h, value);

	if (!bucket)
		return -ENOMEM;
	++*bucket;
	add_exact(h, 1, value, value, value);
	return 0;
}

int grt_hist_merge(struct grt_hist *to, const struct grt_hist *from)
{
	if (!from->count)
		return 0;
	for (unsigned int band = 0; from->bands && band < GRT_HIST_BANDS; band++) {
		uint64_t *buckets;

		if (!from->bands[band])
			continue;
		buckets = band_at(to, band);
		if (!buckets)
			return -ENOMEM;
		for (unsigned int i = 0; i < GRT_HIST_SUB; i++)
			buckets[i] += from->bands[band][i];
	}
	add_exact(to, from->count, from->min, from->max, from->sum);
	return 0;
}

void grt_hist_free(struct grt_hist *h)
{
	for (unsigned int band = 0; h->bands && band < GRT_HIST_BANDS; band++)
		free(h->bands[band]);
	free(h->bands);
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
	uint64_t rank, below = 0;

	if (!h->count)
		return 0;
	rank = ((unsigned __int128)h->count * permille + 999) / 1000;
	if (!rank)
		rank = 1;
	for (unsigned int band = 0; h->bands && band < GRT_HIST_BANDS; band++) {
		if (!h->bands[band])
			continue;
		for (unsigned int i = 0; i < GRT_HIST_SUB; i++) {
			below += h->bands[band][i];
			if (below >= rank)
				return clamp(h, value_of(band, i));
		}
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
	for (; h->bands && *at < GRT_HIST_BANDS * GRT_HIST_SUB; ++*at) {
		unsigned int band = *at / GRT_HIST_SUB, bucket = *at % GRT_HIST_SUB;

		if (!h->bands[band] || !h->bands[band][bucket])
			continue;
		*count = h->bands[band][bucket];
		*low = band ? (uint64_t)(GRT_HIST_SUB + bucket) << (band - 1) : bucket;
		*high = *low + (band ? (1ull << (band - 1)) - 1 : 0);
		++*at;
		return true;
	}
	return false;
}
