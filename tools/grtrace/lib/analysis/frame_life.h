/* SPDX-License-Identifier: LGPL-2.1 */
/* A job of a process that makes frames, and what it waited for. */
#ifndef GRT_FRAME_LIFE_H
#define GRT_FRAME_LIFE_H

#include "frame.h"
#include "job.h"
#include "roots.h"

/* When a job was there. */
struct grt_frame_stay {
	uint64_t submit_ns;	/* if it has no SUBMIT: since when it may have been there */
	uint64_t complete_ns;	/* if it has no COMPLETE: how long it may have been there */
	uint64_t ctx, seqno;
};

/* Whether job @a completes first.  Context and number decide between jobs with the same times. */
bool grt_frame_is_earlier(const struct grt_frame_stay *a, const struct grt_frame_stay *b);

struct grt_frame_life {
	const struct grt_job *job;
	struct grt_roots *roots;		/* which @spans are of; not owned; NULL: none is a part of a log */
	const struct grt_root_span *spans;	/* see grt_roots_parts() */
	uint32_t count;
	struct grt_frame_stay stay;
	uint64_t begun_ns;	/* when its frame began; 0: not known */
};

/* Gives @fn what it waited for between these times.  0, or what @fn returned. */
int grt_frame_life_walk(const struct grt_frame_life *life, uint64_t from_ns, uint64_t to_ns, grt_root_fn *fn,
			void *arg);

/*
 * Copies, freed with free(); NULL without memory.  The first one refers to logs, so it is valid as long as a job is
 * in flight that came before it.  The second one is always valid, and has what the job waited for from @from_ns on.
 */
struct grt_frame_life *grt_frame_life_copy(const struct grt_frame_life *life);
struct grt_frame_life *grt_frame_life_keep(const struct grt_frame_life *life, uint64_t from_ns);

/* Since when a job was there, or may have been. */
static inline uint64_t grt_frame_there_ns(const struct grt_job *job)
{
	return grt_job_has(job, GRT_AT_SUBMIT) ? job->at_ns[GRT_AT_SUBMIT] :
	       job->flags & GRT_JOB_CUT ? 0 : grt_job_first_ns(job);
}

#endif /* GRT_FRAME_LIFE_H */
