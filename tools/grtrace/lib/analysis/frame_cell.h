/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A stretch of time between two boundaries of frames, while the jobs of a process in it are
 * collected.  A frame is one of them, or several: a refresh in which no job of the process
 * completed showed the frame before again.
 */
#ifndef GRT_FRAME_CELL_H
#define GRT_FRAME_CELL_H

#include "frame.h"
#include "job.h"
#include "loss.h"

#define GRT_FRAME_CAUSES	16	/* of one frame; the rest is only in the sums of parts */

/* Until @to_ns the frame had this cause; its own @ns is not used. */
struct grt_frame_step {
	uint64_t to_ns;
	struct grt_frame_cause cause;
};

struct grt_frame_causes {
	struct grt_frame_cause row[GRT_FRAME_CAUSES];
	unsigned int count;
};

/* The job that decided when the frame was over. */
struct grt_frame_decider {
	uint64_t ctx, seqno, complete_ns;
	uint64_t begun_ns;	/* when its frame began; 0: not known */
};

struct grt_frame_cell {
	uint64_t start_ns;
	uint64_t end_ns;		/* UINT64_MAX: it is not over */
	uint32_t submitted, handed;	/* jobs with their SUBMIT in it: seen, and over */
	uint64_t jobs;			/* that completed in it */
	bool has_job;			/* @job is valid */
	bool is_met;			/* it completed in this time, not later */
	bool is_blind;			/* something is known to be missing */
	bool has_unknown_run;		/* when a job ran here is not known */
	struct grt_frame_decider job;
	struct grt_losses busy;		/* when jobs ran: spans, sorted and disjoint */
	struct grt_vec steps;		/* struct grt_frame_step, sorted; from start_ns on */

	/* Sums of the steps, once it is closed; of all refreshes of the frame. */
	bool is_closed;
	uint64_t part_ns[GRT_NR_FRAME_PARTS];
	struct grt_frame_causes causes;
	struct grt_frame_causes missed;	/* of the refreshes before that were missed */
};

void grt_frame_cell_init(struct grt_frame_cell *c, uint64_t start_ns);
void grt_frame_cell_free(struct grt_frame_cell *c);

/*
 * Adds a job that overlaps the time of the cell, with its roots; see grt_roots_add().  Jobs come in
 * the order of COMPLETE.  @begun_ns: see struct grt_frame_decider.  0 or -ENOMEM.
 */
int grt_frame_cell_job(struct grt_frame_cell *c, const struct grt_job *job,
		       const struct grt_root_span *spans, uint32_t count, uint64_t begun_ns);

/* All jobs were added: sums up.  0 or -ENOMEM. */
int grt_frame_cell_close(struct grt_frame_cell *c);

/* @c, closed, showed the frame before again: it becomes the begin of @next, also closed. */
int grt_frame_cell_join(struct grt_frame_cell *next, const struct grt_frame_cell *c);

/* Fills in what a frame takes from its cell.  @has_after: the time after its job counts, too. */
void grt_frame_cell_read(const struct grt_frame_cell *c, bool has_after, struct grt_frame *frame);

#endif /* GRT_FRAME_CELL_H */
