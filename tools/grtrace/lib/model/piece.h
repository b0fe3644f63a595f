/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The wait of a job piece by piece.  A job behind a million others waits for as many pieces, and so does each
 * of these, so no job has a list of its own: where it waited behind the jobs of a ring or of its context, a
 * piece is a part of a log that they share.  A walk finds the single pieces.
 */
#ifndef GRT_PIECE_H
#define GRT_PIECE_H

#include <stddef.h>
#include <stdint.h>

#include "job.h"
#include "keymap.h"
#include "spans.h"

/* What a piece is, behind the reasons of blame: charge.reason of a part of a log. */
enum {
	GRT_PIECE_RING = GRT_NR_BLAME_REASONS,	/* what the ring ran then: @jobs */
	GRT_PIECE_FRONT,			/* what the jobs in front in the context waited for: @front */
	GRT_PIECE_ROOM				/* what ready jobs waited for at the ring: @front */
};

struct grt_piece {
	struct grt_charge charge;	/* of a part of a log only from_ns, ns and stage are valid */
	union {
		const struct grt_spans *jobs;	/* not owned, valid as long as the model; a span for each job */
		const struct grt_front *front;	/* not owned; that of a context valid while the job is handed out */
	};
};

/* Jobs and pieces in a log; what is older is unknown. */
#define GRT_MAX_PIECES	(1u << 20)
#define GRT_MAX_ROOM	(1u << 18)	/* spans of what ready jobs waited for at a ring */

/* What the first jobs of a context waited for, or those that were ready, in the order of time. */
struct grt_front {
	struct grt_spans spans;		/* for sums: neighbours of one client are one span */
	struct grt_deque pieces;	/* of struct grt_piece, if they are kept; none is a GRT_PIECE_FRONT */
	uint64_t gone;			/* how many pieces were dropped */
};

/* Adds a piece, without the part before the end of the last one.  0 or -ENOMEM. */
int grt_front_add(struct grt_front *front, const struct grt_piece *piece);
/* Drops what ended by @ns, and the oldest spans if there are more than @max_spans.  NULL is fine. */
void grt_front_drop(struct grt_front *front, uint64_t ns, size_t max_spans);
void grt_front_free(struct grt_front **front);

/* Returns 0 or -errno. */
typedef int grt_piece_fn(void *arg, const struct grt_charge *piece);

/*
 * Calls @fn for each single piece of a job's wait from @from_ns to @to_ns, in the order of time; there are no gaps.
 * Only while a model that keeps pieces hands out @job.  Returns what @fn returned, if it was not 0.
 */
int grt_pieces_walk(const struct grt_job *job, uint64_t from_ns, uint64_t to_ns, grt_piece_fn *fn, void *arg);

/* When the last piece of its wait ends; behind it are those of a job in flight. */
uint64_t grt_pieces_end_ns(const struct grt_job *job);

/* Appends them to @list, of struct grt_charge.  0 or -ENOMEM. */
int grt_pieces_list(const struct grt_job *job, uint64_t from_ns, uint64_t to_ns, struct grt_vec *list);

#endif /* GRT_PIECE_H */
