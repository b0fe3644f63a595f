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
 * wrong one comes first.  What is GONE counts as NEW; see late().
 */
static const uint8_t acts[GRT_NR_STAMPS][GRT_GONE] = {
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

static uint32_t ctx_row(struct grt_model *m, uint64_t id, bool is_synthetic)
{
	uint32_t row = grt_keymap_get(&m->ctx_rows, id, is_synthetic);

	if (row != GRT_NONE)
		return row;
	if (m->free_ctx != GRT_NONE) {
		row = m->free_ctx;
		m->free_ctx = grt_ctx_at(m, row)->next_free;
	} else {
		row = grt_vec_count(&m->ctxs, struct grt_ctx);
		if (!grt_vec_grow(&m->ctxs, sizeof(struct grt_ctx)))
			return GRT_NONE;
	}
	*grt_ctx_at(m, row) = (struct grt_ctx){
		.head = GRT_NONE, .tail = GRT_NONE, .turn = GRT_NONE, .party = GRT_NONE,
		.is_synthetic = is_synthetic, .id = id,
	};
	return grt_keymap_put(&m->ctx_rows, id, is_synthetic, row) ? GRT_NONE : row;
}

/* @i: the slot of its fence, where others wait for it already; else GRT_NONE. */
static __attribute__((noinline)) uint32_t open_job(struct grt_model *m,
						  const struct grtrace_job_key *rec, uint32_t i)
{
	bool is_synthetic = rec->hdr.flags & GRTRACE_F_SYNTHETIC;
	uint32_t row = ctx_row(m, rec->ctx, is_synthetic);
	struct grt_slot *slot;
	struct grt_ctx *ctx;

	if (row == GRT_NONE)
		return GRT_NONE;
	if (i == GRT_NONE) {
		i = grt_pool_get(&m->pool);
		if (i == GRT_NONE ||
		    grt_jobmap_put(&m->jobs[is_synthetic], rec->ctx, rec->seqno, i))
			return GRT_NONE;
		m->found = i;
	}
	slot = grt_slot_at(m, i);
	m->nr_fences -= slot->is_fence;
	slot->is_fence = false;
	slot->has_key = true;
	slot->job.ctx = rec->ctx;
	slot->job.seqno = rec->seqno;
	slot->job.ring = slot->job.process = slot->job.party = GRT_NONE;
	slot->job.flags = is_synthetic ? GRT_JOB_SYNTHETIC : 0;

	slot->opened_ns = rec->hdr.ts;
	slot->age_prev = m->newest;
	if (m->newest == GRT_NONE)
		m->oldest = i;
	else
		grt_slot_at(m, m->newest)->age_next = i;
	m->newest = i;

	ctx = grt_ctx_at(m, row);
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
	if (rec->credits)
		slot->job.credits = rec->credits;
}

/* It stands at the ring that is known by now. */
static int place(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	bool is_synthetic = slot->job.flags & GRT_JOB_SYNTHETIC;
	uint32_t track = 2 * slot->job.ring + is_synthetic;
	uint64_t ns = m->now_ns;

	if (slot->job.ring == GRT_NONE || slot->track == track)
		return 0;
	/* It may have been committed before it told where. */
	if (grt_job_has(&slot->job, GRT_AT_COMMIT))
		ns = slot->job.at_ns[GRT_AT_COMMIT];
	if (!grt_track_of(m, slot->job.ring, is_synthetic, ns))
		return -ENOMEM;
	if (slot->track != GRT_NONE)
		grt_queue_leave(m, i, m->now_ns);
	slot->track = track;
	return 0;
}

/* What the source says of the ring's credits. */
static int check_credits(struct grt_model *m, const struct grt_slot *slot, uint32_t credits,
			 uint32_t in_use, bool is_submit, uint64_t ns)
{
	struct grt_track *t = slot->track == GRT_NONE ? NULL : grt_track_at(m, slot->track);
	int err;

	/* A reset takes all back for a while, which is no event. */
	if (!t || !credits || t->is_recovering)
		return 0;
	err = grt_credits_check(&t->credits, in_use, is_submit, ns);
	t->had_strangers = false;
	if (grt_track_has_strangers(t))
		grt_track_show_late(m, t, ns);
	return err;
}

/*
 * The scheduler takes credits before it says COMMIT, and may be interrupted in between
 * for as long as the machine likes: a SUBMIT says what they are where nothing better
 * is known.
 */
static int queue_submit(struct grt_model *m, uint32_t i, const struct grtrace_submit *rec)
{
	const struct grt_slot *slot = grt_slot_at(m, i);
	int err = 0;

	if (slot->track == GRT_NONE || !grt_track_at(m, slot->track)->credits.is_known)
		err = check_credits(m, slot, rec->credits, rec->hw_credits, true, rec->hdr.ts);
	return err ? err : grt_queue_submit(m, i, rec->hdr.ts);
}

static int queue_commit(struct grt_model *m, uint32_t i, const struct grtrace_commit *rec)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	int err = 0;

	if (!slot->job.credits)
		slot->job.credits = rec->credits;
	if (!(rec->hdr.flags & GRTRACE_F_SYNTHETIC))
		err = grt_cpu_commit(&m->cpu, rec->hdr.cpu, slot->job.ring, &slot->thread);
	if (err)
		return err;
	grt_queue_trust(m, i);
	err = grt_queue_commit(m, i, rec->hdr.ts);
	if (!err && slot->is_on)
		err = check_credits(m, slot, rec->credits, rec->hw_credits, false, rec->hdr.ts);
	grt_dep_over(m, i, rec->hdr.ts, true);
	return err;
}

