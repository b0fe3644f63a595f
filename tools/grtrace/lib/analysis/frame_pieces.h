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

/* What a job did up to @to_ns, from the end of the step before or the beginning of its stretch on. */
struct grt_frame_step {
	uint64_t to_ns;
	uint64_t ctx, seqno;	/* as in struct grt_frame_cause */
	uint32_t client;
	uint8_t part;
};

/* A job behind a million others has as many steps: what they have in common is here. */
struct grt_frame_stretch {
	uint64_t from_ns, to_ns;
	struct grt_frame_stay stay;	/* of the job */
	size_t first;			/* of its steps; the last one may end later */
	uint32_t count;
	bool is_met, is_upper_bound;
};

/* Zeroed memory is empty. */
struct grt_frame_pieces {
	struct grt_vec stretches;	/* struct grt_frame_stretch */
	struct grt_vec steps;		/* struct grt_frame_step */
	size_t many;		/* steps at which those are dropped next that do not count */
};

/* A piece that counts; its own @cause.ns is not used. */
struct grt_frame_piece {
	uint64_t from_ns, to_ns;
	struct grt_frame_cause cause;
};

/* Adds what a job did from @from_ns to @to_ns, in which it was there.  0 or -errno. */
int grt_frame_pieces_add(struct grt_frame_pieces *p, const struct grt_frame_life *life,
			 uint64_t from_ns, uint64_t to_ns, bool is_met);

/*
 * Gives @fn the pieces that count, in the order of time; they do not overlap.  Takes n log n, whatever the order in
 * which the jobs came.  0, what @fn returned, or -errno.
 */
typedef int grt_frame_piece_fn(void *arg, const struct grt_frame_piece *piece);
int grt_frame_pieces_walk(struct grt_frame_pieces *p, grt_frame_piece_fn *fn, void *arg);

/* How many steps are kept. */
static inline size_t grt_frame_pieces_count(const struct grt_frame_pieces *p)
{
	return grt_vec_count(&p->steps, struct grt_frame_step);
}

void grt_frame_pieces_free(struct grt_frame_pieces *p);

#endif /* GRT_FRAME_PIECES_H */
