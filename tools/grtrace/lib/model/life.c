// SPDX-License-Identifier: LGPL-2.1
/* The life of a job: which event moves it from where to where. */
#include <errno.h>

#include "error.h"
#include "inside.h"

enum act {
	TAKE,	/* stamp it and move on */
	FILL,	/* too late to move the job, but not to tell its time, if missing */
	OPEN,	/* a job not heard of: submitted before the trace, or SUBMIT lost */
	REUSE,	/* SUBMIT of a key that has one already: the old job is over */
	REPEAT,	/* had that: the first one counts */
};

/*
 * FILL becomes REPEAT, or REUSE for a SUBMIT, when the job has that stamp.  The
 * lower triangle is what happens when two CPUs write at the same time and the
 * wrong one comes first.
 */
static const uint8_t acts[GRT_NR_STAMPS][GRT_NR_STATES] = {
	/*		       NEW  SUBMITTED COMMITTED STARTED ENDED   COMPLETED */
	[GRT_AT_SUBMIT]	   = { OPEN, REUSE,   FILL,	FILL,	FILL,	FILL },
	[GRT_AT_COMMIT]	   = { OPEN, TAKE,    REPEAT,	FILL,	FILL,	FILL },
	[GRT_AT_START]	   = { OPEN, TAKE,    TAKE,	REPEAT,	FILL,	FILL },
	[GRT_AT_END]	   = { OPEN, TAKE,    TAKE,	TAKE,	REPEAT,	FILL },
	[GRT_AT_COMPLETE]  = { OPEN, TAKE,    TAKE,	TAKE,	TAKE,	REPEAT },
};

static const uint8_t state_after[GRT_NR_STAMPS] = {
	[GRT_AT_SUBMIT]	  = GRT_SUBMITTED,
	[GRT_AT_COMMIT]	  = GRT_COMMITTED,
	[GRT_AT_START]	  = GRT_STARTED,
	[GRT_AT_END]	  = GRT_ENDED,
	[GRT_AT_COMPLETE] = GRT_COMPLETED,
};

static struct grt_ctx *ctx_at(const struct grt_model *m, uint32_t row)
{
	return grt_vec_at(&m->ctxs, struct grt_ctx, row);
}

static uint32_t ctx_row(struct grt_model *m, uint64_t id, bool is_synthetic)
{
	uint32_t row = grt_keymap_get(&m->ctx_rows, id, is_synthetic);

	if (row != GRT_NONE)
		return row;
	if (m->free_ctx != GRT_NONE) {
		row = m->free_ctx;
		m->free_ctx = ctx_at(m, row)->next_free;
	} else {
		row = grt_vec_count(&m->ctxs, struct grt_ctx);
		if (!grt_vec_grow(&m->ctxs, sizeof(struct grt_ctx)))
			return GRT_NONE;
	}
	*ctx_at(m, row) = (struct grt_ctx){
		.head = GRT_NONE, .tail = GRT_NONE, .is_synthetic = is_synthetic, .id = id,
	};
	return grt_keymap_put(&m->ctx_rows, id, is_synthetic, row) ? GRT_NONE : row;
}

static uint32_t open_job(struct grt_model *m, const struct grtrace_job_key *rec)
{
	bool is_synthetic = rec->hdr.flags & GRTRACE_F_SYNTHETIC;
	uint32_t row = ctx_row(m, rec->ctx, is_synthetic);
	uint32_t i = row == GRT_NONE ? GRT_NONE : grt_pool_get(&m->pool);
	struct grt_slot *slot;
	struct grt_ctx *ctx;

	if (i == GRT_NONE || grt_keymap_put(&m->jobs[is_synthetic], rec->ctx, rec->seqno, i))
		return GRT_NONE;
	slot = grt_slot_at(m, i);
	slot->has_key = true;
	slot->job.ctx = rec->ctx;
	slot->job.seqno = rec->seqno;
	slot->job.ring = slot->job.process = GRT_NONE;
	slot->job.flags = is_synthetic ? GRT_JOB_SYNTHETIC : 0;

	ctx = ctx_at(m, row);
	slot->ctx = row;
	slot->ctx_prev = ctx->tail;
	if (ctx->tail == GRT_NONE)
		ctx->head = i;
	else
		grt_slot_at(m, ctx->tail)->ctx_next = i;
	ctx->tail = i;
	return i;
}

