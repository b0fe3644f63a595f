// SPDX-License-Identifier: LGPL-2.1
#include "frame_runs.h"

#include "error.h"
#include "loss.h"
#include "sorted.h"

static struct grt_span *span_at(const struct grt_frame_runs *r, size_t i)
{
	return grt_deque_at(&r->spans, struct grt_span, i);
}

static size_t nr_spans(const struct grt_frame_runs *r)
{
	return grt_deque_count(&r->spans, struct grt_span);
}

/* The first span that does not end before @ns. */
static size_t find(const struct grt_frame_runs *r, uint64_t ns)
{
	return grt_sorted_by(span_at(r, 0), nr_spans(r), struct grt_span, to_ns, ns);
}

int grt_frame_runs_add(struct grt_frame_runs *r, uint64_t from_ns, uint64_t to_ns)
{
	struct grt_span span = { from_ns, to_ns };
	size_t first, end, count = nr_spans(r);

	grt_span_unite(&span, span_at(r, 0), count, &first, &end);
	if (first == end && !grt_vec_grow(&r->spans.vec, sizeof(span)))
		return grt_fail_memory();
	/* Most runs come in the order of time: then nothing is behind them. */
	memmove(span_at(r, first + 1), span_at(r, end), (count - end) * sizeof(span));
	if (first != end)
		r->spans.vec.bytes -= (end - first - 1) * sizeof(span);
	*span_at(r, first) = span;
	return 0;
}

struct grt_frame_ran grt_frame_runs_in(const struct grt_frame_runs *r, uint64_t from_ns, uint64_t to_ns)
{
	struct grt_frame_ran ran = { .busy_ns = 0 };

	for (size_t i = find(r, from_ns + 1); i < nr_spans(r) && span_at(r, i)->from_ns < to_ns; i++) {
		struct grt_span span = *span_at(r, i);

		if (span.from_ns < from_ns)
			span.from_ns = from_ns;
		if (span.to_ns > to_ns)
			span.to_ns = to_ns;
		if (!ran.busy_ns)
			ran.first_ns = span.from_ns;
		ran.last_ns = span.to_ns;
		ran.busy_ns += span.to_ns - span.from_ns;
	}
	return ran;
}

void grt_frame_runs_drop(struct grt_frame_runs *r, uint64_t ns)
{
	size_t count = find(r, ns);

	if (count)
		grt_deque_drop(&r->spans, count * sizeof(struct grt_span));
}

void grt_frame_runs_free(struct grt_frame_runs *r)
{
	grt_deque_free(&r->spans);
}
