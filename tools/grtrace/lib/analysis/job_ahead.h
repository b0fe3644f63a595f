/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Reads the records of a trace and, if jobs are wanted, runs the model some records ahead: when an
 * END comes, it is known when its job began, even where START is inferred.  It reads ahead only
 * as far as needed, and at most GRT_AHEAD_BYTES.
 */
#ifndef GRT_JOB_AHEAD_H
#define GRT_JOB_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "job_times.h"
#include "replay.h"
#include "vec.h"

#define GRT_AHEAD_BYTES	(8u << 20)

struct grt_stream;

struct grt_job_ahead {
	struct grt_stream *stream;	/* not owned */
	bool has_jobs;			/* false: only gives the records */
	struct grt_replay replay;
	struct grt_vec records;		/* those that the model had, and the caller not yet */
	size_t next;			/* in @records */
	struct grt_job_times jobs;	/* jobs that are over, and whose END is to come */
	bool is_over;			/* the model had all records */
};

/* 0, or -errno with a cause; call grt_job_ahead_end() in any case. */
int grt_job_ahead_begin(struct grt_job_ahead *a, struct grt_stream *stream, bool has_jobs);

/* As grt_stream_next(). */
int grt_job_ahead_next(struct grt_job_ahead *a, const struct grtrace_hdr **rec);

/*
 * The job of an END that grt_job_ahead_next() just gave: false if its START was not inferred, or
 * if nothing more is known of it.
 */
bool grt_job_ahead_exec(struct grt_job_ahead *a, const struct grtrace_end *end, uint64_t *exec_ns);

void grt_job_ahead_end(struct grt_job_ahead *a);

#endif /* GRT_JOB_AHEAD_H */
