// SPDX-License-Identifier: LGPL-2.1
/* Jobs leave the model: what is known of them is settled here. */
#include <errno.h>
#include <stdlib.h>

#include "error.h"
#include "inside.h"

/* Why stamps are missing: the trace's ends, losses, the job's death, or unknown. */
static uint32_t explain(const struct grt_model *m, const struct grt_job *job, enum grt_why why)
{
	bool has_submit = grt_job_has(job, GRT_AT_SUBMIT);
	bool has_commit = grt_job_has(job, GRT_AT_COMMIT);
	bool has_end = grt_job_has(job, GRT_AT_END);
	bool has_complete = grt_job_has(job, GRT_AT_COMPLETE);
	uint64_t first_ns = grt_job_first_ns(job), last_ns = grt_job_last_ns(job);
	uint32_t flags = 0;

	if (!has_submit)
		flags |= grt_losses_touch(&m->losses, 0, first_ns) ? GRT_JOB_LOSSY : GRT_JOB_CUT;
	if (!has_complete) {
		if (why == GRT_WHY_TRACE_END)
			flags |= GRT_JOB_CUT;
		if (grt_losses_touch(&m->losses, first_ns, UINT64_MAX))
			flags |= GRT_JOB_LOSSY;
	}
	if (has_submit && has_complete && !has_commit && !has_end && job->has_status &&
	    job->status == -ESRCH)
		return flags | GRT_JOB_KILLED;
	/* Where a later event was seen, the ones before it must have happened. */
	if ((has_submit && has_end && !has_commit) || (has_complete && !has_end) ||
	    (has_submit && has_complete && !has_commit)) {
		if (grt_losses_touch(&m->losses, first_ns, last_ns))
			flags |= GRT_JOB_LOSSY;
	}
	if (flags)
		return flags;
	return has_submit && has_commit && has_end && has_complete ? 0 : GRT_JOB_PARTIAL;
}

static void leave_ctx(struct grt_model *m, struct grt_slot *slot)
{
	struct grt_ctx *ctx = grt_vec_at(&m->ctxs, struct grt_ctx, slot->ctx);

	if (slot->ctx_prev == GRT_NONE)
		ctx->head = slot->ctx_next;
	else
		grt_slot_at(m, slot->ctx_prev)->ctx_next = slot->ctx_next;
	if (slot->ctx_next == GRT_NONE)
		ctx->tail = slot->ctx_prev;
	else
		grt_slot_at(m, slot->ctx_next)->ctx_prev = slot->ctx_prev;
	if (ctx->head != GRT_NONE)
		return;
	grt_keymap_del(&m->ctx_rows, ctx->id, ctx->is_synthetic);
	ctx->next_free = m->free_ctx;
	m->free_ctx = slot->ctx;
}

static void forget_key(struct grt_model *m, struct grt_slot *slot)
{
	if (slot->has_key)
		grt_keymap_del(&m->jobs[!!(slot->job.flags & GRT_JOB_SYNTHETIC)],
			      slot->job.ctx, slot->job.seqno);
	slot->has_key = false;
}

/*
 * Fences of a context are signalled in order: when job @i is complete, so are
 * those before it.  Where events are missing, their COMPLETE was among them.
 */
static void finish_lost(struct grt_model *m, uint32_t i)
{
	uint32_t older = grt_vec_at(&m->ctxs, struct grt_ctx, grt_slot_at(m, i)->ctx)->head;
	uint64_t complete_ns = grt_slot_at(m, i)->job.at_ns[GRT_AT_COMPLETE];

	while (older != i) {
		const struct grt_slot *slot = grt_slot_at(m, older);
		uint32_t next = slot->ctx_next;

		if (!grt_losses_touch(&m->losses, grt_job_first_ns(&slot->job), complete_ns))
			break;	/* nor is anything missing since younger ones */
		if (slot->state != GRT_COMPLETED)
			grt_finish(m, older, GRT_WHY_LOST);
		older = next;
	}
}

void grt_finish(struct grt_model *m, uint32_t i, enum grt_why why)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_job *job = &slot->job;

	forget_key(m, slot);
	if (why == GRT_WHY_KEY_REUSED && slot->state == GRT_COMPLETED)
		return;		/* its turn comes */
	grt_settle_ended(m);
	grt_settle_leave(m, i);
	if (m->losses.spans.bytes && grt_job_has(job, GRT_AT_COMPLETE))
		finish_lost(m, i);
	leave_ctx(m, slot);
	job->flags |= explain(m, job, why);
	grt_job_stages(job);
	m->fn(m->arg, job);
	grt_pool_put(&m->pool, i);
}

void grt_finish_held(struct grt_model *m, uint64_t up_to_ns)
{
	while (m->held_head != GRT_NONE) {
		uint32_t i = m->held_head;

		if (grt_slot_at(m, i)->job.at_ns[GRT_AT_COMPLETE] > up_to_ns)
			return;
		m->held_head = grt_slot_at(m, i)->held_next;
		if (m->held_head == GRT_NONE)
			m->held_tail = GRT_NONE;
		grt_finish(m, i, GRT_WHY_COMPLETE);
	}
}

struct left {
	uint64_t first_ns, ctx, seqno;
	uint32_t slot;
};

static int compare_left(const void *a, const void *b)
{
	const struct left *x = a, *y = b;

	if (x->first_ns != y->first_ns)
		return x->first_ns < y->first_ns ? -1 : 1;
	if (x->ctx != y->ctx)
		return x->ctx < y->ctx ? -1 : 1;
	return (x->seqno > y->seqno) - (x->seqno < y->seqno);
}

int grt_finish_all(struct grt_model *m)
{
	struct grt_vec all = { 0 };
	int err = 0;

	grt_settle_ended(m);
	grt_finish_held(m, UINT64_MAX);
	for (uint32_t i = 0; i < m->pool.nr_chunks * GRT_POOL_CHUNK; i++) {
		const struct grt_slot *slot = grt_slot_at(m, i);
		struct left left = { .slot = i };

		if (slot->state == GRT_NEW)
			continue;
		left.first_ns = grt_job_first_ns(&slot->job);
		left.ctx = slot->job.ctx;
		left.seqno = slot->job.seqno;
		err = grt_vec_append(&all, &left, sizeof(left));
		if (err)
			goto free_all;
	}
	if (all.bytes)
		qsort(all.data, grt_vec_count(&all, struct left), sizeof(struct left),
		      compare_left);
	for (size_t i = 0; i < grt_vec_count(&all, struct left); i++)
		grt_finish(m, grt_vec_at(&all, struct left, i)->slot, GRT_WHY_TRACE_END);
free_all:
	grt_vec_free(&all);
	return err;
}
