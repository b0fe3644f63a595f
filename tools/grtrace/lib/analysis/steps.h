/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What rings and jobs did in each second, or in steps of another length: rows of time and ring, and
 * of time, ring and process.  Steps are counted from the begin of the window.
 */
#ifndef GRT_STEPS_H
#define GRT_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "hist.h"
#include "idle.h"
#include "job.h"
#include "keymap.h"
#include "roots.h"
#include "vec.h"

struct grt_model;
struct grt_window;

#define GRT_MAX_STEPS	100000	/* and rows: memory is bounded, and nobody reads more */
#define GRT_ALL_PROCESSES	(GRT_NONE - 1)

struct grt_step {
	uint64_t nr;		/* from 0 on */
	uint32_t ring;		/* row of the names; GRT_NONE: not known */
	uint32_t process;	/* row of the names; GRT_NONE: not known, or GRT_ALL_PROCESSES */
	/*
	 * The ring's time, which sums to that of the step.  Of a process: the time that its jobs ran, and
	 * that the ring was idle for them.
	 */
	uint64_t busy_ns, idle_ns[GRT_NR_IDLES];
	uint64_t unexplained_ns;	/* see struct grt_ring_use */
	bool has_time;		/* false: the ring had no event */
	bool lacks_start;	/* when a job of the process began is not known, so neither is @busy_ns */
	/* Of the jobs that completed in it: */
	uint64_t jobs;
	uint64_t bounds;	/* jobs of which only upper bounds are known */
	uint64_t total_bounds;	/* so many are in @total */
	uint64_t wait_ns[GRT_NR_ROOTS];
	struct grt_hist total;
};

struct grt_steps {
	uint64_t step_ns;	/* 0: nobody wants steps */
	bool by_process;
	bool skips_bounds;	/* totals that are upper bounds count as not known */

	/* Filled in by the functions below. */
	const struct grt_model *model;
	uint64_t from_ns, to_ns, until_ns;	/* the last: UINT64_MAX if @to_ns is the last event */
	uint64_t count;			/* of steps; the last one may be shorter */
	struct grt_vec rows;	/* of struct grt_step; sorted by time, ring and process once closed */
	struct grt_keymap index;
	struct grt_keymap rings;	/* with a job that counts */
};

/*
 * A pass over the trace begins; @window is settled.  0, -EDOM with a cause if there would be too many
 * steps, or another -errno.
 */
int grt_steps_begin(struct grt_steps *s, struct grt_model *model, const struct grt_window *window);

/* Adds a job that a report wants, which @roots has just followed.  Returns as grt_steps_begin(). */
int grt_steps_add(struct grt_steps *s, const struct grt_job *job,
		  struct grt_roots *roots);

/* After the last job: sorts the rows, and forgets rings without a job. */
void grt_steps_close(struct grt_steps *s);
void grt_steps_free(struct grt_steps *s);

static inline size_t grt_steps_count(const struct grt_steps *s)
{
	return grt_vec_count(&s->rows, struct grt_step);
}

static inline const struct grt_step *grt_step_at(const struct grt_steps *s, size_t i)
{
	return grt_vec_at(&s->rows, struct grt_step, i);
}

/* When step @nr begins. */
static inline uint64_t grt_step_ns(const struct grt_steps *s, uint64_t nr)
{
	return s->from_ns + nr * s->step_ns;
}

/* The time of a ring's row: busy and idle; and that of which it is known whether it was busy. */
uint64_t grt_step_known_ns(const struct grt_step *row);
uint64_t grt_step_wall_ns(const struct grt_step *row);

#endif /* GRT_STEPS_H */
