// SPDX-License-Identifier: LGPL-2.1
#include "loss.h"

#include <errno.h>
#include <string.h>

#include "sorted.h"

/*
 * A trace that loses events all the time has as many spans as sub-buffers.  From this many spans
 * on, neighbours become one: then more is unknown, but nothing is wrong, and memory stays bounded
 * (1 MiB).
 */
#define MAX_SPANS	65536
#define SOME_SPANS	64	/* old ones are dropped once there are so many */

static struct grt_span *span_at(const struct grt_losses *l, size_t i)
{
	return grt_vec_at(&l->spans, struct grt_span, i);
}

/* The first span that does not end before @ns. */
static size_t lower_bound(const struct grt_losses *l, uint64_t ns)
{
	return grt_sorted_by(l->spans.data, grt_losses_count(l), struct grt_span, to_ns, ns);
}

static void pair_up(struct grt_losses *l)
{
	size_t half = grt_losses_count(l) / 2;

	for (size_t i = 0; i < half; i++)
		*span_at(l, i) = (struct grt_span){ span_at(l, 2 * i)->from_ns,
						    span_at(l, 2 * i + 1)->to_ns };
	l->spans.bytes = half * sizeof(struct grt_span);
}

void grt_span_unite(struct grt_span *span, const struct grt_span *spans, size_t count, size_t *first, size_t *end)
{
	*first = grt_sorted_by(spans, count, struct grt_span, to_ns, span->from_ns);
	for (*end = *first; *end < count && spans[*end].from_ns <= span->to_ns; ++*end) {
		if (spans[*end].from_ns < span->from_ns)
			span->from_ns = spans[*end].from_ns;
		if (spans[*end].to_ns > span->to_ns)
			span->to_ns = spans[*end].to_ns;
	}
}

int grt_losses_add(struct grt_losses *l, uint64_t from_ns, uint64_t to_ns)
{
	struct grt_span span = { from_ns, to_ns };
	size_t first, end, n = grt_losses_count(l);

	if (to_ns < from_ns)	/* a damaged trace: its order is not reliable */
		span = (struct grt_span){ to_ns, from_ns };
	grt_span_unite(&span, l->spans.data, n, &first, &end);
	if (first == end) {
		if (!grt_vec_grow(&l->spans, sizeof(span)))
			return -ENOMEM;
		memmove(span_at(l, first + 1), span_at(l, first), (n - first) * sizeof(span));
	} else {
		memmove(span_at(l, first + 1), span_at(l, end), (n - end) * sizeof(span));
		l->spans.bytes -= (end - first - 1) * sizeof(span);
	}
	*span_at(l, first) = span;
	if (grt_losses_count(l) == MAX_SPANS)
		pair_up(l);
	return 0;
}

int grt_losses_copy(struct grt_losses *to, const struct grt_losses *from)
{
	int err = 0;

	for (size_t i = 0; i < grt_losses_count(from) && !err; i++)
		err = grt_losses_add(to, grt_losses_at(from, i)->from_ns,
				     grt_losses_at(from, i)->to_ns);
	return err;
}

void grt_losses_drop(struct grt_losses *l, uint64_t ns)
{
	size_t count = grt_losses_count(l), gone = lower_bound(l, ns);

	if (gone < SOME_SPANS || gone < count / 2)
		return;
	memmove(span_at(l, 0), span_at(l, gone), (count - gone) * sizeof(struct grt_span));
	l->spans.bytes -= gone * sizeof(struct grt_span);
}

void grt_losses_free(struct grt_losses *l)
{
	grt_vec_free(&l->spans);
}

bool grt_losses_touch(const struct grt_losses *l, uint64_t from_ns, uint64_t to_ns)
{
	size_t i = lower_bound(l, from_ns);

	return i < grt_losses_count(l) && span_at(l, i)->from_ns <= to_ns;
}

const struct grt_span *grt_losses_from(const struct grt_losses *l, uint64_t ns)
{
	size_t i = ns < UINT64_MAX ? lower_bound(l, ns + 1) : grt_losses_count(l);

	return i < grt_losses_count(l) ? span_at(l, i) : NULL;
}

uint64_t grt_gap_next(const struct grt_gap *g, uint64_t ns)
{
	const struct grt_span *span = grt_losses_from(&g->spans, ns);
	uint64_t next_ns = g->since_ns > ns ? g->since_ns : UINT64_MAX;

	if (span && span->from_ns <= ns)
		span = grt_losses_from(&g->spans, span->to_ns);
	if (span && span->from_ns > ns && span->from_ns < next_ns)
		next_ns = span->from_ns;
	return next_ns;
}
