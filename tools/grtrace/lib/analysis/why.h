/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Why one job took so long: its life, the fences it waited for, and what the jobs of these
 * fences did meanwhile.  It takes the jobs of a model that keeps pieces.  It keeps the jobs
 * that finished lately, so one pass is nearly always enough.  Another pass finds jobs that
 * finished earlier.
 */
#ifndef GRT_WHY_H
#define GRT_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job.h"
#include "roots.h"

#define GRT_WHY_DEPTH	8	/* fences behind fences */
#define GRT_WHY_HOPS	10	/* of the short chain */

struct grt_why;

enum grt_why_step {
	GRT_WHY_SUBMIT,		/* submitted */
	GRT_WHY_WAIT,		/* waits, @ns long */
	GRT_WHY_COMMIT,		/* handed to the ring */
	GRT_WHY_RUN,		/* runs, @ns long */
	GRT_WHY_RUN_OR_QUEUE,	/* is on the ring; its START is not known */
	GRT_WHY_END,		/* over; waiters see it @ns later */
	GRT_WHY_IN_FLIGHT,	/* not over when the trace ends */
	GRT_WHY_KILLED,		/* its process died */
	GRT_WHY_ABOVE,		/* the fence's job is described above */
	GRT_WHY_CYCLE,		/* the job waits for itself: the trace contradicts itself */
	GRT_WHY_TOO_DEEP,	/* the chain of fences is followed no further */
	GRT_WHY_MISSING,	/* the fence's job is not in this trace */
	GRT_NR_WHY_STEPS
};

const char *grt_why_step_name(enum grt_why_step step);

struct grt_why_line {
	const struct grt_job *job;	/* whose life; from _ABOVE to _MISSING, the job that waits */
	unsigned int depth;		/* 0: the job that was asked for */
	enum grt_why_step step;
	int64_t at_ns;			/* after the SUBMIT of the first job */
	uint64_t ns;
	uint64_t from_ns;		/* of _WAIT: the same moment by the clock of the trace */
	bool has_at, has_ns;
	struct grt_charge wait;		/* of _WAIT: the longest of its pieces */
	uint32_t wait_jobs;		/* of _WAIT: how many jobs were in the way, one after the other */
};

/* A root of the job's time. */
struct grt_why_root {
	uint8_t kind;		/* enum grt_root */
	bool is_own;		/* not a wait: the job itself ran, was on its ring, or was done */
	uint32_t client;
	uint64_t ctx, seqno;	/* the first job or fence of it */
	uint64_t ns;
};

/* A step of the short chain: what a job did longest while the one before it waited. */
struct grt_why_hop {
	const struct grt_job *job;
	bool is_run;		/* it ran, or was on its ring; else it waited */
	uint64_t ran_ns;
	bool is_to_end;		/* @ran_ns is up to its END */
	struct grt_charge wait;	/* its ns is the sum of all pieces */
};

/* NULL without memory. */
struct grt_why *grt_why_create(uint64_t ctx, uint64_t seqno);
void grt_why_destroy(struct grt_why *w);	/* NULL is fine */

/* Adds a job of a pass.  0 or -errno. */
int grt_why_add(struct grt_why *w, const struct grt_job *job);

/* Adds a job that is handed out a first time, for its roots only; see grt_model_keep_pieces().  0 or -errno. */
int grt_why_early(struct grt_why *w, const struct grt_job *job);

/* See grt_roots_warn(). */
void grt_why_warn(const struct grt_why *w);

/* Call it after each pass: whether another pass would find more. */
bool grt_why_wants_more(struct grt_why *w);

/*
 * Call it after the last pass.  0; -ENOENT with a hint that names the nearest jobs; or
 * another -errno.
 */
int grt_why_finish(struct grt_why *w);

/* If the job was not found: the nearest job of its context; false if there is none. */
bool grt_why_nearest(const struct grt_why *w, uint64_t *ctx, uint64_t *seqno);

/* The job itself, owned by @w; after grt_why_finish(). */
const struct grt_job *grt_why_job(const struct grt_why *w);
size_t grt_why_count(const struct grt_why *w);
const struct grt_why_line *grt_why_line(const struct grt_why *w, size_t i);

/* The short answer.  The roots of the whole time of the job, the greatest first: they sum to it. */
size_t grt_why_root_count(const struct grt_why *w);
const struct grt_why_root *grt_why_root(const struct grt_why *w, size_t i);

/* And the chain down to the greatest wait, GRT_WHY_HOPS steps at most. */
size_t grt_why_hop_count(const struct grt_why *w);
const struct grt_why_hop *grt_why_hop(const struct grt_why *w, size_t i);
bool grt_why_has_more_hops(const struct grt_why *w);

#endif /* GRT_WHY_H */