static void take_end(struct grt_model *m, uint32_t i, const struct grtrace_end *rec)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	slot->job.hw_done_ns = rec->hw_done_ns;
	if (rec->hdr.flags & GRTRACE_F_NO_HW)
		slot->job.flags |= GRT_JOB_NO_HW;
	if (rec->hdr.flags & GRTRACE_F_INFERRED)
		slot->job.flags |= GRT_JOB_INFERRED_END;
	/* COMPLETE may be in already; an error there is the final word. */
	if (!slot->job.has_status || !slot->job.status)
		slot->job.status = rec->status;
	slot->job.has_status = true;
	slot->next = m->ended;
	m->ended = i;
	grt_queue_trust(m, i);
}

/* Of the rules that the recording side looked at: a bit each, in both. */
#define RULES_OF_REC	(GRTRACE_F_RULE1 | GRTRACE_F_RULE2 | GRTRACE_F_RULE3 | GRTRACE_F_RULE4 |	\
			 GRTRACE_F_RULE5 | GRTRACE_F_RULE6 | GRTRACE_F_RULE7 | GRTRACE_F_RULE8)
_Static_assert(GRTRACE_F_RULE1 << 8 == GRT_JOB_RULE1 && GRTRACE_F_RULE8 << 8 == GRT_JOB_RULE8,
	       "flags of rules");

static void take_complete(struct grt_model *m, uint32_t i, const struct grtrace_complete *rec)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	slot->job.flags |= (rec->hdr.flags & RULES_OF_REC) << 8;
	if (rec->hdr.flags & GRTRACE_F_UPPER_BOUND)
		slot->job.flags |= GRT_JOB_UPPER_BOUND;
	if (rec->hdr.flags & GRTRACE_F_INFERRED)
		slot->job.flags |= GRT_JOB_INFERRED_COMPLETE;
	/* Linux 6.1 never hands the hardware's error on: a 0 here does not undo it. */
	if (!slot->job.has_status || rec->status)
		slot->job.status = rec->status;
	slot->job.has_status = true;
	/* Where its END had its say already, time moves on without more ado. */
	if (m->held_fresh == GRT_NONE && !slot->is_settled)
		m->held_fresh = i;
	if (m->held_tail == GRT_NONE) {
		m->held_head = i;
		m->held_until_ns = rec->hdr.ts + GRT_SKEW_NS + grt_held_ns(m);
	} else {
		grt_slot_at(m, m->held_tail)->held_next = i;
	}
	m->held_tail = i;
	if (++m->nr_held == GRT_MANY_HELD)
		m->held_until_ns = rec->hdr.ts + GRT_SKEW_NS;
	grt_queue_trust(m, i);
	grt_dep_over(m, i, rec->hdr.ts, false);
	grt_wake_complete(m, &slot->job);
}

static uint32_t party_of(struct grt_model *m, const struct grt_slot *slot)
{
	struct grt_ctx *ctx = grt_ctx_at(m, slot->ctx);
	const struct grt_party *last;

	if (ctx->party != GRT_NONE) {
		last = grt_parties_at(&m->parties, ctx->party);
		if (last->ring == slot->job.ring && last->process == slot->job.process &&
		    last->client_id == slot->job.client_id)
			return ctx->party;
	}
	ctx->party = grt_model_party_of(m, slot);
	return ctx->party;
}

static inline __attribute__((always_inline)) int take(struct grt_model *m, uint32_t i,
						      const struct grtrace_job_key *rec,
						      enum grt_stamp stamp)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	uint32_t ring = slot->job.ring;
	int err = 0;

	grt_job_stamp(&slot->job, stamp, rec->hdr.ts);
	if (slot->state < state_after[stamp])
		slot->state = state_after[stamp];
	if (rec->hdr.flags & GRTRACE_F_KERNEL_JOB)
		slot->job.flags |= GRT_JOB_KERNEL_JOB;
	if (rec->hdr.flags & GRTRACE_F_KEY_INFERRED)
		slot->job.flags |= GRT_JOB_INFERRED_KEY;
	/* Any event may know the ring; the one that hands the job over knows best. */
	if (rec->ring && (ring == GRT_NONE ||
			  (stamp == GRT_AT_COMMIT &&
			   grt_names_ring_at(&m->names, ring)->id != rec->ring)))
		slot->job.ring = grt_names_ring_row(&m->names, rec->ring);

	if (stamp == GRT_AT_SUBMIT)
		take_submit(m, slot, (const struct grtrace_submit *)rec);
	if (slot->job.ring != ring) {
		err = place(m, i);
		if (err)
			return err;
	}
	if (slot->job.ring != ring || stamp == GRT_AT_SUBMIT)
		slot->job.party = party_of(m, slot);

	switch (stamp) {
	case GRT_AT_SUBMIT:
		err = queue_submit(m, i, (const struct grtrace_submit *)rec);
		break;
	case GRT_AT_COMMIT:
		err = queue_commit(m, i, (const struct grtrace_commit *)rec);
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
	if (!err && (stamp == GRT_AT_COMMIT ||
		     (slot->job.ring != ring && grt_job_has(&slot->job, GRT_AT_COMMIT))))
		err = grt_settle_commit(m, i);
	return err;
}

