/* SPDX-License-Identifier: LGPL-2.1 */
/* Outputs of jobs and of summaries: a row per format. */
#ifndef GRT_JOB_SINK_H
#define GRT_JOB_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "input.h"
#include "summary.h"
#include "why.h"

/* Tables that may be asked for instead of the first screen, beside those per group. */
enum grt_report_table {
	GRT_TABLE_IDLE,
	GRT_TABLE_BLAME,
	GRT_TABLE_LATENCY,	/* --hist lat */
	GRT_TABLE_SIZE,		/* --hist size */
	GRT_TABLE_RESULT,	/* --hist result */
	GRT_TABLE_OVERHEAD,
	GRT_NR_TABLES
};

/* What recording and reporting cost. */
struct grt_cost {
	uint64_t own_ns;	/* of this report, until it was printed */
	uint64_t write_ns;	/* mean of an event's write */
	bool has_write_ns;
};

struct grt_job_out {
	FILE *file;
	const struct grt_summary *summary;	/* its rows are complete only in _end() */
	const struct grt_trace_info *info;
	const char *na;		/* stands for what is not known; NULL: nothing, or "-" */
	uint32_t tables;	/* bit per enum grt_report_table */
	uint32_t groups;	/* bit per enum grt_group; none of both: the first screen */
	uint64_t top;		/* rows of blame and idle at most; 0: as many as fit a screen */
	struct grt_cost cost;
	bool has_colour;
	bool is_ascii;		/* no bars, no middle dots */
	bool is_focus;		/* the process was chosen by the trace, not by the user */
	bool has_begun;
};

static inline bool grt_out_is_screen(const struct grt_job_out *o)
{
	return !o->tables && !o->groups;
}

struct grt_job_sink {
	const char *name;
	void (*job)(struct grt_job_out *o, const struct grt_job *job);
	void (*end)(struct grt_job_out *o);	/* of the jobs; also when there was none */
	void (*summary)(struct grt_job_out *o);
	void (*why)(struct grt_job_out *o, const struct grt_why *w);
};

extern const struct grt_job_sink grt_job_text, grt_job_csv, grt_job_json;

/* NULL with a cause when there is no such format. */
const struct grt_job_sink *grt_job_sink_find(const char *name);

#endif /* GRT_JOB_SINK_H */
