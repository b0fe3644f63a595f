/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A stretch of time between two boundaries of frames, while the jobs of a process in it are
 * collected.  A frame is one of them, or several: a refresh in which no job of the process
 * completed showed the frame before again.
 */
#ifndef GRT_FRAME_CELL_H
#define GRT_FRAME_CELL_H

#include "frame_pieces.h"
#include "loss.h"

/* A job that completed in the stretch, or behind it. */
struct grt_frame_decider {
	struct grt_frame_stay stay;
	uint64_t begun_ns;	/* when its frame began; 0: not known */
	bool is_upper_bound;	/* it was complete then, or before */
};

struct grt_frame_cell {
	uint64_t start_ns;
	uint64_t end_ns;		/* UINT64_MAX: it is not over */
	uint64_t jobs;			/* that completed in it */
	uint64_t last_submit_ns;	/* of the jobs submitted in it; 0: none */
	bool has_any;			/* a job was there */
	bool is_blind;			/* something is known to be missing */
	bool has_job;			/* @job is valid: it decided when the frame was over */
	bool is_met;			/* it completed in this time, not later */
	struct grt_frame_decider job;	/* the last one that is met; if none is, the first one behind it */
	struct grt_frame_decider first;	/* the first one that is met */
	struct grt_frame_pieces pieces;
	uint64_t filled_ns;		/* from here on, the first job that completes behind it is known */
	uint64_t cover_ns;		/* from here until the end, @cover was there; UINT64_MAX: no such job yet */
	struct grt_frame_stay cover;	/* jobs that complete behind it add nothing there */
	uint64_t next_open;		/* where to look for one before it that is not full: frame_line.c */

	/* Sums of the pieces, once it is closed; of all refreshes of the frame. */
	bool is_closed;
	uint64_t part_ns[GRT_NR_FRAME_PARTS];
	struct grt_vec causes;		/* struct grt_frame_cause, sorted */
	struct grt_vec missed;		/* of the refreshes before that were missed */
};

void grt_frame_cell_init(struct grt_frame_cell *c, uint64_t start_ns);
void grt_frame_cell_free(struct grt_frame_cell *c);

/* Notes a job that completed in the cell.  Returns from when on it was there; the caller adds what it did then. */
uint64_t grt_frame_cell_meet(struct grt_frame_cell *c, const struct grt_frame_life *life);

/* Adds a job that was there when the cell, which is over, ended.  0 or -ENOMEM. */
int grt_frame_cell_pass(struct grt_frame_cell *c, const struct grt_frame_life *life);

/* Whether jobs that complete later can add nothing more. */
static inline bool grt_frame_cell_is_full(const struct grt_frame_cell *c)
{
	return c->filled_ns <= c->start_ns;
}

/*
 * All jobs were added: sums up.  @unsure: when a job may have been there that was not seen; may be
 * NULL.  0 or -ENOMEM.
 */
int grt_frame_cell_close(struct grt_frame_cell *c, const struct grt_losses *unsure);

/* @c, closed, showed the frame before again: it becomes the begin of @next, also closed. */
int grt_frame_cell_join(struct grt_frame_cell *next, struct grt_frame_cell *c);

/* Fills in what a frame takes from its cell.  @has_after: the time after its job counts, too. */
void grt_frame_cell_read(const struct grt_frame_cell *c, bool has_after, struct grt_frame *frame);

#endif /* GRT_FRAME_CELL_H */
