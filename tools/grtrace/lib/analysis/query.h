/* SPDX-License-Identifier: LGPL-2.1 */
/* Which jobs a user wants to see. */
#ifndef GRT_QUERY_H
#define GRT_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "column.h"
#include "filter.h"
#include "window.h"

/* Zeroed: all jobs but those written by hand. */
struct grt_query {
	const struct grt_window *window;	/* not owned, NULL = any time */
	uint64_t pid;		/* 0 = any */
	const char *ring;	/* name or number, NULL = any */
	const char *comm;	/* NULL = any */
	uint64_t slower_ns;	/* only jobs whose total is longer; 0 = any */
	uint32_t engines;	/* bit per engine, 0 = any */
	const struct grt_filter *filter;	/* not owned, NULL = any */
	bool with_synthetic;
};

/* Whether @q wants the job, at any time.  Labels in @view need be known only if the filter asks for them. */
bool grt_query_wants(const struct grt_query *q, const struct grt_view *view);

/* Whether @job is outside the time of @q. */
static inline bool grt_query_is_outside(const struct grt_query *q, const struct grt_job *job)
{
	return q->window && q->window->is_narrow && !grt_window_has(q->window, job);
}

/* Whether @ring is the query's ring, which must not be NULL. */
bool grt_query_is_ring(const struct grt_query *q, const struct grt_ring *ring);

#endif /* GRT_QUERY_H */