/* A wait inside the job, told by its driver. */
void grt_life_gpu_wait(struct grt_model *m, const struct grtrace_job_key *rec)
{
	bool is_synthetic = rec->hdr.flags & GRTRACE_F_SYNTHETIC;
	uint32_t i = grt_slot_find(m, is_synthetic, rec->ctx, rec->seqno);
	struct grt_slot *slot = i == GRT_NONE ? NULL : grt_slot_at(m, i);

	if (!slot || !(rec->hdr.flags & GRTRACE_F_GPU_WAIT))
		return;
	if (rec->hdr.type == GRTRACE_SYNC_WAIT_ENTER) {
		slot->gpu_wait_from_ns = rec->hdr.ts;
	} else if (slot->gpu_wait_from_ns) {
		slot->gpu_wait_ns += rec->hdr.ts - slot->gpu_wait_from_ns;
		slot->gpu_wait_from_ns = 0;
		slot->has_gpu_wait = true;
	}
}

/* The ring turned away from a context whose jobs it had not finished. */
void grt_life_preempted(struct grt_model *m, const struct grtrace_ctx_switch *rec)
{
	bool is_synthetic = rec->hdr.flags & GRTRACE_F_SYNTHETIC;
	uint32_t row = grt_keymap_get(&m->ctx_rows, rec->from_ctx, is_synthetic);
	uint32_t i = row == GRT_NONE ? GRT_NONE : grt_ctx_at(m, row)->head;

	for (; i != GRT_NONE; i = grt_slot_at(m, i)->ctx_next)
		if (grt_slot_at(m, i)->is_on) {
			grt_slot_at(m, i)->job.flags |= GRT_JOB_PREEMPTED;
			break;	/* those behind it had not begun */
		}
}

/*
 * An event of job @i, which is complete: it may belong to it still, or be of one of the same
 * key, that has no slot yet.
 */
static __attribute__((noinline)) uint32_t late(struct grt_model *m,
					      const struct grtrace_job_key *rec, uint32_t i)
{
	bool is_synthetic = rec->hdr.flags & GRTRACE_F_SYNTHETIC;

	if (grt_finish_late(m, i, rec->hdr.ts))
		i = grt_slot_find(m, is_synthetic, rec->ctx, rec->seqno);
	if (i == GRT_NONE || grt_slot_at(m, i)->state != GRT_GONE)
		return i;
	grt_jobmap_del(&m->jobs[is_synthetic], rec->ctx, rec->seqno, i);
	grt_slot_at(m, i)->has_key = false;
	return GRT_NONE;
}

/* One function for each stamp is made of it. */
static inline __attribute__((always_inline)) int life_event(struct grt_model *m,
							    const struct grtrace_job_key *rec,
							    enum grt_stamp stamp)
{
	uint32_t i = grt_slot_find(m, rec->hdr.flags & GRTRACE_F_SYNTHETIC, rec->ctx, rec->seqno);
	struct grt_slot *slot;
	enum act act;

	if (i != GRT_NONE && grt_slot_at(m, i)->state >= GRT_COMPLETED)
		i = late(m, rec, i);
	slot = i == GRT_NONE ? NULL : grt_slot_at(m, i);
	act = acts[stamp][slot ? slot->state : GRT_NEW];
	if (act == FILL && grt_job_has(&slot->job, stamp))
		act = stamp == GRT_AT_SUBMIT ? REUSE : REPEAT;
	switch (act) {
	case REPEAT:
		slot->job.flags |= GRT_JOB_REPEATED;
		m->totals.repeated++;
		return 0;
	case REUSE:
		grt_finish(m, i, GRT_WHY_KEY_REUSED);
		i = GRT_NONE;
		/* fall through */
	case OPEN:
		i = open_job(m, rec, i);
		if (i == GRT_NONE)
			return grt_fail_memory();
		break;
	case TAKE:
	case FILL:
		break;
	}
	return take(m, i, rec, stamp);
}

#define GRT_X(NAME, name)								\
	int grt_life_##name(struct grt_model *m, const struct grtrace_job_key *rec)	\
	{										\
		return life_event(m, rec, GRT_AT_##NAME);				\
	}
GRT_STAMPS(GRT_X)
#undef GRT_X
