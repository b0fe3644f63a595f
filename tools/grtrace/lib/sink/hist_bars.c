// SPDX-License-Identifier: LGPL-2.1
/* Prints a distribution of times as bars: a line for each power of two between the shortest and the longest time. */
#include <string.h>

#include "monitor_sink.h"
#include "number.h"

#define BUCKETS		65	/* 0, then [2^(i - 1), 2^i) */
#define MAX_BAR		50
#define MIN_BAR		10
#define LABEL_CELLS	36	/* of a line, in front of the bar and behind it */

static unsigned int bucket_of(uint64_t ns)
{
	return ns ? 64 - __builtin_clzll(ns) : 0;
}

static uint64_t from_ns(unsigned int bucket)
{
	return bucket ? 1ull << (bucket - 1) : 0;
}

/* The first value behind the bucket, at most UINT64_MAX. */
static uint64_t to_ns(unsigned int bucket)
{
	return bucket < BUCKETS - 1 ? 1ull << bucket : UINT64_MAX;
}

/* Returns the greatest count.  A bucket of @h never has values of two powers of two. */
static uint64_t fill(const struct grt_hist *h, uint64_t counts[BUCKETS])
{
	uint64_t low, high, count, most = 0;
	unsigned int at = 0;

	memset(counts, 0, BUCKETS * sizeof(*counts));
	while (grt_hist_next(h, &at, &low, &high, &count)) {
		uint64_t *sum = &counts[bucket_of(low)];

		*sum += count;
		if (*sum > most)
			most = *sum;
	}
	return most;
}

void grt_hist_print_bars(const struct grt_hist *h, FILE *f, size_t width)
{
	static const char bar[] = "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@";
	uint64_t counts[BUCKETS], most = fill(h, counts);
	size_t cells = width && width < LABEL_CELLS + MAX_BAR ?
		       width > LABEL_CELLS + MIN_BAR ? width - LABEL_CELLS : MIN_BAR : MAX_BAR;
	char from[GRT_NUMBER_MAX], to[GRT_NUMBER_MAX], n[GRT_NUMBER_MAX];

	_Static_assert(sizeof(bar) - 1 == MAX_BAR, "the longest bar");
	if (!h->count)
		return;
	for (unsigned int i = bucket_of(h->min); i <= bucket_of(h->max); i++) {
		int length = (double)counts[i] / most * cells + 0.5;

		if (counts[i] && !length)
			length = 1;
		fprintf(f, "  [%8s, %8s) %10s |%-*.*s|\n", grt_format_ns(from, from_ns(i)),
			grt_format_ns(to, to_ns(i)), grt_format_count(n, counts[i]), (int)cells, length, bar);
	}
}

void grt_hist_print_buckets(const struct grt_hist *h, struct grt_json *j, const char *name)
{
	uint64_t counts[BUCKETS];

	fill(h, counts);
	grt_json_open(j, name, '[');
	for (unsigned int i = 0; i < BUCKETS; i++) {
		if (!counts[i])
			continue;
		grt_json_open(j, NULL, '{');
		grt_json_u64(j, "from_ns", from_ns(i));
		grt_json_u64(j, "to_ns", to_ns(i));
		grt_json_u64(j, "count", counts[i]);
		grt_json_close(j, '}');
	}
	grt_json_close(j, ']');
}
