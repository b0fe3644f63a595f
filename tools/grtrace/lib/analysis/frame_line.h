/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The frames of one process, in the order of time, while they are made.  A frame leaves once all
 * jobs submitted before its end are over, so only frames with jobs in flight are kept.
 */
#ifndef GRT_FRAME_LINE_H
#define GRT_FRAME_LINE_H

#include "deque.h"
#include "frame_cell.h"
#include "frame_passers.h"
#include "frame_runs.h"
#include "frame_tops.h"

/*
 * At most so many frames of a process wait for their jobs.  Only behind a job that is lost or hangs
 * would there be more; then the oldest leaves, as lossy.
 */
#define GRT_FRAME_LINE_MAX	4096

struct grt_frame_line {
	/* Filled in by the caller; the rest is 0. */
	uint32_t tgid, process;
	uint8_t source;			/* enum grt_frame_source */
	uint64_t pause_ns;		/* of BY_JOBS: a SUBMIT after a longer pause begins a frame */
	uint64_t late_ns;		/* a boundary may be told so long after its time */
	const struct grt_losses *unsure;	/* when a job may have been there unseen; not owned; or NULL */
	struct grt_roots *roots;	/* of the jobs; not owned; NULL: they have no parts of logs */
	const struct grt_vec *unseen;	/* see struct grt_frame_process; not owned; or NULL */
	uint64_t now_ns;		/* time of the latest record; kept up to date by the caller */

	struct grt_deque cells;		/* struct grt_frame_cell */
	uint64_t left;			/* cells that have left */
	struct grt_deque submits;	/* struct grt_frame_submit: of jobs that are not over, and later */
	size_t next_unseen;		/* in @unseen: not awaited yet */
	uint64_t last_submit_ns;
	bool has_submit;
	struct grt_deque held;		/* struct grt_frame_life *: jobs that wait for late boundaries */
	uint64_t held_ns;		/* when the last of those that were held completes */
	struct grt_frame_stay last;	/* of the jobs that were added, the last one to complete */
	struct grt_frame_tops tops;	/* the last ones of the last cell in which one completed */
	struct grt_frame_passers passers;	/* that came out of order, or have no COMPLETE */
	struct grt_frame_runs runs;
	struct grt_losses unknown_runs;	/* times of jobs of which it is not known when they ran */
};

/* A frame ends here, and the next one begins.  0 or -errno. */
int grt_frame_line_cut(struct grt_frame_line *l, uint64_t ns);

/* Whether a SUBMIT of the process at @ns begins a frame: cut the line before it is added. */
bool grt_frame_line_begins(const struct grt_frame_line *l, uint64_t ns);
int grt_frame_line_submit(struct grt_frame_line *l, uint64_t ns);

/* Something is missing at @ns or later: what happened in the frames from then on is not known. */
void grt_frame_line_blind(struct grt_frame_line *l, uint64_t ns);

/* When the current frame began; UINT64_MAX: there is none. */
uint64_t grt_frame_line_begun(const struct grt_frame_line *l);

/*
 * A job of the process, with its roots and, if it is in flight, what it waited for since; see
 * grt_roots_parts().  @gone_ns: when it was over for certain, if it has no COMPLETE and is not in
 * flight.  0 or -errno.
 */
int grt_frame_line_job(struct grt_frame_line *l, const struct grt_job *job,
		       const struct grt_root_span *spans, uint32_t count, uint64_t gone_ns);

/*
 * Sets *c to the first frame, closed, if it is complete; to NULL if it waits for jobs or for its
 * end.  @is_over: no more jobs come.  grt_frame_line_drop() removes it.  0 or -errno.
 */
int grt_frame_line_front(struct grt_frame_line *l, bool is_over, struct grt_frame_cell **c);

/* Whether the oldest frame leaves, whatever it waits for. */
bool grt_frame_line_is_full(const struct grt_frame_line *l);

/* Fills in what the first frame is, from its cell.  @has_after: see grt_frame_cell_read(). */
void grt_frame_line_read(const struct grt_frame_line *l, const struct grt_frame_cell *c, bool has_after,
			 struct grt_frame *frame);
void grt_frame_line_drop(struct grt_frame_line *l);

void grt_frame_line_free(struct grt_frame_line *l);

#endif /* GRT_FRAME_LINE_H */
