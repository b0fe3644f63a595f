// SPDX-License-Identifier: LGPL-2.1
#include "job_ahead.h"

#include <string.h>

#include "error.h"
#include "job.h"
#include "stream.h"

static int begin_pass(void *arg, struct grt_model *model)
{
	struct grt_job_ahead *a = arg;

	(void)model;
	a->records.bytes = a->next = 0;
	return 0;
}

static int keep_record(void *arg, const struct grtrace_hdr *rec)
{
	struct grt_job_ahead *a = arg;

	return grt_vec_append(&a->records, rec, rec->size) ? grt_fail_memory() : 0;
}

static int keep_job(void *arg, const struct grt_job *job)
{
	struct grt_job_ahead *a = arg;
	struct grt_job_time *time;

	if (!grt_job_has(job, GRT_AT_END))
		return 0;
	time = grt_job_times_put(&a->jobs, job->ctx, job->seqno);
	if (!time)
		return grt_fail_memory();
	time->has_exec = job->flags & GRT_JOB_INFERRED_START && grt_job_knows(job, GRT_STAGE_EXEC);
	time->exec_ns = job->stage_ns[GRT_STAGE_EXEC];
	return 0;
}

static const struct grt_replay_ops ops = {
	.begin = begin_pass, .record = keep_record, .job = keep_job,
};

int grt_job_ahead_begin(struct grt_job_ahead *a, struct grt_stream *stream, bool has_jobs)
{
	*a = (struct grt_job_ahead){
		.stream = stream, .has_jobs = has_jobs,
		.replay = {
			.ops = &ops, .arg = a, .is_final = true, .watches_events = true,
		},
	};
	return has_jobs ? grt_replay_begin(&a->replay, stream) : 0;
}

/* The next record that the caller did not have yet; NULL: there is none. */
static const struct grtrace_hdr *front(const struct grt_job_ahead *a)
{
	return a->next < a->records.bytes ? (const void *)((char *)a->records.data + a->next) : NULL;
}

/* Whether the model must read on before the caller gets the next record. */
static bool needs_more(const struct grt_job_ahead *a)
{
	const struct grtrace_end *rec = (const void *)front(a);

	if (!rec)
		return true;
	return rec->hdr.type == GRTRACE_END && a->records.bytes - a->next < GRT_AHEAD_BYTES &&
	       !grt_job_times_find(&a->jobs, rec->ctx, rec->seqno);
}

/* Forgets the records that the caller had. */
static void compact(struct grt_job_ahead *a)
{
	if (a->next < a->records.bytes / 2 && a->next < GRT_AHEAD_BYTES)
		return;
	memmove(a->records.data, (char *)a->records.data + a->next, a->records.bytes - a->next);
	a->records.bytes -= a->next;
	a->next = 0;
}

static int read_ahead(struct grt_job_ahead *a)
{
	int got;

	if (a->next)
		compact(a);
	while (!a->is_over && needs_more(a)) {
		got = grt_replay_next(&a->replay);
		if (got < 0)
			return got;
		if (got)
			continue;
		a->is_over = true;
		got = grt_replay_end(&a->replay);
		if (got)
			return got;
	}
	return 0;
}

int grt_job_ahead_next(struct grt_job_ahead *a, const struct grtrace_hdr **rec)
{
	int err;

	if (!a->has_jobs)
		return grt_stream_next(a->stream, rec);
	err = read_ahead(a);
	if (err)
		return err;
	*rec = front(a);
	if (!*rec)
		return 0;
	a->next += (*rec)->size;
	return 1;
}

bool grt_job_ahead_exec(struct grt_job_ahead *a, const struct grtrace_end *end, uint64_t *exec_ns)
{
	const struct grt_job_time *time = grt_job_times_find(&a->jobs, end->ctx, end->seqno);
	bool has_exec = time && time->has_exec;

	if (has_exec)
		*exec_ns = time->exec_ns;
	grt_job_times_drop(&a->jobs, end->ctx, end->seqno);
	return has_exec;
}

void grt_job_ahead_end(struct grt_job_ahead *a)
{
	grt_replay_free(&a->replay);
	grt_vec_free(&a->records);
	grt_job_times_free(&a->jobs);
}
