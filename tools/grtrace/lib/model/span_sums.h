/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Sums over spans, per client and reason.  The jobs of a context wait for nearly the same spans,
 * each a little later: only the spans that come or go from one job to the next are added and
 * taken away.
 */
#ifndef GRT_SPAN_SUMS_H
#define GRT_SPAN_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include "spans.h"

struct grt_span_sum {
	uint64_t key;		/* client and reason */
	uint64_t ns;
	uint64_t first;		/* number of the first of its spans */
	size_t nr_spans;
};

#define GRT_MAX_SPAN_SUMS	32	/* with more, a walk over the spans is not slower */

struct grt_span_sums {
	uint64_t from, to;	/* numbers of the spans [@from, @to) */
	uint64_t ns;		/* of all rows */
	size_t nr_rows;
	struct grt_span_sum rows[GRT_MAX_SPAN_SUMS];
};

/*
 * The sums of the whole spans from @from up to @to, in the order of their first spans; they hold until @s
 * changes.  @to is not behind the last span of @s, because that one may still grow.  NULL: there are no sums,
 * because the spans are few or of too many clients, or there is no memory; then walk over the spans.
 */
const struct grt_span_sums *grt_spans_sum(struct grt_spans *s, const struct grt_span_by *from,
					  const struct grt_span_by *to);

/* Takes the spans before number @nr out of the sums.  grt_spans_drop() calls it before it drops them. */
void grt_span_sums_drop(struct grt_spans *s, uint64_t nr);

#endif /* GRT_SPAN_SUMS_H */
