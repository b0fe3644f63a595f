// SPDX-License-Identifier: LGPL-2.1
/* The life of a job: which event moves it from which state to which. */
#include <errno.h>

#include "error.h"
#include "model_private.h"

enum act {
	TAKE,	/* stamp it and move on */
	FILL,	/* too late to move the job: only stamp it, if that is missing */
	OPEN,	/* a new job: its SUBMIT, or SUBMIT was before the trace or lost */
	REUSE,	/* SUBMIT of a key that has one already: the old job is over */
	REPEAT,	/* the job has that event: the first one counts */
};

/*
 * FILL becomes REPEAT, or REUSE for a SUBMIT, if the job has that stamp.  FILL is for two CPUs
 * that write at the same time, when the wrong one comes first.  A job that is GONE counts as NEW;
 * see late().
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
		.head = GRT_NONE, .tail = GRT_NONE, .turn = GRT_NONE, .client = GRT_NONE,
		.is_synthetic = is_synthetic, .id = id,
	};
	return grt_keymap_put(&m->ctx_rows, id, is_synthetic, row) ? GRT_NONE : row;
}

static void enter_age(struct grt_model *m, uint32_t i)
{
	grt_slot_at(m, i)->age_prev = m->newest;
	if (m->newest == GRT_NONE)
		m->oldest = i;
	else
		grt_slot_at(m, m->newest)->age_next = i;
	m->newest = i;
}

/* @i: the slot of its fence if other jobs wait for it already, else GRT_NONE. */
static __attribute__((noinline)) uint32_t open_job(struct grt_model *m,
						  const struct grtrace_job_key *rec, uint32_t i)
{
	bool is_synthetic = rec->hdr.flags & GRTRACE_F_SYNTHETIC;
	uint32_t row = ctx_row(m, rec->ctx, is_synthetic);
	struct grt_slot *slot;

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
	slot->job.ring = slot->job.process = slot->job.client = GRT_NONE;
	slot->job.flags = is_synthetic ? GRT_JOB_SYNTHETIC : 0;

	slot->opened_ns = rec->hdr.ts;
	/*
	 * The oldest job in flight decides how much is remembered of others.  A job whose first event is its
	 * END needs none of that, and may stay for as long as the trace lasts.
	 */
	if (rec->hdr.type != GRTRACE_END)
		enter_age(m, i);

	slot->ctx = row;
	grt_order_enter(m, grt_ctx_at(m, row), i);
	return i;
}

/* The row of a command; a driver has a few dozen.  0: there are too many. */
static uint8_t command_row(struct grt_model *m, uint32_t command)
{
	unsigned int i;

	for (i = 1; i <= m->nr_commands; i++)
		if (m->commands[i] == command)
			return i;
	if (i == sizeof(m->commands) / sizeof(m->commands[0]))
		return 0;
	m->commands[i] = command;
	return ++m->nr_commands;
}

static void on_submit(struct grt_model *m, struct grt_slot *slot,
		      const struct grtrace_submit *rec)
{
	bool is_kernel = rec->hdr.flags & GRTRACE_F_KERNEL_JOB;

	/*
	 * A job of the kernel does not belong to the process that happens to be current.  Some
	 * sources do not know the process.
	 */
	if (is_kernel || rec->tgid)
		slot->job.process = grt_names_process_row(&m->names, is_kernel ? 0 : rec->tgid,
							  rec->hdr.ts);
	slot->job.tid = is_kernel ? 0 : rec->tid;
	slot->job.client_id = rec->client_id;
	if (rec->hdr.size >= sizeof(*rec) && rec->command)
		slot->command = command_row(m, rec->command);
	if (rec->credits)
		slot->job.credits = rec->credits;
	if (m->movers.armed && grt_movers_submit(&m->movers, rec, &m->names, slot->job.ring, &m->losses))
		slot->job.flags |= GRT_JOB_MEMORY_MOVE;
}

