/* SPDX-License-Identifier: LGPL-2.1 */
/* Outputs of jobs and of summaries: a row per format. */
#ifndef GRT_JOB_SINK_H
#define GRT_JOB_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "input.h"
#include "json.h"
#include "summary.h"
#include "why.h"

/* Tables that replace the first screen, in addition to the tables per group. */
enum grt_table_choice {
	GRT_TABLE_IDLE,
	GRT_TABLE_BLAME,
	GRT_TABLE_ROOTS,
	GRT_TABLE_OWNER_BLAME,	/* --blame with --per-pod: between pods */
	GRT_TABLE_OWNER_ROOTS,	/* --roots with --per-pod */
	GRT_TABLE_LATENCY,	/* --hist lat */
	GRT_TABLE_SIZE,		/* --hist size */
	GRT_TABLE_RESULT,	/* --hist result */
	GRT_TABLE_OVERHEAD,
	GRT_TABLE_STACKS,	/* --stacks */
	GRT_TABLE_STEPS,	/* --per-second */
	GRT_TABLE_WORST,	/* --topn with other tables: the worst jobs, and who held up whom */
	GRT_NR_TABLES
};

/* The cost of recording and of this report. */
struct grt_cost {
	uint64_t own_ns;	/* time of this report until it was printed */
	uint64_t write_ns;	/* mean time to write an event */
	bool has_write_ns;
};

struct grt_job_out {
	FILE *file;
	const struct grt_summary *summary;	/* rows are complete only in end() */
	const struct grt_trace_info *info;
	const char *na;		/* text for unknown values; NULL: nothing in CSV, else "-" */
	uint32_t tables;	/* a bit per enum grt_table_choice */
	uint32_t groups;	/* a bit per enum grt_group; if both are 0: the first screen */
	uint64_t top;		/* most rows of blame and idle; 0: as many as fit a screen */
	enum grt_stack_weight stack_weight;	/* of GRT_TABLE_STACKS as text */
	struct grt_cost cost;
	uint64_t unknown_events;	/* records of types that this version does not know */
	bool has_colour;
	bool has_all_rings;	/* the tables of time have rings without jobs here, too */
	bool has_steps;		/* of a chain: each step, not only the short answer */
	bool is_ascii;		/* no bars, no middle dots */
	size_t width;		/* cells of a line of text; 0: any number */
	bool is_focus;		/* the trace selected the process, not the user */
	/* For hints: the end of a command line.  NULL: this input cannot be read again. */
	const char *again;	/* current options and files */
	const char *files;	/* files only */
	bool has_span;		/* the options include --since or --until */
	bool has_begun;
};

static inline bool grt_out_is_screen(const struct grt_job_out *o)
{
	return !o->tables && !o->groups;
}

struct grt_job_sink {
	const char *name;
	void (*job)(struct grt_job_out *o, const struct grt_job *job);
	void (*end)(struct grt_job_out *o);	/* ends the list; also called without jobs */
	void (*summary)(struct grt_job_out *o);
	void (*why)(struct grt_job_out *o, const struct grt_why *w);
};

extern const struct grt_job_sink grt_job_text, grt_job_csv, grt_job_json;

/* Adds the columns of a job to an object that is open. */
void grt_job_json_add(struct grt_json *j, const struct grt_job_out *o, const struct grt_job *job);

/* NULL with a cause if there is no such format. */
const struct grt_job_sink *grt_job_sink_find(const char *name);

#endif /* GRT_JOB_SINK_H */
