/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Root causes.  Blame names the job or fence that a job waited for.  But that job may only have
 * waited itself, for a third one.  Roots follow each instant of a wait down this chain to what
 * really happened then.  Like blame, they sum to the wait.
 *
 * Jobs are over in the order in which they wait for each other: when a job leaves the model, the
 * roots of the jobs that it waited for are known already, and parts of them become its own.  So
 * chains may have any length, and none has a cycle.  Memory is bounded: the roots of jobs that
 * were over long ago are forgotten, and count as unknown.
 */
#ifndef GRT_ROOTS_H
#define GRT_ROOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "deque.h"
#include "job.h"
#include "keymap.h"

/* What happened while a job waited: X(NAME, name, text). */
#define GRT_ROOTS(X)									\
	X(HANG,		 hang,		"a job hung, or the ring was being reset for it") \
	X(RUN,		 run,		"a job ran")					\
	X(FULL,		 full,		"the ring was full, and a job ran there")	\
	X(ON_RING,	 on_ring,	"a job was on its ring; whether it ran is not known") \
	X(SIGNAL,	 signal,	"a job was done, and its fence not signalled yet") \
	X(NOT_SUBMITTED, not_submitted,	"a job was not submitted yet")		\
	X(FOREIGN,	 foreign,	"a fence that belongs to no job was not signalled") \
	X(SCHEDULER,	 scheduler,							\
	  "the job was ready, but the scheduler did not hand it over")		\
	X(UNKNOWN,	 unknown,	"events are missing, or nobody was seen there")

enum grt_root {
#define GRT_X(NAME, name, text) GRT_ROOT_##NAME,
	GRT_ROOTS(GRT_X)
#undef GRT_X
	GRT_NR_ROOTS
};

const char *grt_root_name(enum grt_root root);

/* A stretch of time with one root. */
struct grt_root_span {
	uint64_t from_ns, to_ns;
	uint64_t ctx, seqno;	/* the first job or fence of it; 0:0: none */
	uint32_t client;	/* whose job it is; GRT_NONE: nobody's, or not known */
	uint8_t kind;		/* enum grt_root */
};

#define GRT_ROOTS_JOBS	(1u << 16)	/* jobs whose roots are remembered, ... */
#define GRT_ROOTS_SPANS	(1u << 18)	/* and their spans in all */
#define GRT_ROOTS_HANGS	64		/* jobs that hung, the latest ones */

/* Zeroed memory is empty. */
struct grt_roots {
	struct grt_deque spans;		/* of struct grt_root_span, of one job after the other */
	uint64_t first_span;		/* number of the first one; numbers count on */
	uint64_t own, life;		/* number of the first span of the latest job, and of its life */
	struct grt_root_job *jobs;	/* owned: a ring buffer of GRT_ROOTS_JOBS */
	struct grt_keymap rows;		/* where in @jobs a job is */
	uint64_t first_job, next_job;	/* they count on */
	struct grt_root_hang *hangs;	/* owned: a ring buffer of GRT_ROOTS_HANGS */
	uint64_t nr_hangs;
	bool is_repeated;		/* the key of the latest job came before */
};

/*
 * Follows the wait of a job.  Jobs come in the order in which a model that keeps pieces hands them
 * out.  The spans are sorted, without gaps, and cover the wait: from SUBMIT to START, or to
 * COMMIT if START is not known; none if that is not known.  They are valid until the next call.
 * 0 or -errno.
 */
int grt_roots_add(struct grt_roots *r, const struct grt_job *job,
		  const struct grt_root_span **spans, uint32_t *count);

/* The same, with those behind them of a job in flight: what it waited for up to the end of the trace. */
static inline uint32_t grt_roots_waits(const struct grt_roots *r)
{
	return r->life - r->own;
}

/* How many spans there are in all: behind those of waits, those of the job's life on its ring. */
static inline uint32_t grt_roots_count(const struct grt_roots *r)
{
	return grt_deque_count(&r->spans, struct grt_root_span) - (r->own - r->first_span);
}

/* Whether the spans of this job are remembered, so that the next wait for it can be followed. */
bool grt_roots_know(const struct grt_roots *r, uint64_t ctx, uint64_t seqno);

void grt_roots_free(struct grt_roots *r);

#endif /* GRT_ROOTS_H */
