/* SPDX-License-Identifier: GPL-2.0 */
/* grtrace report: the options and the data read. */
#ifndef GRT_CMD_REPORT_H
#define GRT_CMD_REPORT_H

#include "trace.h"


struct report {
	/* The options; others are in @trace. */
	bool has_jobs, has_events;	/* a row per job; or only a row per type of event */
	bool has_frames, has_displays, has_memory;	/* @has_displays: of the frames, only these */
	const char *frame_mark, *refresh;	/* of frames; NULL: not given */
	uint64_t limit;
	const struct grt_job_sink *sink;
	struct grt_shell again, again_files;	/* the texts of grt_job_out.again and .files */
	bool is_all_time;		/* also where events of some CPUs were overwritten */
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

/* report_frames.c: refuses options that do not go with --frames.  0 or -EINVAL with a cause. */
int report_frames_check(const struct report *r);

/* Reads the trace and prints its frames.  0 or -errno. */
int report_frames(struct report *r);

/* report_memory.c: refuses options that do not go with --memory.  0 or -EINVAL with a cause. */
int report_memory_check(const struct report *r);

/* Reads the trace and prints its memory.  0 or -errno. */
int report_memory(struct report *r);

/* report_traces.c: whether the files are several whole traces, and no option asks for what only one trace has. */
bool report_has_traces(const struct report *r);

/* Reads the traces and prints their sums.  0 or -errno. */
int report_traces(struct report *r);

/* report_print.c: prints the report.  Returns the exit code. */
int report_print(struct report *r);

/* Warns on stderr, for formats without a place for it. */
void report_warn_of_losses(const struct report *r);

#endif /* GRT_CMD_REPORT_H */
