/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Jobs that ran much longer than others of their client.  What is compared is the time in which a job ran, or was on a
 * ring that is not FIFO.  A time that is an upper bound, or in which the machine slept, does not count.
 */
#ifndef GRT_LONG_JOBS_H
#define GRT_LONG_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "model.h"
#include "vec.h"

/*
 * A job stands out if it ran GRT_LONG_TIMES the median, and GRT_LONG_MIN_NS.  Many clients have few large jobs among
 * many small ones, which is no fault: so GRT_LONG_USUAL per mille of the jobs must be GRT_LONG_APART times shorter.
 */
#define GRT_LONG_TIMES		100
#define GRT_LONG_APART		10
#define GRT_LONG_USUAL		980
#define GRT_LONG_MIN_JOBS	50
#define GRT_LONG_FIRST		4	/* the first jobs of a client do not count: many clients have no more */
#define GRT_LONG_MIN_NS		10000000

struct grt_long_jobs {
	struct grt_vec rows;	/* of struct long_row *, by client; NULL: it has no job that counts */
	struct grt_vec first;	/* of uint8_t, by client: how many of its first jobs came */
};

struct grt_long_job {
	uint64_t ctx, seqno;
	uint64_t ns;
	uint64_t median_ns, jobs;	/* of its client, with itself */
	uint32_t client;
	bool may_lack_interrupt;	/* inferred: the driver may have noticed its end without the interrupt */
};

/* 0 or -ENOMEM. */
int grt_long_jobs_add(struct grt_long_jobs *l, const struct grt_model *m, const struct grt_job *job);

/* The longest of the jobs that stand out; false: none does. */
bool grt_long_jobs_worst(const struct grt_long_jobs *l, const struct grt_model *m, struct grt_long_job *worst);
void grt_long_jobs_free(struct grt_long_jobs *l);

#endif /* GRT_LONG_JOBS_H */
