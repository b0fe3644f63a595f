/* SPDX-License-Identifier: LGPL-2.1 */
/* What a report says of a whole trace, as data.  Only what is asked for is worked out. */
#ifndef GRT_SUMMARY_H
#define GRT_SUMMARY_H

#include "blame.h"
#include "model.h"
#include "query.h"
#include "rollup.h"

#define GRT_SUMMARY_MAX_WORST	1000
#define GRT_SUMMARY_TYPES	(GRTRACE_NR_EVENTS + 16)	/* events, then definitions */
#define GRT_MAX_OUTCOMES	64	/* more than there are is nonsense from a broken trace */

struct grt_summary_wants {
	struct grt_query query;
	const struct grt_rules *rules;	/* not owned, NULL: no labels */
	uint32_t groups;	/* bit per enum grt_group; rings, and rings by process, always */
	uint32_t max_worst;
	bool has_quantiles;	/* of every stage, not of total alone */
	bool has_blame;
	bool has_labels;	/* count them; sinks find those of single jobs by themselves */
	bool has_sizes;		/* count records and their bytes */
};

/* One of the longest jobs; @job's charges are gone. */
struct grt_worst {
	struct grt_job job;
	struct grt_charge charge;	/* the greatest of its charges; ns 0: none */
};

/* Jobs that ended alike. */
struct grt_outcome {
	int32_t status;
	bool has_status, is_killed, is_cut;
	uint64_t jobs;
};

struct grt_record_count {
	uint64_t records, bytes;
};

struct grt_summary {
	struct grt_summary_wants wants;
	const struct grt_model *model;	/* not owned */
	struct grt_rollup groups[GRT_NR_GROUPS];	/* from _close() on */
	struct grt_rollup_row all;
	struct grt_blame blame;
	uint64_t processes;		/* with jobs here; names of one pid count once */
	uint64_t other_jobs;		/* left out by the query */
	uint64_t synthetic_jobs;	/* written by hand: shown or left out */
	uint64_t inferred_keys, inferred_ends, inferred_completes;	/* jobs, by their flags */
	struct grt_worst *worst;	/* owned: longest total first */
	uint32_t nr_worst;
	struct grt_vec outcomes;	/* of struct grt_outcome, GRT_MAX_OUTCOMES at most */
	uint64_t more_outcomes;		/* jobs of yet other ones */
	struct grt_record_count records[GRT_SUMMARY_TYPES];	/* of grt_summary_record() */
};

/* Zeroed memory, then this.  0 or -errno; grt_summary_free() in any case. */
int grt_summary_init(struct grt_summary *s, const struct grt_model *model,
		     const struct grt_summary_wants *wants);

/* Takes a job; false in *is_wanted when the query leaves it out.  0 or -errno. */
int grt_summary_add(struct grt_summary *s, const struct grt_job *job, bool *is_wanted);

/* A job as the summary's columns show it. */
void grt_summary_view(const struct grt_summary *s, const struct grt_job *job,
		      struct grt_view *view);

/* Counts a record of the trace by its type. */
void grt_summary_record(struct grt_summary *s, const struct grtrace_hdr *rec);

/* All jobs are in: makes the other groups and all.  0 or -errno. */
int grt_summary_close(struct grt_summary *s);
void grt_summary_free(struct grt_summary *s);

#endif /* GRT_SUMMARY_H */
