/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What rings and processes did in the last minute, second by second.  It is fed while a trace is read,
 * also while that is recorded.
 *
 * Seconds are counted from the first event.  The time of a ring counts in the seconds in which it passed,
 * as does the time that jobs ran and waited for a ring; all else of a job counts in the second in which it
 * was over.  As in other reports, jobs that are cut by the ends of the trace are counted, but their times
 * are not.
 *
 * Memory does not grow with time: what was longer ago is forgotten, and so are processes that do
 * nothing any more, and rings, if there are many: a driver may give each new queue a ring of its own.
 */
#ifndef GRT_RECENT_H
#define GRT_RECENT_H

#include <stdbool.h>
#include <stdint.h>

#include "frame_source.h"
#include "idle.h"
#include "job.h"
#include "keymap.h"
#include "recent_times.h"
#include "vec.h"

struct grt_model;

#define GRT_RECENT_MAX_RINGS	256
#define GRT_RECENT_MAX_USERS	4096
#define GRT_RECENT_MAX_FRAMES	256

/* What of the last minute has no room in tables of these sizes. */
enum grt_recent_lack {
	GRT_RECENT_LACKS_RINGS, GRT_RECENT_LACKS_USERS, GRT_RECENT_LACKS_FRAMES, GRT_NR_RECENT_LACKS,
};

/* A ring in a second, or in several. */
struct grt_recent_ring_sums {
	struct grt_ring_use use;	/* @jobs and @unknown_jobs are 0 */
	uint64_t jobs, failed;
	uint64_t unjudged;		/* jobs whose status is not known; if any, @failed is not known */
	uint64_t bounds;		/* jobs of which only upper bounds are known */
	uint64_t waiting_ns;		/* of all jobs that waited at a time: the mean is the queue's depth */
};

/* A process on a ring in a second, or in several. */
struct grt_recent_sums {
	uint64_t jobs, failed, unjudged, bounds;
	uint64_t exec_ns;
	uint64_t unknown_exec;		/* jobs that ran, but since when is not known, or only until when at most */
	uint64_t wait_ns;		/* SUBMIT to START, or to COMMIT, of all jobs */
	uint64_t taken_ns;		/* of it, for jobs of other processes */
	uint64_t given_ns;		/* other processes waited so long for its jobs */
};

struct grt_recent_ring_second {
	uint64_t nr;
	struct grt_recent_ring_sums sums;
	/* See grt_recent_look(). */
	uint64_t ahead_nr;
	struct grt_ring_use ahead;
};

struct grt_recent_ring {
	uint32_t ring;			/* row of the names */
	bool has_job;
	uint64_t last_nr;		/* the last second in which it had a job */
	struct grt_recent_times wait;	/* SUBMIT to START */
	struct grt_recent_times exec;
	struct grt_recent_ring_second seconds[GRT_RECENT_SECONDS];	/* by number % 60 */
};

struct grt_recent_second {
	uint64_t nr;
	struct grt_recent_sums sums;
};

struct grt_recent_user {
	uint32_t ring, process;		/* rows of the names, GRT_NONE: not known */
	uint64_t last_nr;		/* the last second in which it did something */
	struct grt_recent_second seconds[GRT_RECENT_SECONDS];
};

/* A process that says where its frames begin. */
struct grt_recent_frames {
	uint32_t tgid;
	uint64_t last_nr;		/* the last second in which it had one */
	struct {
		uint64_t nr, frames;
	} seconds[GRT_RECENT_SECONDS];
};

struct grt_recent {
	/* The caller's. */
	bool with_synthetic;		/* jobs written by hand count */
	unsigned int seconds;		/* the sums are of the last seconds, so many */

	/* Private. */
	struct grt_model *model;	/* not owned */
	uint64_t first_ns, now_ns;
	uint64_t now_nr, now_begin_ns;	/* the second that @now_ns is in; 0: none yet */
	uint64_t oldest_ns;		/* begin of the oldest second that is kept */
	bool has_begun;
	bool lacks[GRT_NR_RECENT_LACKS];	/* since the begin */
	struct grt_vec rings;		/* of struct grt_recent_ring *, owned */
	struct grt_keymap ring_rows;
	struct grt_vec users;		/* of struct grt_recent_user *, owned */
	struct grt_keymap user_rows;	/* by ring and process */
	struct grt_vec frames;		/* of struct grt_recent_frames */
	struct grt_frame_sources marks;
};

/* A pass over the trace begins with @model.  Zeroed memory is empty.  0 or -errno with a cause. */
int grt_recent_begin(struct grt_recent *r, struct grt_model *model);
/* These are for struct grt_replay_ops; events must be watched.  0 or -errno with a cause. */
int grt_recent_record(struct grt_recent *r, const struct grtrace_hdr *rec);
int grt_recent_job(struct grt_recent *r, const struct grt_job *job);
void grt_recent_free(struct grt_recent *r);

/* While a session runs: nothing earlier than @now_ns will come. */
void grt_recent_pass(struct grt_recent *r, uint64_t now_ns);

/* The same, now and then: gets over losses; see grt_model_forget_losses(). */
void grt_recent_calm(struct grt_recent *r);

/*
 * Before the functions below: adds what rings seem to do now, which more events may change, and forgets times
 * that were longer ago than r->seconds.
 */
void grt_recent_look(struct grt_recent *r);

/* The last seconds, of which the last one is not over: when they began. */
uint64_t grt_recent_from_ns(const struct grt_recent *r);

static inline size_t grt_recent_rings(const struct grt_recent *r)
{
	return grt_vec_count(&r->rings, struct grt_recent_ring *);
}

static inline const struct grt_recent_ring *grt_recent_ring_at(const struct grt_recent *r, size_t i)
{
	return *grt_vec_at(&r->rings, struct grt_recent_ring *, i);
}

static inline size_t grt_recent_users(const struct grt_recent *r)
{
	return grt_vec_count(&r->users, struct grt_recent_user *);
}

static inline const struct grt_recent_user *grt_recent_user_at(const struct grt_recent *r, size_t i)
{
	return *grt_vec_at(&r->users, struct grt_recent_user *, i);
}

/* Adds up the last seconds. */
void grt_recent_ring_sums(const struct grt_recent *r, const struct grt_recent_ring *ring,
			  struct grt_recent_ring_sums *to);
/* The use of one second, @ago seconds before the last one.  False: nothing of it is kept. */
bool grt_recent_ring_use(const struct grt_recent *r, const struct grt_recent_ring *ring,
			 unsigned int ago, struct grt_ring_use *use);
/* Adds to @to. */
void grt_recent_user_sums(const struct grt_recent *r, const struct grt_recent_user *user,
			  struct grt_recent_sums *to);
void grt_recent_sums_add(struct grt_recent_sums *to, const struct grt_recent_sums *from);
/* Frames of a process; false: it does not say where they begin. */
bool grt_recent_frame_count(const struct grt_recent *r, uint32_t tgid, uint64_t *frames);

/* The number of the first of the last @seconds seconds. */
static inline uint64_t grt_recent_oldest_nr(const struct grt_recent *r, unsigned int seconds)
{
	return r->now_nr > seconds ? r->now_nr - seconds + 1 : 1;
}

#endif /* GRT_RECENT_H */
