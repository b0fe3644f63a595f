/* SPDX-License-Identifier: LGPL-2.1 */
/* When jobs of a process ran: spans, sorted and disjoint, as many as there are. */
#ifndef GRT_FRAME_RUNS_H
#define GRT_FRAME_RUNS_H

#include "deque.h"

/* Zeroed memory is empty. */
struct grt_frame_runs {
	struct grt_deque spans;	/* struct grt_span */
};

/* What ran in a stretch of time. */
struct grt_frame_ran {
	uint64_t busy_ns, first_ns, last_ns;
};

/* 0 or -ENOMEM. */
int grt_frame_runs_add(struct grt_frame_runs *r, uint64_t from_ns, uint64_t to_ns);

struct grt_frame_ran grt_frame_runs_in(const struct grt_frame_runs *r, uint64_t from_ns, uint64_t to_ns);

/* Forgets what ended before @ns. */
void grt_frame_runs_drop(struct grt_frame_runs *r, uint64_t ns);
void grt_frame_runs_free(struct grt_frame_runs *r);

#endif /* GRT_FRAME_RUNS_H */
