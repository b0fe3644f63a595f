/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Spans of time in which events are missing, for whatever reason.  What is
 * derived from the order of events is unknown there.
 */
#ifndef GRT_LOSS_H
#define GRT_LOSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vec.h"

struct grt_span {
	uint64_t from_ns;
	uint64_t to_ns;
};

/*
 * Makes @span of itself and all of @spans that touch it, which are sorted and disjoint.  These are the rows from *@first
 * up to *@end.  If the two are equal there are none, and @span belongs there.
 */
void grt_span_unite(struct grt_span *span, const struct grt_span *spans, size_t count, size_t *first, size_t *end);

struct grt_losses {
	struct grt_vec spans;	/* of struct grt_span: sorted, disjoint */
};

/* Both return 0 or -errno. */
int grt_losses_add(struct grt_losses *l, uint64_t from_ns, uint64_t to_ns);
int grt_losses_copy(struct grt_losses *to, const struct grt_losses *from);
/* Forgets spans that ended before @ns; not always at once. */
void grt_losses_drop(struct grt_losses *l, uint64_t ns);
void grt_losses_free(struct grt_losses *l);

static inline size_t grt_losses_count(const struct grt_losses *l)
{
	return grt_vec_count(&l->spans, struct grt_span);
}

static inline const struct grt_span *grt_losses_at(const struct grt_losses *l, size_t i)
{
	return grt_vec_at(&l->spans, struct grt_span, i);
}

/* The first span that ends after @ns, or NULL. */
const struct grt_span *grt_losses_from(const struct grt_losses *l, uint64_t ns);

/* Whether events are missing somewhere in [from_ns, to_ns], ends included. */
bool grt_losses_touch(const struct grt_losses *l, uint64_t from_ns, uint64_t to_ns);

/* Spans in which events are missing, and one that has not ended yet. */
struct grt_gap {
	struct grt_losses spans;
	uint64_t since_ns;	/* UINT64_MAX: there is none */
};

static inline bool grt_gap_touches(const struct grt_gap *g, uint64_t from_ns, uint64_t to_ns)
{
	return g->since_ns <= to_ns ||
	       (grt_losses_count(&g->spans) && grt_losses_touch(&g->spans, from_ns, to_ns));
}

/* The first instant after @ns at which a span begins; UINT64_MAX: none does. */
uint64_t grt_gap_next(const struct grt_gap *g, uint64_t ns);

#endif /* GRT_LOSS_H */