/* Puts job @i at the ring that is known by now. */
static int place(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	bool is_synthetic = slot->job.flags & GRT_JOB_SYNTHETIC;
	uint32_t ring_state = 2 * slot->job.ring + is_synthetic;
	uint64_t ns = m->now_ns;

	if (slot->job.ring == GRT_NONE || slot->ring_state == ring_state)
		return 0;
	/* Its COMMIT may have come before the event that names the ring. */
	if (grt_job_has(&slot->job, GRT_AT_COMMIT))
		ns = slot->job.at_ns[GRT_AT_COMMIT];
	if (!grt_ring_state_of(m, slot->job.ring, is_synthetic, ns))
		return -ENOMEM;
	if (slot->ring_state != GRT_NONE)
		grt_queue_leave(m, i, m->now_ns);
	slot->ring_state = ring_state;
	return 0;
}

/* Compares the source's report with the count of the ring's credits. */
static int check_credits(struct grt_model *m, const struct grt_slot *slot, uint32_t credits,
			 uint32_t in_use, bool is_submit, uint64_t ns)
{
	struct grt_ring_state *t =
		slot->ring_state == GRT_NONE ? NULL : grt_ring_state_at(m, slot->ring_state);
	int err;

	/* A reset takes all credits back for a while, without an event. */
	if (!t || !credits || t->is_recovering)
		return 0;
	err = grt_credits_check(&t->credits, in_use, is_submit, ns);
	t->had_strangers = false;
	if (grt_ring_state_has_strangers(t))
		grt_ring_state_show_late(m, t, ns);
	return err;
}

/*
 * The scheduler takes credits before it reports COMMIT, and may be interrupted in between for any
 * time.  So the report of a SUBMIT counts only if nothing better is known.
 */
static int queue_submit(struct grt_model *m, uint32_t i, const struct grtrace_submit *rec)
{
	const struct grt_slot *slot = grt_slot_at(m, i);
	int err = 0;

	if (slot->ring_state == GRT_NONE ||
	    !grt_ring_state_at(m, slot->ring_state)->credits.is_known)
		err = check_credits(m, slot, rec->credits, rec->hw_credits, true, rec->hdr.ts);
	return err ? err : grt_queue_submit(m, i, rec->queue_depth, rec->hdr.ts);
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
	if (slot->ring_state != GRT_NONE && grt_ring_state_at(m, slot->ring_state)->suspects)
		grt_suspects_passed(m, grt_ring_state_at(m, slot->ring_state), i, rec->hdr.ts);
	err = grt_queue_commit(m, i, rec->hdr.ts);
	if (!err && slot->is_on)
		err = check_credits(m, slot, rec->credits, rec->hw_credits, false, rec->hdr.ts);
	grt_dep_over(m, i, rec->hdr.ts, true);
	return err;
}

static void on_end(struct grt_model *m, uint32_t i, const struct grtrace_end *rec)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	slot->job.hw_done_ns = rec->hw_done_ns;
	if (rec->hdr.flags & GRTRACE_F_NO_HW)
		slot->job.flags |= GRT_JOB_NO_HW;
	if (rec->hdr.flags & GRTRACE_F_INFERRED)
		slot->job.flags |= GRT_JOB_INFERRED_END;
	if (rec->hdr.flags & GRTRACE_F_UPPER_BOUND)
		slot->job.flags |= GRT_JOB_UPPER_BOUND;
	/* COMPLETE may have come before; an error in it is final. */
	if (!(rec->hdr.flags & GRTRACE_F_NO_STATUS)) {
		if (!slot->job.has_status || !slot->job.status)
			slot->job.status = rec->status;
		slot->job.has_status = true;
	}
	slot->next = m->ended;
	m->ended = i;
	grt_queue_trust(m, i);
}

/*
 * Flags of the rules that held when the job was recorded: one bit each, in records and in jobs.
 */
#define RULES_OF_REC	(GRTRACE_F_RULE1 | GRTRACE_F_RULE2 | GRTRACE_F_RULE3 | GRTRACE_F_RULE4 |	\
			 GRTRACE_F_RULE5 | GRTRACE_F_RULE6 | GRTRACE_F_RULE7 | GRTRACE_F_RULE8)
