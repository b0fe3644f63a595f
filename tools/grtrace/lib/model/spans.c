// SPDX-License-Identifier: LGPL-2.1
#include "spans.h"

#include "span_sums.h"

#define NEAR	4

void grt_spans_keep(struct grt_spans *s, uint64_t ns, size_t max)
{
	const struct grt_span_by *begin = grt_spans_begin(s), *end = grt_spans_end(s);
	const struct grt_span_by *keep = begin;

	for (; keep < end && (keep->to_ns <= ns || (size_t)(end - keep) > max); keep++)
		if (keep->to_ns > ns)
			s->cut_ns = keep->to_ns;
	if (keep == begin)
		return;
	if (s->sums)
		grt_span_sums_drop(s, s->gone + (keep - begin));
	s->gone += keep - begin;
	grt_deque_drop(&s->spans, (const char *)keep - (const char *)begin);
}

const struct grt_span_by *grt_spans_find(const struct grt_spans *s, const struct grt_span_by *at,
					 uint64_t ns)
{
	const struct grt_span_by *end = grt_spans_end(s);
	size_t count;

	/* Usually it is one of the first. */
	for (int i = 0; i < NEAR; i++, at++)
		if (at == end || at->to_ns > ns)
			return at;
	for (count = end - at; count > 1; count -= count / 2)
		if (at[count / 2 - 1].to_ns <= ns)
			at += count / 2;
	return count && at->to_ns <= ns ? at + 1 : at;
}
