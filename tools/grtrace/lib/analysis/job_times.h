/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A table of times of jobs in flight.  Memory is bounded: when GRT_JOB_TIMES jobs are in it, it
 * forgets all of them, and the values that need them are not known.
 */
#ifndef GRT_JOB_TIMES_H
#define GRT_JOB_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "keymap.h"
#include "vec.h"

#define GRT_JOB_TIMES	(1u << 17)

struct grt_job_time {
	uint64_t commit_ns, start_ns, exec_ns;
	bool has_commit, has_start;
	bool has_exec;		/* exec_ns counts from an inferred START */
	uint32_t next;		/* of unused rows */
};

/* Zeroed memory is an empty table. */
struct grt_job_times {
	struct grt_keymap rows;
	struct grt_vec times;		/* struct grt_job_time */
	uint32_t unused;		/* first unused row + 1, 0: none */
};

/* NULL: not there. */
struct grt_job_time *grt_job_times_find(const struct grt_job_times *t, uint64_t ctx,
					uint64_t seqno);

/* Finds the job, or adds it.  NULL without memory, with a cause. */
struct grt_job_time *grt_job_times_put(struct grt_job_times *t, uint64_t ctx, uint64_t seqno);

void grt_job_times_drop(struct grt_job_times *t, uint64_t ctx, uint64_t seqno);
void grt_job_times_free(struct grt_job_times *t);

#endif /* GRT_JOB_TIMES_H */