_Static_assert(GRTRACE_F_RULE1 << 8 == GRT_JOB_RULE1 && GRTRACE_F_RULE8 << 8 == GRT_JOB_RULE8,
	       "flags of rules");

static void on_complete(struct grt_model *m, uint32_t i, const struct grtrace_complete *rec)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	slot->job.flags |= (rec->hdr.flags & RULES_OF_REC) << 8;
	if (rec->hdr.flags & GRTRACE_F_UPPER_BOUND)
		slot->job.flags |= GRT_JOB_UPPER_BOUND;
	if (rec->hdr.flags & GRTRACE_F_INFERRED)
		slot->job.flags |= GRT_JOB_INFERRED_COMPLETE;
	/* Linux 6.1 never passes the hardware's error on: a 0 here does not undo it. */
	if (!(rec->hdr.flags & GRTRACE_F_NO_STATUS)) {
		if (!slot->job.has_status || rec->status)
			slot->job.status = rec->status;
		slot->job.has_status = true;
	}
	/* If END was accounted for already, there is nothing to do when time moves on. */
	if (m->held_fresh == GRT_NONE && !slot->is_accounted)
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

static uint32_t client_of(struct grt_model *m, const struct grt_slot *slot)
{
	struct grt_ctx *ctx = grt_ctx_at(m, slot->ctx);
	const struct grt_client *last;

	if (ctx->client != GRT_NONE) {
		last = grt_clients_at(&m->clients, ctx->client);
		if (last->ring == slot->job.ring && last->process == slot->job.process &&
		    last->client_id == slot->job.client_id)
			return ctx->client;
	}
	ctx->client = grt_model_client_of(m, slot);
	return ctx->client;
}

static int on_event(struct grt_model *m, uint32_t i, const struct grtrace_job_key *rec,
		    enum grt_stamp stamp)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	uint32_t ring = slot->job.ring;
	int err = 0;

	if (slot->was_at_loss)
		grt_suspect_heard(m, i);
	grt_job_stamp(&slot->job, stamp, rec->hdr.ts);
	if (slot->state < state_after[stamp])
		slot->state = state_after[stamp];
	if (rec->hdr.flags & GRTRACE_F_KERNEL_JOB)
		slot->job.flags |= GRT_JOB_KERNEL_JOB;
	if (rec->hdr.flags & GRTRACE_F_KEY_INFERRED)
		slot->job.flags |= GRT_JOB_INFERRED_KEY;
	if (stamp == GRT_AT_COMMIT && rec->hdr.flags & GRTRACE_F_NO_SUBMIT)
		slot->job.flags |= GRT_JOB_NO_SUBMIT;
	/* Any event may name the ring; COMMIT knows it best. */
	if (rec->ring && (ring == GRT_NONE ||
			  (stamp == GRT_AT_COMMIT &&
			   grt_names_ring_at(&m->names, ring)->id != rec->ring)))
		slot->job.ring = grt_names_ring_row(&m->names, rec->ring);

	if (stamp == GRT_AT_SUBMIT)
		on_submit(m, slot, (const struct grtrace_submit *)rec);
	if (slot->job.ring != ring) {
		err = place(m, i);
		if (err)
			return err;
	}
	if (slot->job.ring != ring || stamp == GRT_AT_SUBMIT)
		slot->job.client = client_of(m, slot);

	switch (stamp) {
	case GRT_AT_SUBMIT:
		err = queue_submit(m, i, (const struct grtrace_submit *)rec);
		if (!err)
			err = grt_entries_submit(&m->entries, i, grt_slot_at(m, i)->job.tid);
		break;
	case GRT_AT_COMMIT:
		err = queue_commit(m, i, (const struct grtrace_commit *)rec);
		break;
	case GRT_AT_START:
		if (rec->hdr.flags & GRTRACE_F_INFERRED)
			slot->job.flags |= GRT_JOB_INFERRED_START;
		break;
	case GRT_AT_END:
		on_end(m, i, (const struct grtrace_end *)rec);
		break;
	case GRT_AT_COMPLETE:
		on_complete(m, i, (const struct grtrace_complete *)rec);
		break;
	default:
		break;
	}
	if (!err && (stamp == GRT_AT_COMMIT ||
		     (slot->job.ring != ring && grt_job_has(&slot->job, GRT_AT_COMMIT))))
		err = grt_infer_commit(m, i);
	return err;
}

