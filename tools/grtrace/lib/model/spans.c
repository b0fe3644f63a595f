// SPDX-License-Identifier: LGPL-2.1
#include "spans.h"

#include <errno.h>

/* Bounds memory where one job waits while hundreds of thousands of others run. */
#define MAX_SPANS	32768

#define NEAR	8

int grt_spans_add(struct grt_spans *s, const struct grt_span_by *span, bool is_single)
{
	size_t n = grt_spans_count(s);
	struct grt_span_by *last = n ? grt_deque_at(&s->spans, struct grt_span_by, n - 1) : NULL;
	struct grt_span_by *to;
	uint64_t from_ns = span->from_ns;

	if (last && from_ns < last->to_ns)
		from_ns = last->to_ns;
	if (from_ns >= span->to_ns)
		return 0;
	if (last && last->to_ns == from_ns && last->party == span->party &&
	    last->through == span->through && !is_single) {
		last->to_ns = span->to_ns;
		return 0;
	}
	to = grt_vec_grow(&s->spans.vec, sizeof(*to));
	if (!to)
		return -ENOMEM;
	*to = *span;
	to->from_ns = from_ns;
	return 0;
}

void grt_spans_forget(struct grt_spans *s, uint64_t ns)
{
	size_t n = grt_spans_count(s), i = 0;

	while (i < n && (grt_spans_at(s, i)->to_ns <= ns || n - i > MAX_SPANS))
		i++;
	if (i)
		grt_deque_drop(&s->spans, i * sizeof(struct grt_span_by));
}

size_t grt_spans_find(const struct grt_spans *s, uint64_t ns)
{
	size_t lo = 0, hi = grt_spans_count(s);

	/* Mostly it is the oldest that is kept, or one of the latest. */
	if (hi && grt_spans_at(s, 0)->to_ns > ns)
		return 0;
	for (int i = 0; i < NEAR && hi; i++, hi--)
		if (grt_spans_at(s, hi - 1)->to_ns <= ns)
			return hi;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (grt_spans_at(s, mid)->to_ns <= ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
