// SPDX-License-Identifier: LGPL-2.1
/*
 * Jobs at a ring from SUBMIT to END: which job has its turn, and which could be handed over.
 *
 * Some sources report a dependency only when the scheduler looks at it, which may be long after
 * SUBMIT.  So the time of a ring stays open while a job looks ready, until that job is committed
 * or turns out to have waited.
 */
#include "model_private.h"

/* Finalizes stretches up to the earliest time at which a job may have been ready. */
void grt_queue_finalize(struct grt_model *m, struct grt_ring_state *t)
{
	if (t->line.nr_open)
		grt_timeline_finalize(m, t, grt_ring_state_ready_since(m, t));
}

/*
 * The state of the ring while a job without a COMMIT looks ready.  The job is known to be ready
 * only if its source declares all fences, and if all jobs in front of it were seen.
 */
static uint8_t ready_state(struct grt_model *m, const struct grt_slot *slot)
{
	if (!grt_declares_deps(m, slot)) {
		grt_boot_of(m, slot->job.ctx)->was_in_doubt = true;
		return GRT_LINE_MAYBE;
	}
	return grt_ctx_at(m, slot->ctx)->strangers_ns ? GRT_LINE_MAYBE : GRT_IDLE_SCHEDULER;
}

/* Job @i turns out to be ready since slot->ready_ns: charges @client from then to @ns. */
static void mark_ready(struct grt_model *m, struct grt_ring_state *t, uint32_t i, uint64_t ns,
		       uint8_t state, uint32_t client)
{
	const struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_stretch mine = { .from_ns = slot->ready_ns, .to_ns = ns, .state = state, .client = client };
	struct grt_stretch before = { .client = GRT_NONE };
	bool is_whole;

	/* Usually no stretch is open: all time is final. */
	if (!slot->is_ready || !t->line.nr_open)
		return;
	/* Events of its dependencies may be missing. */
	is_whole = !grt_losses_touch(&m->losses, slot->opened_ns, ns) &&
		   !grt_lacks_deps(m, slot, slot->opened_ns, ns);
	if (state == GRT_IDLE_SCHEDULER && !is_whole)
		mine.state = GRT_LINE_MAYBE;
	if (mine.client != GRT_NONE) {
		mine.ctx = slot->job.ctx;
		mine.seqno = slot->job.seqno;
	}
	/* The ring had waited for the dependency that let the job go. */
	if (is_whole && slot->dep_end_ns == slot->ready_ns) {
		before.client = slot->dep_client;
		before.ctx = slot->job.dep_ctx;
		before.seqno = slot->job.dep_seqno;
	}
	grt_timeline_ready(m, t, &mine, &before);
}

static void mark_job_ready(struct grt_model *m, struct grt_ring_state *t, uint32_t i, uint64_t ns,
			   uint8_t state)
{
	mark_ready(m, t, i, ns, state, grt_slot_at(m, i)->job.client);
}

/* Jobs that are ready at the end.  Of several, nobody knows which would have gone first. */
static void mark_last_ready(struct grt_model *m, struct grt_ring_state *t, uint64_t ns)
{
	while (t->ready != GRT_NONE) {
		uint32_t i = t->ready;
		const struct grt_slot *slot = grt_slot_at(m, i);

		mark_ready(m, t, i, ns, ready_state(m, slot),
			   slot->ready_next == GRT_NONE ? slot->job.client : GRT_NONE);
		grt_ring_state_unlink_ready(m, t, i);
	}
}

void grt_queue_withdraw(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_ring_state *t = grt_ring_state_at(m, grt_slot_at(m, i)->ring_state);

	grt_ring_report_idle(m, t, ns, GRT_NONE);
	mark_job_ready(m, t, i, ns, GRT_LINE_MAYBE);
}

static uint32_t credits_of(const struct grt_slot *slot)
{
	return slot->job.credits ? slot->job.credits : 1;
}

static int set_candidate(struct grt_ring_state *t, struct grt_slot *slot, bool is_candidate,
			 uint64_t ns)
{
	if (slot->is_candidate == is_candidate)
		return 0;
	slot->is_candidate = is_candidate;
	return grt_credits_want(&t->credits, credits_of(slot), is_candidate ? 1 : -1, ns);
}

static int become_head(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ring_state *t = grt_ring_state_at(m, slot->ring_state);

	slot->place = GRT_PLACE_HEAD;
	grt_ctx_at(m, slot->ctx)->turn_ns = ns;
	if (!slot->pending && !slot->is_doubtful)
		grt_ring_state_link_ready(m, t, i, ns);
	if (slot->is_suspect && !slot->pending && grt_ring_state_may_pass(t, i))
		return -ENOMEM;
	return slot->blocked ? 0 : set_candidate(t, slot, true, ns);
}

