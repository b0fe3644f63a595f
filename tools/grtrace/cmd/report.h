/* SPDX-License-Identifier: GPL-2.0 */
/* grtrace report: what was asked for, and what was read. */
#ifndef GRT_CMD_REPORT_H
#define GRT_CMD_REPORT_H

#include "job_sink.h"
#include "select.h"
#include "why.h"

#define GRT_DEFAULT_FILE	"trace.grt"

struct grt_stream;

struct report {
	/* What was asked for. */
	struct grt_summary_wants wants;
	struct select *select;		/* not owned */
	bool has_jobs;
	uint64_t limit;
	struct grt_why *why;		/* the chain of one job instead; NULL: none */
	const struct grt_job_sink *sink;
	int nr_files;			/* 0: the live session */
	char **files;

	/*
	 * Some of what is needed to judge a job comes after it: losses, and jobs that were
	 * there when the trace began.  Where that matters, the trace is read again; what
	 * cannot be read twice is kept on a tape.
	 */
	struct grt_trace_info info;
	struct grt_model *earlier;	/* of the first pass; NULL: this is it */
	FILE *tape;
	bool is_taping, is_scouting;	/* is_scouting: jobs are not used in this pass */
	uint64_t begin_ns;		/* time of the first event; see @has_begun */
	bool has_begun;
	bool looks_at_events;		/* they are not only for the model */

	struct grt_model *model;
	struct grt_summary summary;
	struct grt_job_out out;
	uint64_t shown;
	uint64_t shown_ns;		/* the latest COMPLETE that was printed */
	int err;			/* of the model's callback */
};

/* report.c: where output goes, and how. */
void report_begin_out(struct report *r);

/* report_read.c: fills model and summary.  0 or -errno with a cause. */
int report_read(struct report *r);
void report_close(struct report *r);

/* The parts of it that following a session shares. */
int report_open_stream(struct report *r, struct grt_stream **stream);
int report_begin_model(struct report *r);

/* All is read, or reading failed with @err: finishes the model and the summary.  0 or -errno. */
int report_end(struct report *r, struct grt_stream *stream, int err);
int report_take(struct report *r, const struct grtrace_hdr *rec);

/* report_live.c: prints jobs as they finish until the session stops or ^C comes. */
int report_follow(struct report *r);

/* Reads as often as the chain of r->why needs. */
int report_read_why(struct report *r);

/* report_print.c: the exit code. */
int report_print(struct report *r);

/* 0, or -EINVAL with a cause: there is no ring such as was asked for. */
int report_check_ring(const struct report *r);

#endif /* GRT_CMD_REPORT_H */
