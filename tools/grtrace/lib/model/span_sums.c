// SPDX-License-Identifier: LGPL-2.1
#include "span_sums.h"

#include <stdbool.h>
#include <stdlib.h>

#define FEW	16	/* spans */

static uint64_t key_of(const struct grt_span_by *by)
{
	return (uint64_t)by->client << 8 | by->reason;
}

static struct grt_span_sum *row_of(struct grt_span_sums *sums, uint64_t key)
{
	for (size_t i = 0; i < sums->nr_rows; i++)
		if (sums->rows[i].key == key)
			return &sums->rows[i];
	return NULL;
}

/* Adds the next span.  False: no room for one more row. */
static bool take(struct grt_spans *s)
{
	struct grt_span_sums *sums = s->sums;
	const struct grt_span_by *by = grt_spans_at(s, sums->to);
	struct grt_span_sum *row = row_of(sums, key_of(by));

	if (!row) {
		if (sums->nr_rows == GRT_MAX_SPAN_SUMS)
			return false;
		row = &sums->rows[sums->nr_rows++];
		*row = (struct grt_span_sum){ .key = key_of(by), .first = sums->to };
	}
	row->ns += by->to_ns - by->from_ns;
	row->nr_spans++;
	sums->ns += by->to_ns - by->from_ns;
	sums->to++;
	return true;
}

/* Takes the first span away. */
static void leave(struct grt_spans *s)
{
	struct grt_span_sums *sums = s->sums;
	const struct grt_span_by *by = grt_spans_at(s, sums->from);
	struct grt_span_sum *row = row_of(sums, key_of(by));

	row->ns -= by->to_ns - by->from_ns;
	if (!--row->nr_spans)
		*row = sums->rows[--sums->nr_rows];
	sums->ns -= by->to_ns - by->from_ns;
	sums->from++;
}

static void begin_at(struct grt_span_sums *sums, uint64_t nr)
{
	sums->from = sums->to = nr;
	sums->ns = 0;
	sums->nr_rows = 0;
}

static void find_first(const struct grt_spans *s, struct grt_span_sum *row)
{
	if (row->first >= s->sums->from)
		return;
	row->first = s->sums->from;
	while (key_of(grt_spans_at(s, row->first)) != row->key)
		row->first++;
}

/* From one call to the next, few rows change their places. */
static void sort_rows(const struct grt_spans *s)
{
	struct grt_span_sum *rows = s->sums->rows;

	for (size_t i = 0; i < s->sums->nr_rows; i++) {
		struct grt_span_sum row;
		size_t at = i;

		find_first(s, &rows[i]);
		row = rows[i];
		for (; at && rows[at - 1].first > row.first; at--)
			rows[at] = rows[at - 1];
		rows[at] = row;
	}
}

const struct grt_span_sums *grt_spans_sum(struct grt_spans *s, const struct grt_span_by *from,
					  const struct grt_span_by *to)
{
	uint64_t first = s->gone + (from - grt_spans_begin(s)), end = s->gone + (to - grt_spans_begin(s));

	if (to - from < FEW)
		return NULL;
	if (!s->sums) {
		s->sums = malloc(sizeof(*s->sums));
		if (!s->sums)
			return NULL;
		begin_at(s->sums, first);
	}
	if (first < s->sums->from || first > s->sums->to || end < s->sums->to)
		begin_at(s->sums, first);
	while (s->sums->from < first)
		leave(s);
	while (s->sums->to < end)
		if (!take(s)) {
			begin_at(s->sums, end);
			return NULL;
		}
	sort_rows(s);
	return s->sums;
}

void grt_span_sums_drop(struct grt_spans *s, uint64_t nr)
{
	while (s->sums->from < nr && s->sums->from < s->sums->to)
		leave(s);
	if (s->sums->from < nr)
		begin_at(s->sums, nr);
}