/* The next job of a context has its turn. */
static int next_head(struct grt_model *m, struct grt_ctx *ctx, uint64_t ns)
{
	uint32_t i = ctx->turn;

	if (i != GRT_NONE && grt_slot_at(m, i)->place == GRT_PLACE_HEAD)
		return 0;
	while (i != GRT_NONE && grt_slot_at(m, i)->place != GRT_PLACE_BEHIND)
		i = grt_slot_at(m, i)->ctx_next;
	ctx->turn = i;
	return i == GRT_NONE ? 0 : become_head(m, i, ns);
}

/*
 * Notes whether unseen jobs are in front of this one.  The source counts jobs a moment before it
 * stamps the SUBMIT; some of them may have been handed over since then.
 */
static void note_strangers(struct grt_ctx *ctx, uint32_t depth, uint64_t ns)
{
	if (depth <= ctx->queued)
		ctx->strangers_ns = 0;
	else if (!ctx->strangers_ns && depth > ctx->queued + ctx->commits)
		ctx->strangers_ns = ns;
	ctx->commits = 0;
	ctx->queued++;
}

/* Unseen jobs in front of job @slot were not handed over: the ring had work all the time. */
static void report_unseen_jobs(struct grt_model *m, const struct grt_slot *slot)
{
	uint64_t ns = grt_ctx_at(m, slot->ctx)->strangers_ns;

	if (ns)
		grt_ring_state_show_late(m, grt_ring_state_at(m, slot->ring_state), ns);
}

/* Job @i looked as if it had its turn; one in front of it is submitted now, by the clock of another CPU. */
static int step_back(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ring_state *t = grt_ring_state_at(m, slot->ring_state);
	int err = set_candidate(t, slot, false, ns);

	if (slot->is_ready) {
		grt_queue_withdraw(m, i, ns);
		grt_ring_state_unlink_ready(m, t, i);
		grt_queue_finalize(m, t);
	}
	slot->place = GRT_PLACE_BEHIND;
	return err;
}

int grt_queue_submit(struct grt_model *m, uint32_t i, uint32_t depth, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ctx *ctx = grt_ctx_at(m, slot->ctx);
	bool is_doubtful = slot->is_dep_unknown || grt_lacks_deps(m, slot, slot->opened_ns, ns);
	struct grt_ring_state *t;
	int err = 0;

	if (slot->ring_state == GRT_NONE)
		return 0;
	t = grt_ring_state_at(m, slot->ring_state);
	/* With equal times its COMMIT may have come first. */
	if (grt_job_has(&slot->job, GRT_AT_COMMIT))
		grt_timeline_starved_for(t, slot->job.at_ns[GRT_AT_COMMIT], slot->job.client);
	if (slot->place != GRT_PLACE_NONE || grt_job_has(&slot->job, GRT_AT_COMMIT) ||
	    grt_job_has(&slot->job, GRT_AT_COMPLETE))
		return 0;
	if (!t->queued)
		grt_ring_report_idle(m, t, ns, slot->job.client);
	else if (!t->doubtful && is_doubtful)
		grt_ring_report_idle(m, t, ns, GRT_NONE);
	t->queued++;
	slot->is_doubtful = is_doubtful;
	t->doubtful += is_doubtful;
	slot->place = GRT_PLACE_BEHIND;
	note_strangers(ctx, depth, ns);
	if (ctx->turn != GRT_NONE) {
		if (slot->ctx_next != ctx->turn)
			return 0;
		err = step_back(m, ctx->turn, ns);
	}
	ctx->turn = i;
	slot->is_strange = ctx->strangers_ns;
	t->strange += slot->is_strange;
	return err ? err : become_head(m, i, ns);
}

/* Job @i no longer waits; @state: what the time was while it was ready. */
static int dequeue(struct grt_model *m, uint32_t i, uint64_t ns, uint8_t state)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ring_state *t = grt_ring_state_at(m, slot->ring_state);
	int err;

	grt_ring_report_idle(m, t, ns, GRT_NONE);
	mark_job_ready(m, t, i, ns, state);
	grt_ring_state_unlink_ready(m, t, i);
	err = set_candidate(t, slot, false, ns);
	slot->place = GRT_PLACE_LEFT;
	grt_ctx_at(m, slot->ctx)->queued--;
	t->queued--;
	if (slot->is_doubtful) {
		slot->is_doubtful = false;
		t->doubtful--;
		t->unsure_ns = ns;
	}
	if (slot->is_strange) {
		slot->is_strange = false;
		t->strange--;
		t->strange_ns = ns;
	}
	grt_queue_finalize(m, t);
	return err;
}

