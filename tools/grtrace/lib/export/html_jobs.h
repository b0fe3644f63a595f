/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The jobs of the HTML view, in blocks of columns.  A page unpacks only the blocks that it shows.
 *
 * A job's wait is written as its charges, with references to the jobs that it waited for, so a page
 * can follow the chain behind any job, and its roots, as report --why does.  If they are many, it is written as
 * sums.
 */
#ifndef GRT_EXPORT_HTML_JOBS_H
#define GRT_EXPORT_HTML_JOBS_H

#include <stdint.h>
#include <stdio.h>

#include "keymap.h"
#include "packed.h"
#include "slots.h"
#include "summary.h"

#define GRT_HTML_BLOCK	4096	/* jobs of a block */

/* X(name): the columns, in the order of the file; html/jobs.js reads them in the same order. */
#define GRT_HTML_JOB_COLUMNS(X)						\
	X(ctx) X(seqno) X(ring) X(process) X(client) X(tid)		\
	X(first_ns) X(stamps) X(later_ns) X(stages) X(stage_ns)		\
	X(flags) X(status) X(labels) X(command) X(slots) X(charges)

enum grt_html_job_column {
#define GRT_X(name) GRT_HTML_JOB_##name,
	GRT_HTML_JOB_COLUMNS(GRT_X)
#undef GRT_X
	GRT_NR_HTML_JOB_COLUMNS
};

/* A block that was written: its jobs touch the time from @from_ns to @to_ns. */
struct grt_html_block {
	uint64_t from_ns, to_ns;	/* after the begin of the picture; before it: 0 */
	uint32_t jobs;
};

/* Zeroed memory but for the first members is empty. */
struct grt_html_jobs {
	FILE *file;
	uint64_t from_ns;		/* times are written relative to it */
	struct grt_summary *summary;

	struct grt_packed columns[GRT_NR_HTML_JOB_COLUMNS];
	struct grt_html_block block;
	uint64_t ctx, seqno, first_ns;	/* of the job before */
	uint64_t jobs;			/* written; the number of the next one */
	uint32_t max_client;		/* + 1 of the greatest client that was written */
	struct grt_vec pieces, spans;	/* of the job: struct grt_charge and grt_root_span */
	bool is_summed;			/* the job has sums instead of these */
	struct grt_vec commands;	/* of const char *: names that jobs have, not owned */
	struct grt_vec blocks;		/* of struct grt_html_block */
	struct grt_vec hangs;		/* of uint64_t: numbers of jobs that hung */
	/* The latest jobs: those that others may refer to. */
	struct grt_keymap numbers;	/* the place of a job in @recent */
	struct grt_html_recent *recent;	/* owned: a ring buffer */
};

/* Adds a job that @summary was just given.  0 or -errno with a cause. */
int grt_html_job(struct grt_html_jobs *h, const struct grt_job *job, struct grt_slot_pair slots);

/* Writes what is left.  0 or -errno with a cause. */
int grt_html_jobs_end(struct grt_html_jobs *h);
void grt_html_jobs_free(struct grt_html_jobs *h);

#endif /* GRT_EXPORT_HTML_JOBS_H */
