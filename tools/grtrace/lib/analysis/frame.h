/* SPDX-License-Identifier: LGPL-2.1 */
/* A frame of a process: what became of its time, and the job that decided when it was over. */
#ifndef GRT_FRAME_H
#define GRT_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "keymap.h"
#include "roots.h"

/* Where frames begin and end: X(NAME, name, text). */
#define GRT_FRAME_SOURCES(X)						\
	X(MARK,	  mark,	  "its marks")					\
	X(FLIP,	  flip,	  "page flips")					\
	X(VBLANK, vblank, "vertical blanks")				\
	X(JOBS,	  jobs,	  "pauses between its SUBMITs")

enum grt_frame_source {
#define GRT_X(NAME, name, text) GRT_FRAME_BY_##NAME,
	GRT_FRAME_SOURCES(GRT_X)
#undef GRT_X
	GRT_NR_FRAME_SOURCES
};

/*
 * What a moment of a frame was spent on: what happened then to one job of the process that was
 * submitted and not complete.  Of several it is the last one that completes in the frame; if none
 * completes there, the one that completes first.  Of a frame with several refreshes, each refresh is
 * looked at alone.  The parts sum to the duration.  A root of a wait has the number GRT_FRAME_WAIT +
 * root.
 */
enum grt_frame_part {
	GRT_FRAME_BEFORE,	/* there was none; one was submitted later in the frame, or none at all */
	GRT_FRAME_WAIT,
	GRT_FRAME_RAN = GRT_FRAME_WAIT + GRT_NR_ROOTS,
	GRT_FRAME_HELD,		/* it was on its ring; when it began is not known */
	GRT_FRAME_DONE,		/* it was done; its waiters did not see it yet */
	GRT_FRAME_AFTER,	/* there was none, and none was submitted later in the frame */
	GRT_NR_FRAME_PARTS
};

/* It is not known what the job did. */
#define GRT_FRAME_UNKNOWN	(GRT_FRAME_WAIT + GRT_ROOT_UNKNOWN)

/* "before_ns", "wait_run_ns" and so on. */
const char *grt_frame_part_name(unsigned int part);
const char *grt_frame_source_name(enum grt_frame_source source);
const char *grt_frame_source_text(enum grt_frame_source source);

/* One reason for a part of a frame. */
struct grt_frame_cause {
	uint64_t ns;
	uint64_t ctx, seqno;	/* the first job or fence of it; 0:0: none */
	uint32_t client;		/* whose; GRT_NONE: nobody's, or not known */
	uint8_t part;		/* enum grt_frame_part */
	bool is_upper_bound;	/* a job that belongs to it was perhaps complete before */
};

/* Why nothing is said about a frame but when it was: X(NAME, name, text). */
#define GRT_FRAME_VERDICTS(X)							\
	X(ON_TIME, on_time, "it took no longer than a refresh")			\
	X(LATE,	   late,    "it took longer than a refresh, by more than a tenth") \
	X(OPEN,	   open,    "how long a refresh takes is not known")		\
	X(LOSSY,   lossy,   "events are missing in it")			\
	X(PAUSE,   pause,   "the process submitted nothing for long")

enum grt_frame_verdict {
#define GRT_X(NAME, name, text) GRT_FRAME_##NAME,
	GRT_FRAME_VERDICTS(GRT_X)
#undef GRT_X
	GRT_NR_FRAME_VERDICTS
};

const char *grt_frame_verdict_name(enum grt_frame_verdict verdict);

struct grt_frame {
	uint64_t number;	/* of its process, from 1 */
	uint64_t start_ns, end_ns;
	uint64_t refresh_ns;	/* 0: not known */
	uint32_t tgid, process;	/* @process: a row of the names, GRT_NONE: it had no job */
	uint8_t source;		/* enum grt_frame_source */
	uint8_t verdict;	/* enum grt_frame_verdict; of LOSSY ones the rest is not known */
	bool has_busy, has_display, has_job;
	bool is_upper_bound;	/* @cause, or the job that decided it, rests on an upper bound */
	uint64_t busy_ns;	/* a job of the process ran */
	uint64_t wait_ns;	/* between its first and its last run in the frame none did */
	uint64_t display_ns;	/* from its begin until a display showed it */
	uint64_t jobs;		/* jobs of the process that completed in the frame */
	uint64_t ctx, seqno;	/* the job that decided it, where has_job */
	struct grt_frame_cause cause;	/* the greatest part, or sum of parts */
	uint64_t part_ns[GRT_NR_FRAME_PARTS];
};

static inline bool grt_frame_is_judged(const struct grt_frame *f)
{
	return f->verdict <= GRT_FRAME_OPEN;
}

#endif /* GRT_FRAME_H */
