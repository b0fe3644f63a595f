/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Each moment of a frame counts for the job that completes last in it.  So a job that has just completed
 * counts for all of its time, until the next one does, which takes over the time from its own SUBMIT on.
 * Behind it in a queue, a job may have waited for a million things, and so may the next one.  So nobody looks
 * at what a job waited for while a job is in flight that may take over that time.
 */
#ifndef GRT_FRAME_TOPS_H
#define GRT_FRAME_TOPS_H

#include "frame_cell.h"

/* The jobs that complete in one cell, in that order; zeroed memory is empty. */
struct grt_frame_tops {
	struct grt_vec rows;	/* struct grt_frame_top: sorted, they do not overlap */
	uint64_t cell;		/* the number of the cell */
};

static inline bool grt_frame_tops_are_empty(const struct grt_frame_tops *t)
{
	return !t->rows.bytes;
}

/*
 * Adds a job to those of @cell: from @from_ns until it completes it counts instead of those before.  Few are kept;
 * of others the time is final, as that of those in grt_frame_tops_settle().
 */
int grt_frame_tops_add(struct grt_frame_tops *t, struct grt_frame_cell *cell, const struct grt_frame_life *life,
		       uint64_t from_ns);

/* No job in flight came before @ns: the time up to it is final, and goes to the cell.  0 or -ENOMEM. */
int grt_frame_tops_settle(struct grt_frame_tops *t, struct grt_frame_cell *cell, uint64_t ns);

void grt_frame_tops_free(struct grt_frame_tops *t);

#endif /* GRT_FRAME_TOPS_H */