/* The ring switched away from a context before its jobs were finished. */
void grt_life_preempted(struct grt_model *m, const struct grtrace_ctx_switch *rec)
{
	bool is_synthetic = rec->hdr.flags & GRTRACE_F_SYNTHETIC;
	uint32_t row = grt_keymap_get(&m->ctx_rows, rec->from_ctx, is_synthetic);
	uint32_t i = row == GRT_NONE ? GRT_NONE : grt_ctx_at(m, row)->head;

	for (; i != GRT_NONE; i = grt_slot_at(m, i)->ctx_next)
		if (grt_slot_at(m, i)->is_on) {
			grt_slot_at(m, i)->job.flags |= GRT_JOB_PREEMPTED;
			break;	/* jobs behind it had not begun */
		}
}

/*
 * An event with the key of job @i, which is complete: it belongs to that job, or to a new one
 * with the same key, which has no slot yet.
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

/* START came after END, from which a START was derived already: START is unknown now. */
static bool clear_start(struct grt_slot *slot, uint64_t ns)
{
	struct grt_life *job = &slot->job;

	if (!(job->flags & GRT_JOB_INFERRED_START) || !grt_job_has(job, GRT_AT_END) ||
	    ns <= job->at_ns[GRT_AT_END])
		return false;
	job->stamps &= ~(1u << GRT_AT_START);
	job->flags &= ~GRT_JOB_INFERRED_START;
	job->flags |= GRT_JOB_OUT_OF_ORDER;
	return true;
}

/* An event that is a stamp of a job: finds the job, or begins one.  0 or -errno. */
static int life_event(struct grt_model *m, const struct grtrace_job_key *rec,
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
	if (act == OPEN && stamp != GRT_AT_SUBMIT && grt_is_straggler(m, rec))
		return 0;
	switch (act) {
	case REPEAT:
		if (stamp == GRT_AT_START && clear_start(slot, rec->hdr.ts))
			return 0;
		slot->job.flags |= GRT_JOB_REPEATED;
		m->totals.repeated++;
		return 0;
	case REUSE:
		grt_finish(m, i, GRT_LEAVE_KEY_REUSED);
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
	return on_event(m, i, rec, stamp);
}

#define GRT_X(NAME, name)								\
	int grt_life_##name(struct grt_model *m, const struct grtrace_job_key *rec)	\
	{										\
		return life_event(m, rec, GRT_AT_##NAME);				\
	}
GRT_STAMPS(GRT_X)
#undef GRT_X

static void set_declared(struct grt_model *m, struct grt_boot *boot)
{
	m->wants_hindsight |= boot->was_in_doubt && !boot->is_declared;
	boot->is_declared = true;
}

int grt_life_dependency(struct grt_model *m, const struct grtrace_dependency *rec)
{
	uint32_t i;

	if (rec->hdr.flags & GRTRACE_F_DECLARED)
		set_declared(m, grt_boot_of(m, rec->ctx));
	if (rec->hdr.flags & GRTRACE_F_SELF)
		return 0;
	i = grt_fence_slot(m, rec->hdr.flags & GRTRACE_F_SYNTHETIC, rec->ctx, rec->seqno);
	if (i == GRT_NONE)
		return m->err;
	if (grt_slot_at(m, i)->state == GRT_GONE || grt_finish_late(m, i, rec->hdr.ts))
		return 0;
	return grt_dep_event(m, i, rec);
}
