/* SPDX-License-Identifier: LGPL-2.1 */
/* Outputs of jobs and of summaries: a row per format. */
#ifndef GRT_JOB_SINK_H
#define GRT_JOB_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "input.h"
#include "summary.h"

struct grt_job_out {
	FILE *file;
	const struct grt_summary *summary;	/* its rows are complete only in _end() */
	const struct grt_trace_info *info;
	bool has_colour;
	bool is_ascii;		/* no bars, no middle dots */
	bool is_per_ring;	/* text: rows per ring, not per ring and process */
	bool is_focus;		/* the process was chosen by the trace, not by the user */
	bool has_begun;
};

struct grt_job_sink {
	const char *name;
	void (*job)(struct grt_job_out *o, const struct grt_job *job);
	void (*end)(struct grt_job_out *o);	/* of the jobs; also when there was none */
	void (*summary)(struct grt_job_out *o);
};

extern const struct grt_job_sink grt_job_text, grt_job_csv, grt_job_json;

/* NULL with a cause when there is no such format. */
const struct grt_job_sink *grt_job_sink_find(const char *name);

#endif /* GRT_JOB_SINK_H */
