/* SPDX-License-Identifier: LGPL-2.1 */
/* What a report says of a whole trace, as data. */
#ifndef GRT_SUMMARY_H
#define GRT_SUMMARY_H

#include "model.h"
#include "query.h"
#include "rollup.h"

#define GRT_SUMMARY_MAX_WORST	1000

struct grt_summary {
	struct grt_query query;
	const struct grt_model *model;	/* not owned */
	struct grt_rollup by_process;	/* ring and process */
	struct grt_rollup by_ring;	/* these three from _close() on */
	struct grt_rollup_row all;
	uint64_t processes;		/* with jobs here; names of one pid count once */
	uint64_t other_jobs;		/* left out by the query */
	uint64_t synthetic_jobs;	/* written by hand: shown or left out */
	struct grt_job *worst;		/* owned: longest total first */
	uint32_t nr_worst, max_worst;
};

/* Zeroed memory, then this.  0 or -errno; grt_summary_free() in any case. */
int grt_summary_init(struct grt_summary *s, const struct grt_model *model,
		     const struct grt_query *query, uint32_t max_worst);

/* Takes a job; false in *is_wanted when the query leaves it out.  0 or -errno. */
int grt_summary_add(struct grt_summary *s, const struct grt_job *job, bool *is_wanted);

/* All jobs are in: makes by_ring and all.  0 or -errno. */
int grt_summary_close(struct grt_summary *s);
void grt_summary_free(struct grt_summary *s);

#endif /* GRT_SUMMARY_H */
