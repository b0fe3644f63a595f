// SPDX-License-Identifier: LGPL-2.1
/*
 * Jobs at a ring from SUBMIT to END: which job has its turn, which could be handed over, and what
 * the ring's time goes into meanwhile.
 *
 * Some sources report a dependency only when the scheduler looks at it, which may be long after
 * SUBMIT.  So the time of a ring stays open while a job looks ready, until that job is committed
 * or turns out to have waited.
 */
#include "model_private.h"

static struct grt_stretch stretch(uint64_t from_ns, uint64_t to_ns, uint8_t state, uint32_t client)
{
	return (struct grt_stretch){
		.from_ns = from_ns, .to_ns = to_ns, .client = client, .state = state,
	};
}

bool grt_ring_state_is_unsure(const struct grt_model *m, const struct grt_ring_state *t,
			      uint64_t ns)
{
	if (t->suspects || ns < t->unseen.waiting_ns)
		return true;
	return !m->has_hindsight && grt_losses_count(&m->losses) &&
	       grt_losses_at(&m->losses, 0)->from_ns <= ns;
}

/* The state of a ring at which no job is committed. */
static uint8_t idle_state(const struct grt_ring_state *t)
{
	if (t->suspects || t->may_recover)
		return GRT_IDLE_UNKNOWN;
	if (t->is_recovering)
		return GRT_IDLE_RECOVERY;
	if (!t->queued)
		return GRT_IDLE_STARVED;
	return t->doubtful ? GRT_LINE_MAYBE : GRT_IDLE_DEPENDENCY;
}

/* Whether the job that runs on the hardware is of this ring, and since when it runs. */
static bool runs_here(const struct grt_model *m, const struct grt_ring_state *t, uint64_t *from_ns,
		      bool *is_sure)
{
	uint32_t i = grt_hw_running(m, t, from_ns, is_sure);

	return i != GRT_NONE && grt_ring_state_at(m, grt_slot_at(m, i)->ring_state) == t;
}

/* What a ring did since t->since_ns; false: that may still change. */
static bool look(const struct grt_model *m, const struct grt_ring_state *t, struct grt_stretch *s)
{
	uint64_t from_ns;
	bool is_sure;

	*s = stretch(t->since_ns, m->now_ns, GRT_IDLE_STARVED, GRT_NONE);
	if (t->line.nr_open || t->ready != GRT_NONE)
		return false;
	if (t->on) {
		s->state = t->suspects ? GRT_IDLE_UNKNOWN : GRT_LINE_BUSY;
		return !t->is_fifo || (!t->is_recovering && runs_here(m, t, &from_ns, &is_sure) &&
				       is_sure && from_ns <= t->since_ns);
	}
	s->state = idle_state(t);
	return true;
}

bool grt_queue_now(const struct grt_model *m, const struct grt_ring_state *t, struct grt_stretch *s)
{
	uint64_t from_ns;
	bool is_sure = look(m, t, s);

	if (is_sure || s->from_ns >= s->to_ns)
		return s->from_ns < s->to_ns;
	s->state = GRT_IDLE_UNKNOWN;
	s->is_unexplained = !t->on && !t->suspects;
	/* Jobs that wait behind it do not matter. */
	if (t->on && t->is_fifo && !t->suspects && runs_here(m, t, &from_ns, &is_sure) && is_sure &&
	    from_ns <= s->from_ns)
		s->state = GRT_LINE_BUSY;
	return true;
}

/*
 * A ring without events adds no stretch until it is asked.  Its own time stays open: for whom it
 * was idle is known when the idle time ends.
 */
static void ask_silent(struct grt_model *m, const struct grt_ring_state *ahead)
{
	const struct grt_vec *silent = grt_device_silent(m, ahead);

	for (size_t i = 0; i < grt_vec_count(silent, uint32_t); i++) {
		struct grt_ring_state *t = grt_ring_state_at(m, *grt_vec_at(silent, uint32_t, i));
		struct grt_stretch s;

		if (grt_deque_is_empty(&t->line.parts) && look(m, t, &s))
			grt_timeline_show(m, t, &s);
	}
	grt_device_retry(m, ahead);
}

static void add(struct grt_model *m, struct grt_ring_state *t, const struct grt_stretch *s)
{
	grt_timeline_add(m, t, s);
	if (m->ahead != GRT_NONE) {
		uint32_t ahead = m->ahead;

		m->ahead = GRT_NONE;
		ask_silent(m, grt_ring_state_at(m, ahead));
	}
}