/*
 * How many credits do the jobs ask for that could be handed over?  Returns since when that is certain; @slot is one of these
 * jobs.
 */
static uint64_t wants_sure_ns(struct grt_model *m, const struct grt_ring_state *t, const struct grt_slot *slot, uint64_t ns)
{
	uint64_t sure_ns = t->unsure_ns > t->unseen.waiting_ns ? t->unsure_ns : t->unseen.waiting_ns;

	if (!t->credits.is_mixed)
		return 0;
	if (t->doubtful || t->strange > slot->is_strange || grt_ring_state_is_unsure(m, t, ns))
		return UINT64_MAX;
	return sure_ns > t->strange_ns ? sure_ns : t->strange_ns;
}

/*
 * COMMITs of a context come in order.  If one is missing, or comes later from another CPU, its job was
 * handed over before.  Job @until might have been handed over since then, but it was no candidate, so
 * its credits are not certain.
 */
static int pass_over(struct grt_model *m, struct grt_ctx *ctx, uint32_t until, uint64_t ns)
{
	for (uint32_t i = ctx->turn; i != GRT_NONE; i = grt_slot_at(m, i)->ctx_next) {
		struct grt_slot *slot = grt_slot_at(m, i);
		int err;

		if (i == until || grt_is_older(grt_slot_at(m, until)->job.seqno, slot->job.seqno))
			break;
		if (!grt_slot_is_queued(slot))
			continue;
		err = dequeue(m, i, ns, GRT_IDLE_SCHEDULER);
		if (err)
			return err;
		grt_slot_at(m, until)->credits_sure_ns = UINT64_MAX;
	}
	return 0;
}

int grt_queue_commit(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ctx *ctx = grt_ctx_at(m, slot->ctx);
	struct grt_ring_state *t;
	bool was_left_out = grt_order_commit(m, i, ns);
	uint64_t sure_ns;
	int err;

	if (slot->ring_state == GRT_NONE)
		return 0;
	t = grt_ring_state_at(m, slot->ring_state);
	slot->flips = grt_credits_flips(&t->credits);
	slot->credits_sure_ns = t->credits.sure_ns;
	sure_ns = was_left_out ? UINT64_MAX : wants_sure_ns(m, t, slot, ns);
	if (slot->credits_sure_ns < sure_ns)
		slot->credits_sure_ns = sure_ns;
	err = pass_over(m, ctx, i, ns);
	if (!err && grt_slot_is_queued(slot))
		err = dequeue(m, i, ns, GRT_IDLE_SCHEDULER);
	if (err)
		return err;
	slot->place = GRT_PLACE_LEFT;
	/* END or COMPLETE with the same time may have come first. */
	if (!grt_job_has(&slot->job, GRT_AT_END) && !grt_job_has(&slot->job, GRT_AT_COMPLETE)) {
		grt_ring_report_idle(m, t, ns, GRT_NONE);
		t->may_recover = false;
		t->on++;
		t->on_credits += credits_of(slot);
		slot->is_on = true;
		err = grt_credits_consume(&t->credits, credits_of(slot), ns);
	}
	return err ? err : next_head(m, ctx, ns);
}

/* Job @i is over, and nobody saw that it was handed over. */
static void leave_queue(struct grt_model *m, uint32_t i, uint64_t ns, uint8_t state)
{
	struct grt_ctx *ctx = grt_ctx_at(m, grt_slot_at(m, i)->ctx);
	bool had_turn = ctx->turn == i;

	dequeue(m, i, ns, state);
	if (had_turn)
		next_head(m, ctx, ns);
}

void grt_queue_end(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ring_state *t;

	if (slot->ring_state == GRT_NONE)
		return;
	t = grt_ring_state_at(m, slot->ring_state);
	if (grt_slot_is_queued(slot))
		leave_queue(m, i, ns, GRT_LINE_MAYBE);
	if (t->is_fifo)
		grt_ring_report_run(m, t, slot, ns);
	if (!slot->is_on) {
		/* It was committed before the trace, or while events were lost. */
		if (!grt_job_has(&slot->job, GRT_AT_COMMIT)) {
			t->had_strangers |= grt_ring_state_has_strangers(t);
			grt_credits_lose(&t->credits);
		}
		return;
	}
	grt_credits_give(&t->credits, credits_of(slot), ns);
	t->on_credits -= credits_of(slot);
	slot->is_on = false;
	if (t->on == 1) {
		grt_ring_report_all(m, t, ns);
		grt_ring_report_gap(m, t, ns, GRT_IDLE_HARDWARE, slot->job.client);
	}
	t->on--;
}

