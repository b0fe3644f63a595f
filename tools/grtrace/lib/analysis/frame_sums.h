/* SPDX-License-Identifier: LGPL-2.1 */
/* Sums of the frames of a process. */
#ifndef GRT_FRAME_SUMS_H
#define GRT_FRAME_SUMS_H

#include "frame.h"
#include "hist.h"
#include "model.h"
#include "number.h"
#include "vec.h"

#define GRT_FRAMES_MAX_REASONS	256	/* of one process; others are not named */

/* Late frames of a process with the same reason. */
struct grt_frame_reason {
	struct grt_frame_cause cause;	/* of the first one; its ns: of all */
	uint64_t frames;
};

/* The frames of a process. */
struct grt_frame_sums {
	uint32_t tgid, process;		/* @process: a row of the names, or GRT_NONE */
	uint8_t source;
	uint8_t mark;			/* see grt_frame_source_of() */
	uint64_t numbered;		/* frames so far, also those that are not wanted */
	uint64_t frames, verdicts[GRT_NR_FRAME_VERDICTS];
	uint64_t late_upper_bound;	/* of the late ones, those that rest on an upper bound */
	/* Of judged frames, where known. */
	struct grt_hist time, busy, wait, display;
	struct grt_vec reasons;		/* struct grt_frame_reason; the most frequent first */
};

/* Adds a frame of the process.  0 or -errno. */
int grt_frame_sums_add(struct grt_frame_sums *s, const struct grt_model *m,
		       const struct grt_frame *frame);

/* After the last frame: sorts the reasons. */
void grt_frame_sums_close(struct grt_frame_sums *s);
void grt_frame_sums_free(struct grt_frame_sums *s);

#endif /* GRT_FRAME_SUMS_H */
