/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Sums over jobs that are over, per ring and process: how many, how long they waited and ran, and how
 * many fences they waited for.  As in other reports, jobs that are cut by the ends of the trace are
 * counted, but their times are not.
 *
 * Memory is bounded: past the limits below, more processes share a row per ring, and then one for all.
 */
#ifndef GRT_JOB_SUMS_H
#define GRT_JOB_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "hist.h"
#include "job.h"
#include "keymap.h"
#include "vec.h"

struct grt_names;

#define GRT_JOB_SUMS_ROWS	256	/* of a ring and a process */
#define GRT_JOB_SUMS_OTHERS	64	/* of a ring and all other processes */
#define GRT_OTHERS		(GRT_NONE - 1)	/* a ring or process that stands for several */

/* Spans of a job's life whose distributions are kept: X(NAME, name, title, text). */
#define GRT_JOB_SPANS(X)							\
	X(WAIT,	 wait,	"wait",	  "SUBMIT to START")	/* or to COMMIT, where START is not known */ \
	X(EXEC,	 exec,	"exec",	  "START to END")				\
	X(TOTAL, total,	"total",  "SUBMIT to COMPLETE")				\
	X(QUEUE, submit_to_run, "submit to run", "SUBMIT to COMMIT")		\
	X(RUN,	 run_to_complete, "run to completion", "COMMIT to COMPLETE")

enum grt_job_span {
#define GRT_X(NAME, name, title, text) GRT_SPAN_##NAME,
	GRT_JOB_SPANS(GRT_X)
#undef GRT_X
	GRT_NR_JOB_SPANS
};

/* What happened to a job before it was over. */
struct grt_job_counts {
	uint32_t deps;		/* fences that it named, or that the scheduler looked at */
	uint32_t waits;		/* how often it had to wait for one */
};

struct grt_job_sum {
	uint32_t ring, process;	/* rows of the names; GRT_NONE: not known; GRT_OTHERS */
	uint64_t jobs;
	uint64_t cut;		/* jobs cut by the trace's ends */
	uint64_t failed;	/* status is an error */
	uint64_t unjudged;	/* not cut, status unknown; if any, @failed is not known */
	uint64_t deps, waits;
	uint64_t dep_waits;	/* jobs that waited for a fence, as their times say */
	uint64_t until_commit;	/* of the span WAIT: so many end with COMMIT */
	uint64_t bounds;	/* jobs of which only upper bounds are known */
	uint64_t spans_bound[GRT_NR_JOB_SPANS];	/* so many times of a span are upper bounds */
	struct grt_hist spans[GRT_NR_JOB_SPANS];
};

/* Zeroed memory is empty. */
struct grt_job_sums {
	bool skips_bounds;	/* the caller's: times that are upper bounds count as not known */
	struct grt_vec rows;	/* of struct grt_job_sum */
	struct grt_keymap index;
};

/* The length of a span of @job; false: not known. */
bool grt_job_span_ns(const struct grt_job *job, enum grt_job_span span, uint64_t *ns);
/* The span took that long at most. */
bool grt_job_span_is_bound(const struct grt_job *job, enum grt_job_span span);
const char *grt_job_span_name(enum grt_job_span span);	/* "run_to_complete" */
const char *grt_job_span_title(enum grt_job_span span);	/* "run to completion" */
const char *grt_job_span_text(enum grt_job_span span);	/* "COMMIT to COMPLETE" */

/* 0 or -errno with a cause. */
int grt_job_sums_add(struct grt_job_sums *s, const struct grt_job *job, const struct grt_job_counts *counts);
void grt_job_sums_free(struct grt_job_sums *s);

/* Which rows become one: all; those of a ring, or of a process; or only those that have both in common. */
enum grt_job_sums_by { GRT_SUMS_BY_ALL, GRT_SUMS_BY_RING, GRT_SUMS_BY_PROCESS, GRT_SUMS_BY_BOTH };

/*
 * Fills the empty @to with the rows of @from put together, those with most jobs first.  0 or -errno with
 * a cause; free @to in any case.
 */
int grt_job_sums_group(struct grt_job_sums *to, const struct grt_job_sums *from, enum grt_job_sums_by by,
		       const struct grt_names *names);

static inline size_t grt_job_sums_count(const struct grt_job_sums *s)
{
	return grt_vec_count(&s->rows, struct grt_job_sum);
}

static inline const struct grt_job_sum *grt_job_sums_at(const struct grt_job_sums *s, size_t i)
{
	return grt_vec_at(&s->rows, struct grt_job_sum, i);
}

#endif /* GRT_JOB_SUMS_H */