void grt_queue_remove(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ring_state *t;

	if (m->is_over)
		return;
	t = grt_ring_state_at(m, slot->ring_state);
	if (grt_slot_is_queued(slot)) {
		report_unseen_jobs(m, slot);
		leave_queue(m, i, ns, ready_state(m, slot));
	}
	if (slot->is_on) {
		t->doubt_ns = ns;
		if (t->on == 1)
			grt_ring_report_gap(m, t, ns, GRT_IDLE_UNKNOWN, GRT_NONE);
		slot->is_on = false;
		t->on--;
		t->on_credits -= credits_of(slot);
		/* After a loss, the count is a new report of the source, without this job. */
		if (!grt_losses_touch(&m->losses, slot->job.at_ns[GRT_AT_COMMIT], ns))
			grt_credits_give(&t->credits, credits_of(slot), ns);
	}
	if (slot->is_suspect)
		grt_queue_clear(m, i);
}

void grt_queue_wait(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ring_state *t;

	if (slot->place != GRT_PLACE_HEAD)
		return;
	t = grt_ring_state_at(m, slot->ring_state);
	/* A fence that is not over now was not over before. */
	if (slot->pending && slot->is_ready) {
		grt_ring_state_unlink_ready(m, t, i);
		grt_queue_finalize(m, t);
	}
	if (slot->blocked)
		set_candidate(t, slot, false, ns);
}

void grt_queue_wake(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ring_state *t;

	if (slot->place != GRT_PLACE_HEAD)
		return;
	t = grt_ring_state_at(m, slot->ring_state);
	/* The event tells of the past: the job in front was in the way for longer. */
	if (ns < grt_ctx_at(m, slot->ctx)->turn_ns)
		ns = grt_ctx_at(m, slot->ctx)->turn_ns;
	/* The time since then was reported without this job, or may have been. */
	if (m->now_ns > ns && (t->since_ns > ns || m->now_ns - ns > GRT_SKEW_NS))
		grt_queue_doubt_since(m, i, ns);
	if (!slot->pending && !slot->is_ready && !slot->is_doubtful)
		grt_ring_state_link_ready(m, t, i, ns);
	if (slot->is_suspect && !slot->pending && grt_ring_state_may_pass(t, i))
		m->err = -ENOMEM;
	if (!slot->blocked)
		set_candidate(t, slot, true, ns);
}

void grt_queue_was_waiting(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	if (slot->is_ready && slot->ready_ns < ns)
		grt_ring_state_move_ready(m, i, ns);
}

/* Events are missing up to @ns. */
void grt_queue_lose_events(struct grt_model *m, struct grt_ring_state *t, uint64_t ns)
{
	grt_ring_report_all(m, t, ns);
	if (grt_ring_state_has_strangers(t))
		grt_ring_state_show_late(m, t, ns);
	grt_credits_lose(&t->credits);
	grt_reset_lose_events(m, t, ns);
}

void grt_queue_clear(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ring_state *t = grt_ring_state_at(m, slot->ring_state);

	grt_ring_report_all(m, t, m->now_ns);
	slot->is_suspect = false;
	t->suspects--;
	t->unsure_ns = m->now_ns;
}

void grt_queue_finish(struct grt_model *m)
{
	uint64_t ns = m->totals.last_ns;

	for (uint32_t i = m->oldest; i != GRT_NONE; i = grt_slot_at(m, i)->age_next)
		if (grt_slot_is_queued(grt_slot_at(m, i)))
			report_unseen_jobs(m, grt_slot_at(m, i));
	for (uint32_t i = 0; i < grt_ring_state_count(m); i++) {
		struct grt_ring_state *t = grt_ring_state_at(m, i);

		if (!t->is_live)
			continue;
		if (t->had_strangers || grt_ring_state_has_strangers(t))
			grt_ring_state_show_late(m, t, ns);
		if (t->on)
			grt_ring_report_first(m, t, ns);
		else
			grt_ring_report_idle(m, t, ns, GRT_NONE);
		mark_last_ready(m, t, ns);
		grt_timeline_finish(m, t);
	}
	m->is_over = true;
}
