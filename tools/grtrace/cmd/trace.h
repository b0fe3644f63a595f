/* SPDX-License-Identifier: GPL-2.0 */
/* A trace that a command reads and sums up. */
#ifndef GRT_CMD_TRACE_H
#define GRT_CMD_TRACE_H

#include "job_sink.h"
#include "replay.h"
#include "select.h"
#include "why.h"

#define GRT_DEFAULT_FILE	"trace.grt"

struct grt_stream;

struct trace {
	/* Filled in by the command; the rest is 0. */
	struct grt_summary_wants wants;
	struct select *select;		/* not owned */
	int nr_files;
	char **files;
	/* Gets each job that the query wants; may be NULL.  Returns as grt_replay_ops.job. */
	int (*show)(void *arg, const struct grt_job *job);
	void *arg;
	struct grt_why *why;		/* owned; fed instead of the summary; NULL: none */

	/* The data read. */
	struct grt_trace_info info;
	struct grt_stream *stream;	/* owned */
	struct grt_window window;
	struct grt_replay replay;
	struct grt_summary summary;	/* from trace_read() on */
	struct grt_job_out out;		/* the command fills in na, groups and so on */
};

/* Sets where and how to print.  Call it before anything is read. */
void trace_begin_out(struct trace *t);

/* Opens the files.  0 or -errno with a cause; call trace_close() in any case. */
int trace_open(struct trace *t);

/* Opens the files, and reads them as often as needed.  Returns as trace_open(). */
int trace_read(struct trace *t);

/*
 * Takes over the open @stream of a session.  The caller feeds its records to t->replay, and
 * then ends t->replay.  Returns as trace_open().
 */
int trace_follow(struct trace *t, struct grt_stream *stream);

/* Prints why reading failed.  Returns the exit code. */
int trace_failure(int err);

/* Frees all but t->files. */
void trace_close(struct trace *t);

/* 0, or -EINVAL with a cause: the trace has no ring like the one asked for. */
int trace_check_ring(const struct trace *t);

/* Whether the locale says that the terminal shows ASCII only. */
bool trace_is_ascii(void);

#endif /* GRT_CMD_TRACE_H */
