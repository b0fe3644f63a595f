/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The life of one job in the columns of a picture, and of the jobs that it waited for.  It takes
 * the jobs of a model that keeps pieces, in two passes: the first one finds out who these are.
 */
#ifndef GRT_JOB_LANES_H
#define GRT_JOB_LANES_H

#include "lanes.h"

#define GRT_JOB_LANES_MAX	8	/* the job, and those that it waited for longest */

struct grt_job_lane {
	struct grt_job job;	/* without charges */
	uint64_t ctx, seqno;	/* whose lane; of a fence that is no job, nothing else is known */
	uint64_t wait_ns;	/* how long the first job waited for it */
	bool is_seen;
	uint64_t (*ns)[GRT_STAGE_TOTAL];	/* owned; of a column, by stage */
};

/* Zeroed memory but for the key is empty. */
struct grt_job_lanes {
	uint64_t ctx, seqno;
	const struct grt_lanes *lanes;	/* not owned: the columns */
	struct grt_job_lane rows[GRT_JOB_LANES_MAX];	/* the first one is the job itself */
	unsigned int count;
	bool has_learnt, is_complete;
};

/* A pass begins; the columns of @lanes are known. */
void grt_job_lanes_begin(struct grt_job_lanes *j, const struct grt_lanes *lanes);

/* 0 or -errno. */
int grt_job_lanes_add(struct grt_job_lanes *j, const struct grt_job *job);

/* After a pass.  Whether another one would find the jobs that this job waited for. */
bool grt_job_lanes_wants_more(struct grt_job_lanes *j);

/* The stage that takes most of a column; -1: the job is not there, or it is not known. */
int grt_job_lane_stage(const struct grt_job_lane *row, uint32_t column);

void grt_job_lanes_free(struct grt_job_lanes *j);

#endif /* GRT_JOB_LANES_H */
