/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What the jobs of a process did in a stretch of time.  Several jobs may be there at once, but each moment
 * counts for one of them.  If jobs complete in the stretch (these are *met*), that is the one that completes
 * last; if none does, the one that completes first after the stretch.
 */
#ifndef GRT_FRAME_PIECES_H
#define GRT_FRAME_PIECES_H

#include "frame_life.h"
#include "vec.h"

/* A part of the life of a job; its own @cause.ns is not used. */
struct grt_frame_piece {
	uint64_t from_ns, to_ns;
	struct grt_frame_stay stay;	/* of the job */
	struct grt_frame_cause cause;
	bool is_met;
};

/* Zeroed memory is empty. */
struct grt_frame_pieces {
	struct grt_vec rows;	/* struct grt_frame_piece */
	size_t many;		/* rows at which grt_frame_pieces_choose() is called next */
};

/* Adds what a job did from @from_ns to @to_ns, in which it was there.  0 or -errno. */
int grt_frame_pieces_add(struct grt_frame_pieces *p, const struct grt_frame_life *life,
			 uint64_t from_ns, uint64_t to_ns, bool is_met);

/*
 * Removes what does not count: then the pieces are sorted and do not overlap.  Takes n log n, whatever the order
 * in which the jobs came.  0 or -errno.
 */
int grt_frame_pieces_choose(struct grt_frame_pieces *p);

static inline size_t grt_frame_pieces_count(const struct grt_frame_pieces *p)
{
	return grt_vec_count(&p->rows, struct grt_frame_piece);
}

static inline struct grt_frame_piece *grt_frame_piece_at(const struct grt_frame_pieces *p, size_t i)
{
	return grt_vec_at(&p->rows, struct grt_frame_piece, i);
}

void grt_frame_pieces_free(struct grt_frame_pieces *p);

#endif /* GRT_FRAME_PIECES_H */
