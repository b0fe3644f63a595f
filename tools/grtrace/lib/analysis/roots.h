/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Root causes.  Blame names the job or fence that a job waited for.  But that job may only have
 * waited itself, for a third one.  Roots follow each instant of a wait down this chain to what
 * really happened then.  Like blame, they sum to the wait.
 *
 * Jobs are over in the order in which they wait for each other: when a job leaves the model, the
 * roots of the jobs that it waited for are known already, and parts of them become its own.  So
 * chains may have any length, and none has a cycle.  Jobs that wait side by side have nearly the same roots:
 * these are in logs that they share, see root_log.h.  Memory is bounded: the roots of jobs that
 * were over long ago are forgotten, and count as unknown.
 */
#ifndef GRT_ROOTS_H
#define GRT_ROOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "deque.h"
#include "job.h"
#include "keymap.h"
#include "keyrows.h"
#include "vec.h"

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
#define GRT_ROOTS_SPANS	(1u << 18)	/* and their spans in all, without ... */
#define GRT_ROOTS_LOGGED (1u << 22)	/* those in the logs that they share */
#define GRT_ROOTS_HANGS	64		/* jobs that hung, the latest ones */

/* All time of a wait with one root and client; of a hang, that for one job. */
struct grt_root_total {
	uint64_t ns;
	uint64_t ctx, seqno;	/* of a hang; else 0:0 */
	uint32_t client;
	uint8_t kind;		/* enum grt_root */
};

/* Sorted, without gaps; valid until the next call. */
struct grt_root_list {
	const struct grt_root_span *spans;
	uint32_t wait;		/* how many cover the wait: from SUBMIT to START, or to COMMIT if START is not known */
	uint32_t waits;		/* with those of a job in flight: up to the end of the trace, or until it runs */
	uint32_t all;		/* with those of its life on the ring */
};

struct grt_root_logs;

/* Zeroed memory is empty. */
struct grt_roots {
	struct grt_deque spans;		/* of struct grt_root_span, of one job after the other */
	uint64_t first_span;		/* number of the first one; numbers count on */
	uint64_t own, wait, life;	/* numbers of the latest job: its first span, those behind its wait, ... */
	struct grt_root_job *jobs;	/* owned: a ring buffer of GRT_ROOTS_JOBS */
	struct grt_keymap rows[2];	/* where in @jobs a job is; [1]: synthetic ones */
	uint64_t first_job, next_job;	/* they count on */
	struct grt_root_hang *hangs;	/* owned: a ring buffer of GRT_ROOTS_HANGS */
	uint64_t nr_hangs;
	struct grt_root_logs *logs;	/* owned */
	struct grt_keyrows rooms;	/* struct grt_root_room, by the address of the model's log of a ring's ready jobs */
	struct grt_vec open;		/* of struct grt_root_open, of the latest job */
	bool is_synthetic;		/* the latest job is, so it waited for synthetic ones */
	bool is_repeated;		/* the key of the latest job came before */
	struct grt_vec held;		/* of struct grt_held_roots, of jobs that come once more */
	uint32_t given;			/* the row of @held + 1 that the latest job had; 0: none */
	struct grt_vec list, totals;	/* of the latest job, once they were asked for */
	bool has_totals;
	uint64_t forgotten;		/* jobs of which a root is unknown because of a limit */
};

/*
 * Follows the wait of a job.  Jobs come in the order in which a model that keeps pieces hands them out; also
 * those that it hands out early.  The functions below are about this job until the next one is added.
 * 0 or -errno.
 */
int grt_roots_add(struct grt_roots *r, const struct grt_job *job);

/* The roots of its wait, added up; valid until the next call.  They sum to the wait.  0 or -errno. */
int grt_roots_totals(struct grt_roots *r, const struct grt_root_total **totals, uint32_t *count);

/* The same for what a job in flight waited for behind that, up to the end of the trace. */
int grt_roots_flight_totals(struct grt_roots *r, const struct grt_root_total **totals, uint32_t *count);

/* The same, one after the other: there may be as many as there are jobs in the trace.  0 or -errno. */
int grt_roots_list(struct grt_roots *r, struct grt_root_list *list);

/*
 * Gives @fn the same spans one by one, without a list: those that grt_root_list.waits counts, or with @is_life
 * those behind them.  Two spans in a row may have the same root.  Returns what @fn returned, if it was not 0, or
 * -errno.
 */
typedef int grt_root_fn(void *arg, const struct grt_root_span *span);
int grt_roots_walk(struct grt_roots *r, bool is_life, grt_root_fn *fn, void *arg);

/*
 * The spans of its waits as they are kept: few, since some are parts of logs.  They may be copied.  The second function
 * calls @fn for what is between two times of such spans.  It finds the logs as long as a job is in flight that was
 * there at @from_ns and each job is added here; after that, the time is unknown.  @r may be NULL if no span is a part.
 */
void grt_roots_parts(const struct grt_roots *r, const struct grt_root_span **spans, uint32_t *count);
int grt_roots_walk_parts(struct grt_roots *r, const struct grt_root_span *spans, uint32_t count, uint64_t from_ns,
			 uint64_t to_ns, grt_root_fn *fn, void *arg);

/* Warns of jobs of which a root is unknown because a limit was met. */
void grt_roots_warn(const struct grt_roots *r);

/* Whether the spans of this job are remembered, so that the next wait for it can be followed. */
bool grt_roots_know(const struct grt_roots *r, uint64_t ctx, uint64_t seqno);

void grt_roots_free(struct grt_roots *r);

#endif /* GRT_ROOTS_H */