/* Adds to the timeline what an idle ring did up to @ns.  Call it before that changes. */
static void report_idle(struct grt_model *m, struct grt_ring_state *t, uint64_t ns, uint32_t client)
{
	struct grt_stretch s = stretch(t->since_ns, ns, GRT_IDLE_DEPENDENCY, GRT_NONE);

	if (t->on || ns <= t->since_ns)
		return;
	s.state = idle_state(t);
	if (s.state == GRT_IDLE_RECOVERY) {
		s.ctx = t->lost_ctx;
		s.seqno = t->lost_seqno;
		s.client = t->lost_client;
	} else if (s.state == GRT_IDLE_STARVED) {
		s.client = client;
	}
	t->since_ns = ns;
	add(m, t, &s);
}

/* Adds the time up to @ns at a ring with committed jobs, as @state; a reset in it as recovery. */
static void report_gap(struct grt_model *m, struct grt_ring_state *t, uint64_t ns, uint8_t state,
		       uint32_t client)
{
	uint64_t from_ns = t->reset_from_ns, to_ns = t->reset_to_ns;
	struct grt_stretch s;

	if (state == GRT_IDLE_HARDWARE && t->suspects)
		state = GRT_IDLE_UNKNOWN;
	if (state == GRT_IDLE_HARDWARE && t->since_ns < t->doubt_ns)
		report_gap(m, t, ns < t->doubt_ns ? ns : t->doubt_ns, GRT_IDLE_UNKNOWN, GRT_NONE);
	/* Before the next check: where time runs back, no time of the reset is left. */
	if (to_ns > ns)
		to_ns = ns;
	if (state == GRT_IDLE_HARDWARE && from_ns < ns && to_ns > t->since_ns) {
		if (from_ns < t->since_ns)
			from_ns = t->since_ns;
		s = stretch(t->since_ns, from_ns, state, client);
		add(m, t, &s);
		s = stretch(from_ns, to_ns, GRT_IDLE_RECOVERY, t->lost_client);
		s.ctx = t->lost_ctx;
		s.seqno = t->lost_seqno;
		add(m, t, &s);
		t->since_ns = to_ns;
	}
	if (ns <= t->since_ns)
		return;
	s = stretch(t->since_ns, ns, state, client);
	add(m, t, &s);
	t->since_ns = ns;
}

/* Adds the time up to @ns, before what waits or runs at the ring becomes certain or uncertain. */
static void report_all(struct grt_model *m, struct grt_ring_state *t, uint64_t ns)
{
	report_idle(m, t, ns, GRT_NONE);
	if (t->on && !t->is_fifo)
		report_gap(m, t, ns, t->suspects ? GRT_IDLE_UNKNOWN : GRT_LINE_BUSY, GRT_NONE);
}

void grt_queue_settle(struct grt_model *m, struct grt_ring_state *t)
{
	if (t->is_live)
		report_all(m, t, m->now_ns);
}

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
	if (!grt_declares_deps(m, slot) || grt_ctx_at(m, slot->ctx)->strangers_ns)
		return GRT_LINE_MAYBE;
	return GRT_IDLE_SCHEDULER;
}

/* Job @i turns out to be ready since slot->ready_ns: charges @client from then to @ns. */
static void mark_ready(struct grt_model *m, struct grt_ring_state *t, uint32_t i, uint64_t ns,
		       uint8_t state, uint32_t client)
{
	const struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_stretch mine = stretch(slot->ready_ns, ns, state, client);
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

	report_idle(m, t, ns, GRT_NONE);
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

	/* With equal times its COMMIT may have come first. */
	if (slot->place != GRT_PLACE_NONE || grt_job_has(&slot->job, GRT_AT_COMMIT) ||
	    grt_job_has(&slot->job, GRT_AT_COMPLETE) || slot->ring_state == GRT_NONE)
		return 0;
	t = grt_ring_state_at(m, slot->ring_state);
	if (!t->queued)
		report_idle(m, t, ns, slot->job.client);
	else if (!t->doubtful && is_doubtful)
		report_idle(m, t, ns, GRT_NONE);
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

	report_idle(m, t, ns, GRT_NONE);
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

/* Since when it is certain how much the jobs ask for that the scheduler may hand over, of which job @slot is one. */
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
		report_idle(m, t, ns, GRT_NONE);
		t->may_recover = false;
		t->on++;
		t->on_credits += credits_of(slot);
		slot->is_on = true;
		err = grt_credits_consume(&t->credits, credits_of(slot), ns);
	}
	return err ? err : next_head(m, ctx, ns);
}

