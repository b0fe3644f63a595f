// SPDX-License-Identifier: LGPL-2.1
/*
 * Complete jobs that threads wait for which have not run since.  They are kept until it is known
 * when the first of the threads ran.  There are at most as many as such threads.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model_private.h"

struct wake {
	uint64_t ctx, seqno;
	uint64_t ns;		/* valid once @is_told; may be GRT_WAKE_UNKNOWN */
	bool is_told, has_left;
	struct grt_job job;	/* once it has left the model; owns its charges and pieces */
};

static struct wake *find(const struct grt_model *m, uint64_t ctx, uint64_t seqno)
{
	for (size_t i = 0; i < grt_vec_count(&m->wakes, struct wake); i++) {
		struct wake *w = grt_vec_at(&m->wakes, struct wake, i);

		if (w->ctx == ctx && w->seqno == seqno)
			return w;
	}
	return NULL;
}

static struct wake *add(struct grt_model *m, uint64_t ctx, uint64_t seqno)
{
	struct wake *w = grt_vec_grow(&m->wakes, sizeof(*w));

	if (w)
		*w = (struct wake){ .ctx = ctx, .seqno = seqno };
	else
		m->err = -ENOMEM;
	return w;
}

static void give(struct grt_model *m, const struct wake *w, struct grt_job *job)
{
	uint64_t complete_ns = job->at_ns[GRT_AT_COMPLETE];

	/* If the job may have been complete before, the thread waited for its CPU longer than that. */
	if (w->is_told && w->ns != GRT_WAKE_UNKNOWN && !(job->flags & GRT_JOB_UPPER_BOUND) &&
	    !grt_losses_touch(&m->losses, complete_ns, complete_ns + w->ns) &&
	    !grt_gap_touches(&m->no_threads, grt_job_first_ns(job), complete_ns + w->ns)) {
		job->stage_ns[GRT_STAGE_WAKE] = w->ns;
		job->stages |= 1u << GRT_STAGE_WAKE;
	}
	m->fn(m->arg, job);
}

static void free_job(struct wake *w)
{
	free((void *)w->job.charges);
	free((void *)w->job.pieces);
}

static void drop(struct grt_model *m, struct wake *w)
{
	free_job(w);
	*w = *grt_vec_at(&m->wakes, struct wake, grt_vec_count(&m->wakes, struct wake) - 1);
	m->wakes.bytes -= sizeof(*w);
}

void grt_wake_told(void *arg, uint64_t ctx, uint64_t seqno, uint64_t ns)
{
	struct grt_model *m = arg;
	struct wake *w = find(m, ctx, seqno);

	if (!w)
		w = add(m, ctx, seqno);
	if (!w)
		return;
	w->is_told = true;
	w->ns = ns;
	if (!w->has_left)
		return;
	give(m, w, &w->job);
	drop(m, w);
}

void grt_wake_complete(struct grt_model *m, const struct grt_life *job)
{
	if (job->flags & GRT_JOB_SYNTHETIC)
		return;
	if (grt_cpu_complete(&m->cpu, job->ctx, job->seqno, job->at_ns[GRT_AT_COMPLETE]))
		add(m, job->ctx, job->seqno);
}

static int append_piece(void *arg, const struct grt_charge *piece)
{
	const struct grt_piece single = { .charge = *piece };

	return grt_vec_append(arg, &single, sizeof(single));
}

/* The model may forget what the jobs in front did, so the pieces of the job become single ones. */
static int keep_pieces(struct grt_job *to, const struct grt_job *job)
{
	struct grt_vec own = { 0 };
	uint64_t wait_ns = grt_pieces_end_ns(job);
	uint32_t count = 0;

	if (grt_pieces_walk(job, 0, UINT64_MAX, append_piece, &own)) {
		grt_vec_free(&own);
		return -ENOMEM;
	}
	while (count < grt_vec_count(&own, struct grt_piece) &&
	       grt_vec_at(&own, struct grt_piece, count)->charge.from_ns < wait_ns)
		count++;
	to->pieces = own.data;
	to->nr_pieces = count;
	to->inflight.nr_pieces = grt_vec_count(&own, struct grt_piece) - count;
	return 0;
}

/* Keeps a job until it is told when a thread woke. */
static int hold(struct grt_model *m, struct wake *w, struct grt_job *job)
{
	size_t bytes = grt_job_all_charges(job) * sizeof(*job->charges);

	if (m->keeps_pieces) {
		job->is_early = true;
		m->fn(m->arg, job);
		job->is_early = false;
	}
	w->job = *job;
	w->has_left = w->job.was_early = true;
	w->job.pieces = NULL;
	w->job.charges = malloc(bytes + 1);
	if (!w->job.charges || keep_pieces(&w->job, job))
		return -ENOMEM;
	if (bytes)
		memcpy((void *)w->job.charges, job->charges, bytes);
	return 0;
}

void grt_wake_leave(struct grt_model *m, struct grt_job *job)
{
	struct wake *w = m->wakes.bytes ? find(m, job->ctx, job->seqno) : NULL;

	if (!w || w->has_left || job->flags & GRT_JOB_SYNTHETIC) {
		m->fn(m->arg, job);
	} else if (w->is_told) {
		give(m, w, job);
		drop(m, w);
	} else if (hold(m, w, job)) {
		m->err = -ENOMEM;
	}
}

void grt_wake_finish(struct grt_model *m)
{
	for (size_t i = 0; i < grt_vec_count(&m->wakes, struct wake); i++) {
		struct wake *w = grt_vec_at(&m->wakes, struct wake, i);

		if (w->has_left)
			give(m, w, &w->job);
	}
	grt_wake_free(m);
}

void grt_wake_free(struct grt_model *m)
{
	for (size_t i = 0; i < grt_vec_count(&m->wakes, struct wake); i++)
		free_job(grt_vec_at(&m->wakes, struct wake, i));
	grt_vec_free(&m->wakes);
	m->wakes = (struct grt_vec){ 0 };
}