static void take_submit(struct grt_model *m, struct grt_slot *slot,
			const struct grtrace_submit *rec)
{
	bool is_kernel = rec->hdr.flags & GRTRACE_F_KERNEL_JOB;

	/* The kernel's own work is not the process that happens to be current. */
	slot->job.process = grt_names_process_row(&m->names, is_kernel ? 0 : rec->tgid,
						  rec->hdr.ts);
	slot->job.tid = is_kernel ? 0 : rec->tid;
	slot->job.client_id = rec->client_id;
}

static void take_end(struct grt_model *m, uint32_t i, const struct grtrace_end *rec)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	slot->job.hw_done_ns = rec->hw_done_ns;
	if (rec->hdr.flags & GRTRACE_F_NO_HW)
		slot->job.flags |= GRT_JOB_NO_HW;
	/* COMPLETE may be in already; an error there is the final word. */
	if (!slot->job.has_status || !slot->job.status)
		slot->job.status = rec->status;
	slot->job.has_status = true;
	slot->next = m->ended;
	m->ended = i;
}

static void take_complete(struct grt_model *m, uint32_t i, const struct grtrace_complete *rec)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	if (rec->hdr.flags & GRTRACE_F_UPPER_BOUND)
		slot->job.flags |= GRT_JOB_UPPER_BOUND;
	/* Linux 6.1 never hands the hardware's error on: a 0 here does not undo it. */
	if (!slot->job.has_status || rec->status)
		slot->job.status = rec->status;
	slot->job.has_status = true;
	if (m->held_tail == GRT_NONE)
		m->held_head = i;
	else
		grt_slot_at(m, m->held_tail)->held_next = i;
	m->held_tail = i;
}

static int take(struct grt_model *m, uint32_t i, const struct grtrace_job_key *rec,
		enum grt_stamp stamp)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	grt_job_stamp(&slot->job, stamp, rec->hdr.ts);
	if (slot->state < state_after[stamp])
		slot->state = state_after[stamp];
	if (rec->hdr.flags & GRTRACE_F_KERNEL_JOB)
		slot->job.flags |= GRT_JOB_KERNEL_JOB;
	/* Any event may know the ring; the one that hands the job over knows best. */
	if (rec->ring && (slot->job.ring == GRT_NONE || stamp == GRT_AT_COMMIT))
		slot->job.ring = grt_names_ring_row(&m->names, rec->ring);

	switch (stamp) {
	case GRT_AT_SUBMIT:
		take_submit(m, slot, (const struct grtrace_submit *)rec);
		break;
	case GRT_AT_START:
		if (rec->hdr.flags & GRTRACE_F_INFERRED)
			slot->job.flags |= GRT_JOB_INFERRED_START;
		break;
	case GRT_AT_END:
		take_end(m, i, (const struct grtrace_end *)rec);
		break;
	case GRT_AT_COMPLETE:
		take_complete(m, i, (const struct grtrace_complete *)rec);
		break;
	default:
		break;
	}
	return grt_settle_commit(m, i);
}

int grt_life_event(struct grt_model *m, const struct grtrace_job_key *rec, enum grt_stamp stamp)
{
	bool is_synthetic = rec->hdr.flags & GRTRACE_F_SYNTHETIC;
	uint32_t i = grt_keymap_get(&m->jobs[is_synthetic], rec->ctx, rec->seqno);
	struct grt_slot *slot = i == GRT_NONE ? NULL : grt_slot_at(m, i);
	enum act act = acts[stamp][slot ? slot->state : GRT_NEW];

	if (act == FILL && grt_job_has(&slot->job, stamp))
		act = stamp == GRT_AT_SUBMIT ? REUSE : REPEAT;
	switch (act) {
	case REPEAT:
		slot->job.flags |= GRT_JOB_REPEATED;
		m->totals.repeated++;
		return 0;
	case REUSE:
		grt_finish(m, i, GRT_WHY_KEY_REUSED);
		/* fall through */
	case OPEN:
		i = open_job(m, rec);
		if (i == GRT_NONE)
			return grt_fail_memory();
		break;
	case TAKE:
	case FILL:
		break;
	}
	return take(m, i, rec, stamp);
}
