/* SPDX-License-Identifier: LGPL-2.1 */
/* The data of a report on a whole trace.  A summary works out only what is asked for. */
#ifndef GRT_SUMMARY_H
#define GRT_SUMMARY_H

#include "hangs.h"
#include "last_events.h"
#include "long_jobs.h"
#include "matrix.h"
#include "model.h"
#include "query.h"
#include "rollup.h"
#include "roots.h"
#include "stack_sums.h"
#include "steps.h"
#include "time_blocks.h"

#define GRT_SUMMARY_MAX_WORST	1000
#define GRT_SUMMARY_TYPES	(GRTRACE_NR_EVENTS + 16)	/* events, then definitions */
#define GRT_MAX_OUTCOMES	64	/* only a broken trace has more */

struct grt_summary_wants {
	struct grt_query query;
	const struct grt_rules *rules;	/* not owned, NULL: no labels */
	uint32_t groups;	/* bit per enum grt_group; RING and RING_PROCESS are always made */
	uint32_t max_worst;
	bool has_quantiles;	/* of every stage, not only of the total */
	bool has_blame;
	bool has_roots;		/* follow waits to their roots; the model must keep pieces */
	bool has_labels;	/* count labels; sinks work out the labels of single jobs */
	bool has_sizes;		/* count records and their bytes */
	bool has_stacks;	/* sum up by call stack */
	uint64_t step_ns;	/* also in steps of time, with has_roots; 0: no */
	bool has_step_processes;	/* and for each process */
	bool has_blocks;	/* count times by block of time */
	bool skips_bounds;	/* in sums, times that are upper bounds count as not known: for outputs without marks */
	bool has_long_jobs;	/* find a job that ran much longer than others of its client */
	bool has_last_events;	/* of a snapshot */
};

/* One of the longest jobs; @job has no charges any more. */
struct grt_worst {
	struct grt_job job;
	struct grt_charge charge;	/* its longest wait for one client and reason; ns 0: none */
};

/* Jobs that ended alike. */
struct grt_outcome {
	int32_t status;
	bool has_status, is_killed, is_cut;
	uint64_t jobs, hung;	/* @hung: of these, jobs that hung */
	struct grt_job first;	/* of failed jobs: the first one that did not hang, without charges */
};

struct grt_record_count {
	uint64_t records, bytes;
};

struct grt_summary {
	struct grt_summary_wants wants;
	const struct grt_model *model;	/* not owned */
	struct grt_rollup groups[GRT_NR_GROUPS];	/* complete after grt_summary_close() */
	struct grt_rollup_row all;
	struct grt_matrix blame;
	struct grt_roots roots;		/* of has_roots */
	struct grt_matrix root_sums;	/* of has_roots: the kinds are those of enum grt_root */
	struct grt_hangs hangs;		/* of has_roots */
	struct grt_long_jobs long_jobs;	/* of has_long_jobs */
	struct grt_stack_sums stacks;
	struct grt_steps steps;		/* with wants.step_ns; the caller calls grt_steps_begin() */
	struct grt_time_blocks blocks;
	uint64_t processes;		/* with jobs here; a pid with several names counts once */
	uint64_t devices;		/* with jobs here */
	struct grt_namemap rings_of_device;	/* how many of its rings have jobs here */
	uint64_t other_jobs;		/* left out by the query */
	struct grt_vec other_rings, other_processes;	/* of uint64_t by row: jobs left out */
	uint64_t hung_jobs;		/* with the flag hung, or in flight behind such a job */
	struct grt_vec outside_rings;	/* of uint64_t by row: jobs outside the window */
	uint64_t synthetic_jobs;	/* written by hand, both shown and left out */
	uint64_t inferred_keys, inferred_ends, inferred_completes;	/* jobs with these flags */
	uint64_t ordered_ends;		/* of @inferred_ends: by the order of answers */
	uint64_t coalesced_ends;	/* likewise: by a later job of the context */
	uint64_t untold_submits;	/* jobs whose SUBMIT nobody told of, and which miss nothing else */
	struct grt_worst *worst;	/* owned: longest total first */
	uint32_t nr_worst;
	struct grt_vec outcomes;	/* of struct grt_outcome, GRT_MAX_OUTCOMES at most */
	uint64_t more_outcomes;		/* jobs with other outcomes than these */
	struct grt_last_events last_events;	/* of grt_summary_record(), with wants.has_last_events */
	struct grt_record_count records[GRT_SUMMARY_TYPES];	/* of grt_summary_record() */
};

/* Takes zeroed memory.  0 or -errno; call grt_summary_free() in any case. */
int grt_summary_init(struct grt_summary *s, const struct grt_model *model,
		     const struct grt_summary_wants *wants);

/* Adds a job that is handed out a first time, for its roots only; see grt_model_keep_pieces().  0 or -errno. */
int grt_summary_early(struct grt_summary *s, const struct grt_job *job);

/* Adds a job, unless the query leaves it out: then *is_wanted is false.  0 or -errno. */
int grt_summary_add(struct grt_summary *s, const struct grt_job *job, bool *is_wanted);

/* Fills in @view with the summary's names and rules, and the job's labels. */
void grt_summary_view(const struct grt_summary *s, const struct grt_job *job,
		      struct grt_view *view);

/* Counts a record of the trace by its type, and keeps the last ones.  0 or -errno. */
int grt_summary_record(struct grt_summary *s, const struct grtrace_hdr *rec);

/* Call it after the last job: makes the other groups and @all.  0 or -errno. */
int grt_summary_close(struct grt_summary *s);
void grt_summary_free(struct grt_summary *s);

#endif /* GRT_SUMMARY_H */
