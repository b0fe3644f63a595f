/* SPDX-License-Identifier: LGPL-2.1 */
/* Who is to blame for each stretch of time, as far back as a job in flight may have waited. */
#ifndef GRT_SPANS_H
#define GRT_SPANS_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "deque.h"
#include "job.h"

/* A stretch of time that somebody is to blame for. */
struct grt_span_by {
	uint64_t from_ns, to_ns;
	uint64_t ctx, seqno;	/* the first job or fence of it */
	uint32_t client;
	uint8_t reason;	/* enum grt_blame_reason */
	bool is_foreign;	/* the fence belongs to no job */
	bool is_hung;		/* the job that had the ring hung */
	bool has_more;		/* it stands for several jobs of @client that had the ring */
};

/*
 * Whether both have the same client and reason and, if the reason is a fence, the same fence.
 * Which job had a ring can be found out later.  The fields are compared one by one: both were
 * often written just now, and one load of the two would have to wait for the stores.
 */
static inline bool grt_span_is_like(const struct grt_span_by *a, const struct grt_span_by *b)
{
	if ((a->client ^ b->client) | (uint32_t)(a->reason ^ b->reason))
		return false;
	return a->reason != GRT_BLAME_FENCE || (a->ctx == b->ctx && a->seqno == b->seqno);
}

/* Bounds memory where one job waits while hundreds of thousands of others run. */
#define GRT_MAX_SPANS	32768

#define GRT_SPANS_LATE	8

/* Sorted and disjoint, of struct grt_span_by. */
struct grt_span_sums;

struct grt_spans {
	struct grt_deque spans;
	uint64_t gone;		/* how many were dropped */
	uint64_t cut_ns;	/* there were too many: those before it are dropped */
	struct grt_span_sums *sums; /* owned; NULL: not needed so far, see span_sums.h */
};

/* Drops spans that ended by @ns, and the oldest if there are more than @max. */
void grt_spans_keep(struct grt_spans *s, uint64_t ns, size_t max);
static inline void grt_spans_drop(struct grt_spans *s, uint64_t ns)
{
	grt_spans_keep(s, ns, GRT_MAX_SPANS);
}

/* The first span from @at on that ends after @ns; the end if none does. */
const struct grt_span_by *grt_spans_find(const struct grt_spans *s, const struct grt_span_by *at,
					 uint64_t ns);

static inline const struct grt_span_by *grt_spans_begin(const struct grt_spans *s)
{
	return grt_deque_at(&s->spans, struct grt_span_by, 0);
}

/* Span number @nr, counted from the first one ever; it is not dropped. */
static inline const struct grt_span_by *grt_spans_at(const struct grt_spans *s, uint64_t nr)
{
	return grt_spans_begin(s) + (nr - s->gone);
}

static inline const struct grt_span_by *grt_spans_end(const struct grt_spans *s)
{
	return grt_deque_end(&s->spans, struct grt_span_by);
}

/*
 * Appends a span like @by from @from_ns to @to_ns, without the part before the end of the last
 * span.  If the last span is like it and adjacent, extends that one instead, unless @is_single. 0
 * or -ENOMEM.
 */
static inline int grt_spans_add(struct grt_spans *s, const struct grt_span_by *by,
				uint64_t from_ns, uint64_t to_ns, bool is_single)
{
	struct grt_span_by *to;

	if (!grt_deque_is_empty(&s->spans)) {
		to = grt_deque_end(&s->spans, struct grt_span_by) - 1;
		if (from_ns < to->to_ns)
			from_ns = to->to_ns;
		if (from_ns == to->to_ns && from_ns < to_ns && grt_span_is_like(to, by) &&
		    !is_single) {
			to->to_ns = to_ns;
			to->has_more |= by->has_more || to->ctx != by->ctx || to->seqno != by->seqno;
			return 0;
		}
	}
	if (from_ns >= to_ns)
		return 0;
	to = grt_vec_grow(&s->spans.vec, sizeof(*to));
	if (!to)
		return -ENOMEM;
	to->from_ns = from_ns;
	to->to_ns = to_ns;
	to->ctx = by->ctx;
	to->seqno = by->seqno;
	to->client = by->client;
	to->reason = by->reason;
	to->is_foreign = by->is_foreign;
	to->is_hung = by->is_hung;
	to->has_more = by->has_more;
	return 0;
}

/* Where to begin the search for a span that is probably one of the last. */
static inline const struct grt_span_by *grt_spans_late(const struct grt_spans *s, uint64_t ns)
{
	const struct grt_span_by *begin = grt_spans_begin(s), *end = grt_spans_end(s);

	return end - begin > GRT_SPANS_LATE && end[-GRT_SPANS_LATE - 1].to_ns <= ns ?
	       end - GRT_SPANS_LATE : begin;
}

static inline void grt_spans_free(struct grt_spans *s)
{
	free(s->sums);
	s->sums = NULL;
	s->gone = s->cut_ns = 0;
	grt_deque_free(&s->spans);
}

#endif /* GRT_SPANS_H */
