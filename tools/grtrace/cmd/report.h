/* SPDX-License-Identifier: GPL-2.0 */
/* grtrace report: the options and the data read. */
#ifndef GRT_CMD_REPORT_H
#define GRT_CMD_REPORT_H

#include "trace.h"

#define GRT_DEFAULT_FILE	"trace.grt"

struct report {
	/* The options; others are in @trace. */
	bool has_jobs, has_events;	/* a row per job; or only a row per type of event */
	uint64_t limit;
	const struct grt_job_sink *sink;
	struct grt_shell again, again_files;	/* the texts of grt_job_out.again and .files */
	bool is_live;			/* read the session's events, not a file */
	const char *live_file;		/* keep these events here; NULL: in a new file */

	struct trace trace;
	uint64_t shown;
	uint64_t shown_ns;		/* the latest COMPLETE that was printed */
};

/* report_live.c: saves the session's events in a file, which becomes the input.  0 or -errno. */
int report_fetch(struct report *r);

/* Prints jobs as they finish until the session stops or ^C comes. */
int report_follow(struct report *r);

/* report_events.c: reads the trace and prints its types of events.  0 or -errno. */
int report_events(struct report *r);

/* report_print.c: prints the report.  Returns the exit code. */
int report_print(struct report *r);

#endif /* GRT_CMD_REPORT_H */
