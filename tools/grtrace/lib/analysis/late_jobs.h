/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Keeps jobs for a moment, until it is known who owns their processes.  While a session runs, a job may be over
 * before the recorder has looked up the cgroup of its process.
 */
#ifndef GRT_LATE_JOBS_H
#define GRT_LATE_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "job.h"
#include "vec.h"

struct grt_model;

#define GRT_LATE_MAX	4096		/* jobs that are kept */
#define GRT_LATE_NS	2000000000ull	/* and how long */

/* Zeroed memory is empty. */
struct grt_late_jobs {
	struct grt_vec jobs;		/* of struct grt_job, oldest first */
	struct grt_vec charges;		/* of struct grt_charge, theirs, in the same order */
	struct grt_vec given_up;	/* of bool, by process: its owner did not become known in time */
};

/*
 * Keeps @job if the owner of its process, or of one that it waited for, may become known soon.  1 if so, 0, or
 * -errno.
 */
int grt_late_jobs_take(struct grt_late_jobs *l, const struct grt_model *model, const struct grt_job *job);

/*
 * Gives @fn the jobs whose owners are known by now, or that were kept long enough at @now_ns.  0 or
 * -errno, also of @fn.
 */
int grt_late_jobs_give(struct grt_late_jobs *l, const struct grt_model *model, uint64_t now_ns,
		       int (*fn)(void *arg, const struct grt_job *job), void *arg);

void grt_late_jobs_free(struct grt_late_jobs *l);

#endif /* GRT_LATE_JOBS_H */
