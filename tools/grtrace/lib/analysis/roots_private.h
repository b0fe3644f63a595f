/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef GRT_ROOTS_PRIVATE_H
#define GRT_ROOTS_PRIVATE_H

#include "root_log.h"
#include "roots.h"

/* A job whose spans are remembered: those of its wait, then those of its life on the ring. */
struct grt_root_job {
	uint64_t ctx, seqno;
	uint64_t submit_ns;
	uint64_t first_span;
	uint32_t count;
	uint32_t room;		/* spans that lie there; all but @count are in a log now */
	uint32_t client;
	bool has_submit, is_synthetic;
};

static inline struct grt_root_span *grt_roots_span(const struct grt_roots *r, uint64_t number)
{
	return grt_deque_at(&r->spans, struct grt_root_span, number - r->first_span);
}

/* The number of the next span. */
static inline uint64_t grt_roots_next(const struct grt_roots *r)
{
	return r->first_span + grt_deque_count(&r->spans, struct grt_root_span);
}

/* roots_told.c: what is kept of a job that was handed out early, until it comes again.  0 or -errno. */
int grt_roots_hold(struct grt_roots *r, const struct grt_job *job);
bool grt_roots_take_held(struct grt_roots *r, const struct grt_job *job);	/* it comes again; false: not held */
void grt_roots_drop_given(struct grt_roots *r);		/* nobody asks for its roots any more */
void grt_roots_free_held(struct grt_roots *r);

#endif /* GRT_ROOTS_PRIVATE_H */