/* Adds what the hardware did until the job of @slot ended. */
static void report_run(struct grt_model *m, struct grt_ring_state *t, const struct grt_slot *slot,
		       uint64_t ns)
{
	const struct grt_life *job = &slot->job;
	uint64_t start_ns = job->at_ns[GRT_AT_START], first_ns;
	bool is_sure;
	struct grt_stretch s;

	if (job->flags & GRT_JOB_NO_HW)
		return;
	if (!grt_job_has(job, GRT_AT_START) || start_ns > ns) {
		report_gap(m, t, ns, GRT_IDLE_UNKNOWN, GRT_NONE);
		return;
	}
	/* It ended before a job in front of it, which runs, too. */
	if (grt_hw_is_behind(m, slot) && runs_here(m, t, &first_ns, &is_sure) && is_sure &&
	    first_ns < start_ns)
		start_ns = first_ns;
	/* Its whole life is at one instant: its SUBMIT came last, to an idle ring. */
	if (!t->on && grt_job_has(job, GRT_AT_SUBMIT) && job->at_ns[GRT_AT_SUBMIT] == start_ns)
		report_idle(m, t, start_ns, job->client);
	if (start_ns > t->since_ns)
		report_gap(m, t, start_ns,
			   t->on ? GRT_IDLE_HARDWARE : GRT_IDLE_UNKNOWN,
			   t->on ? job->client : GRT_NONE);
	if (ns <= t->since_ns)
		return;
	s = stretch(t->since_ns, ns, GRT_LINE_BUSY, GRT_NONE);
	add(m, t, &s);
	t->since_ns = ns;
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
		report_run(m, t, slot, ns);
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
		report_all(m, t, ns);
		report_gap(m, t, ns, GRT_IDLE_HARDWARE, slot->job.client);
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
			report_gap(m, t, ns, GRT_IDLE_UNKNOWN, GRT_NONE);
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

/* A reset of the ring begins at @rec, which may name the job that hung. */
static void begin_reset(struct grt_model *m, struct grt_ring_state *t,
			const struct grtrace_job_key *rec)
{
	const struct grt_ring_state *hung = rec->ctx ? NULL : grt_device_hung(m, t);
	uint32_t lost = grt_slot_find(m, rec->hdr.flags & GRTRACE_F_SYNTHETIC, rec->ctx, rec->seqno);
	uint64_t ns = rec->hdr.ts;

	t->is_recovering = true;
	if (t->hwq != GRT_NONE)
		grt_hw_queue_at(m, t->hwq)->resets++;
	t->reset_from_ns = ns;
	t->reset_to_ns = UINT64_MAX;
	t->lost_ctx = hung ? hung->lost_ctx : rec->ctx;
	t->lost_seqno = hung ? hung->lost_seqno : rec->seqno;
	t->lost_client = hung ? hung->lost_client : GRT_NONE;
	if (lost != GRT_NONE) {
		t->lost_client = grt_slot_at(m, lost)->job.client;
		grt_slot_at(m, lost)->job.flags |= GRT_JOB_HUNG;
	}
	if (m->oldest != GRT_NONE)
		grt_spans_drop(&t->resets, grt_slot_at(m, m->oldest)->opened_ns);
	if (grt_spans_add(&t->resets, &(struct grt_span_by){
				.ctx = t->lost_ctx, .seqno = t->lost_seqno,
				.client = t->lost_client, .reason = GRT_BLAME_RECOVERY,
			}, ns, UINT64_MAX, true))
		m->err = -ENOMEM;
	grt_device_hangs(m, t);
}

static void end_reset(struct grt_model *m, struct grt_ring_state *t, uint64_t ns)
{
	grt_device_recovers(m, t);
	t->is_recovering = false;
	if (t->hwq != GRT_NONE && grt_hw_queue_at(m, t->hwq)->resets)
		grt_hw_queue_at(m, t->hwq)->resets--;
	t->reset_to_ns = ns;
	if (!grt_deque_is_empty(&t->resets.spans))
		(grt_deque_end(&t->resets.spans, struct grt_span_by) - 1)->to_ns = ns;
}

/* Whether the event that began the reset of @rec may be missing: it was lost, or came before the trace began. */
static bool may_have_begun(struct grt_model *m, const struct grt_ring_state *t, uint32_t code,
			   const struct grtrace_job_key *rec)
{
	uint32_t hung;

	if (code != GRTRACE_ERROR_RESET)
		return code == GRTRACE_ERROR_RECOVERED;
	if (grt_losses_count(&m->losses))
		return true;
	if (t->reset_from_ns || !rec->ctx)
		return false;
	/* The timeout of a job that was handed over in the trace would be in it, too. */
	hung = grt_slot_find(m, rec->hdr.flags & GRTRACE_F_SYNTHETIC, rec->ctx, rec->seqno);
	return hung == GRT_NONE || !grt_job_has(&grt_slot_at(m, hung)->job, GRT_AT_COMMIT);
}

void grt_queue_error(struct grt_model *m, uint32_t ring, uint32_t code,
		     const struct grtrace_job_key *rec)
{
	struct grt_ring_state *t =
		grt_ring_state_of(m, ring, rec->hdr.flags & GRTRACE_F_SYNTHETIC, rec->hdr.ts);
	uint64_t ns = rec->hdr.ts;

	if (!t)
		return;
	report_idle(m, t, ns, GRT_NONE);
	t->may_recover = false;
	if (!t->is_recovering && may_have_begun(m, t, code, rec))
		grt_ring_state_show_late(m, t, ns);
	if (code == GRTRACE_ERROR_TIMEOUT || code == GRTRACE_ERROR_RESET) {
		if (!t->is_recovering)
			begin_reset(m, t, rec);
	} else if (code == GRTRACE_ERROR_RECOVERED && t->is_recovering) {
		end_reset(m, t, ns);
		/* The first job on a FIFO ring begins now, perhaps again. */
		if (t->is_fifo && t->on && m->ended == GRT_NONE &&
		    grt_hw_begins(m, t))
			report_gap(m, t, ns, grt_losses_touch(&m->losses, t->since_ns, ns) ?
				   GRT_IDLE_UNKNOWN : GRT_IDLE_HARDWARE, GRT_NONE);
	}
}

/* Events are missing up to @ns. */
void grt_queue_lose_events(struct grt_model *m, struct grt_ring_state *t, uint64_t ns)
{
	report_all(m, t, ns);
	if (grt_ring_state_has_strangers(t))
		grt_ring_state_show_late(m, t, ns);
	grt_credits_lose(&t->credits);
	if (t->is_recovering) {
		/* Perhaps the ring is still being reset. */
		end_reset(m, t, ns);
		t->may_recover = true;
		t->doubt_ns = ns;
	}
}

void grt_queue_clear(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ring_state *t = grt_ring_state_at(m, slot->ring_state);

	report_all(m, t, m->now_ns);
	slot->is_suspect = false;
	t->suspects--;
	t->unsure_ns = m->now_ns;
}

/* The first job at a FIFO ring is the one that runs, if no events are missing. */
static void report_first_job(struct grt_model *m, struct grt_ring_state *t, uint64_t ns)
{
	uint64_t from_ns;
	bool is_sure;

	if (!t->is_fifo) {
		report_all(m, t, ns);
		return;
	}
	if (t->is_recovering && grt_hw_begins(m, t)) {
		/*
		 * It is not known yet whether jobs here have run, or will only after the reset.
		 */
		report_gap(m, t, ns, GRT_IDLE_UNKNOWN, GRT_NONE);
	} else if (runs_here(m, t, &from_ns, &is_sure)) {
		if (from_ns > t->since_ns)
			report_gap(m, t, from_ns, is_sure ? GRT_IDLE_HARDWARE : GRT_IDLE_UNKNOWN,
				   GRT_NONE);
		report_gap(m, t, ns, is_sure ? GRT_LINE_BUSY : GRT_IDLE_UNKNOWN, GRT_NONE);
	} else {
		report_gap(m, t, ns, is_sure ? GRT_IDLE_HARDWARE : GRT_IDLE_UNKNOWN, GRT_NONE);
	}
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
			report_first_job(m, t, ns);
		else
			report_idle(m, t, ns, GRT_NONE);
		mark_last_ready(m, t, ns);
		grt_timeline_finish(m, t);
	}
	m->is_over = true;
}
