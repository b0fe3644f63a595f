/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Jobs that are there during whole cells, from before their begin until after their end.  Of each
 * cell, the one counts that completes first.
 *
 * A job may pass thousands of cells, and so may thousands of jobs.  So this is a tree: a node stands
 * for a row of cells and has the first of the jobs that were added for exactly that row.  It takes
 * log n to add a job, in whatever order jobs come, and only jobs that a node has are kept.
 */
#ifndef GRT_FRAME_PASSERS_H
#define GRT_FRAME_PASSERS_H

#include "frame_pieces.h"

#define GRT_FRAME_PASSERS	8192	/* numbers of cells that are in use are less far apart */

/* Zeroed memory is empty. */
struct grt_frame_passers {
	struct grt_frame_passer_node *nodes;	/* owned; NULL: no job was added */
};

/* Adds a job that passes the cells with the numbers from @first to @last.  0 or -ENOMEM. */
int grt_frame_passers_add(struct grt_frame_passers *p, uint64_t first, uint64_t last,
			  const struct grt_frame_life *life);

/* The first job that passes the cell; NULL: none does.  It is valid until the next job is added. */
const struct grt_frame_life *grt_frame_passers_find(const struct grt_frame_passers *p, uint64_t number);

void grt_frame_passers_free(struct grt_frame_passers *p);

#endif /* GRT_FRAME_PASSERS_H */
