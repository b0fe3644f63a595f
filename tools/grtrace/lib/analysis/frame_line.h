/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The frames of one process, in the order of time, while they are made.  A frame leaves once all
 * jobs submitted before its end are over, so only frames with jobs in flight are kept.
 */
#ifndef GRT_FRAME_LINE_H
#define GRT_FRAME_LINE_H

#include "frame_cell.h"
#include "vec.h"

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

	struct grt_vec cells;		/* struct grt_frame_cell */
	size_t first;			/* in @cells: those before it have left */
	uint64_t last_submit_ns;
	uint32_t last_submits;		/* at exactly that time */
	bool has_submit;
	uint32_t early;			/* jobs in flight that were submitted before the first frame */
};

/* A frame ends here, and the next one begins.  0 or -errno. */
int grt_frame_line_cut(struct grt_frame_line *l, uint64_t ns);

/* Whether a SUBMIT of the process at @ns begins a frame: cut the line before it is added. */
bool grt_frame_line_begins(const struct grt_frame_line *l, uint64_t ns);
void grt_frame_line_submit(struct grt_frame_line *l, uint64_t ns);

/* Something is missing at @ns or later: what happened in the frames from then on is not known. */
void grt_frame_line_blind(struct grt_frame_line *l, uint64_t ns);

/* When the current frame began; UINT64_MAX: there is none. */
uint64_t grt_frame_line_begun(const struct grt_frame_line *l);

/* A job of the process.  0 or -errno. */
int grt_frame_line_job(struct grt_frame_line *l, const struct grt_job *job,
		       const struct grt_root_span *spans, uint32_t count);

/*
 * Sets *c to the first frame, closed, if it is complete; to NULL if it waits for jobs or for its
 * end.  @is_over: no more jobs come.  grt_frame_line_drop() removes it.  0 or -errno.
 */
int grt_frame_line_front(struct grt_frame_line *l, bool is_over, struct grt_frame_cell **c);
void grt_frame_line_drop(struct grt_frame_line *l);

void grt_frame_line_free(struct grt_frame_line *l);

#endif /* GRT_FRAME_LINE_H */
