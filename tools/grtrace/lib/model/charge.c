// SPDX-License-Identifier: LGPL-2.1
/*
 * What a job that leaves had waited for: splits its time between SUBMIT and COMMIT into parts,
 * and charges each instant of its wait to the job or fence that is to blame.
 */
#include <errno.h>
#include <stdlib.h>

#include "model_private.h"
#include "span_sums.h"

/*
 * The charges of a job while they are collected.  Positions are in bytes and count on from job to
 * job.
 */
struct charge_list {
	uintptr_t charges;	/* address of the job's first charge, less its position */
	uint64_t *at;		/* latest of each client and reason, perhaps of an earlier job */
	uint64_t next, limit;	/* the end of them, and of the room for them */
	uint64_t own;		/* the first of this job's */
};

/* What is known of the wait of a job; times in order. */
struct wait {
	struct grt_slot *slot;
	struct grt_ctx *ctx;
	const struct grt_ring_state *ring_state;		/* NULL: none */
	uint64_t submit_ns, order_ns, ready_ns, commit_ns, end_ns;
	const struct grt_flying *flying;	/* of a job that is not committed when the trace ends; or NULL */
	bool knows_deps, knows_credits;
	bool has_follower;	/* the job behind it came before its COMMIT */
	struct grt_front *followers;	/* notes what is charged now for the jobs behind, or NULL */
	const struct grt_span_by *run;	/* what the hardware ran then; NULL: not looked for yet */
	uint64_t no_cpu_ns;	/* the part of t_sched without a CPU */
	bool knows_cpu;
	struct charge_list list;
	uint64_t own_end;	/* of the list; the charges from there on are of a job in flight, ... */
	uint32_t own_pieces;	/* and so are the pieces from there on */
};

/* Makes room for @count more charges. */
static inline bool has_room(struct grt_model *m, struct charge_list *b, size_t count)
{
	if (count * sizeof(struct grt_charge) <= b->limit - b->next)
		return true;
	m->charges.bytes = b->next - m->charges_from;
	if (grt_vec_reserve(&m->charges, count * sizeof(struct grt_charge))) {
		m->err = -ENOMEM;
		return false;
	}
	b->charges = (uintptr_t)m->charges.data - m->charges_from;
	b->limit = m->charges_from + m->charges.capacity;
	return true;
}

/*
 * Where in the table of latest charges those of a client are, GRT_NONE: of nobody.  A client has
 * only the reasons before SCHEDULER.
 */
static inline size_t latest_row(uint32_t client)
{
	return client == GRT_NONE ? 0 :
	       GRT_NR_BLAME_REASONS + (size_t)client * GRT_BLAME_SCHEDULER;
}

/*
 * Charges @ns, more than 0, from @from_ns on to @by; there is room.  A job
 * behind many others has hundreds of charges, so a table has the latest one of each client and
 * reason.
 */
static inline void charge_ns(struct charge_list *b, enum grt_stage stage, const struct grt_span_by *by,
			     uint64_t from_ns, uint64_t ns)
{
	uint64_t *latest = &b->at[latest_row(by->client) + by->reason];
	struct grt_charge *c;

	if (*latest < b->own) {
		*latest = b->next;
		b->next += sizeof(*c);
		c = (struct grt_charge *)(b->charges + *latest);
		*c = (struct grt_charge){
			.from_ns = from_ns, .ctx = by->ctx, .seqno = by->seqno,
			.client = by->client, .reason = by->reason, .stage = stage,
			.is_foreign = by->is_foreign, .is_hung = by->is_hung,
		};
	}
	c = (struct grt_charge *)(b->charges + *latest);
	c->ns += ns;
}

static inline void charge(struct charge_list *b, enum grt_stage stage, const struct grt_span_by *by,
			  uint64_t from_ns, uint64_t to_ns)
{
	charge_ns(b, stage, by, from_ns, to_ns - from_ns);
}

/* Charges the time to this job, and notes it for its followers. */
static inline void charge_part(struct grt_model *m, struct wait *w, enum grt_stage stage,
			       const struct grt_span_by *by, uint64_t from_ns, uint64_t to_ns)
{
	if (!has_room(m, &w->list, 1))
		return;
	charge(&w->list, stage, by, from_ns, to_ns);
	if (w->followers && grt_spans_add(&w->followers->spans, by, from_ns, to_ns, false))
		m->err = -ENOMEM;
}

static void charge_unknown(struct grt_model *m, struct wait *w, enum grt_stage stage,
			   uint64_t from_ns, uint64_t to_ns)
{
	const struct grt_span_by nobody = { .client = GRT_NONE, .reason = GRT_BLAME_UNKNOWN };

	if (from_ns < to_ns)
		charge_part(m, w, stage, &nobody, from_ns, to_ns);
}

/* Notes a piece of the wait of this job, and of those behind it. */
static void keep_piece(struct grt_model *m, struct wait *w, const struct grt_piece *piece)
{
	if (grt_vec_append(&m->pieces, piece, sizeof(*piece)) ||
	    (w->followers && grt_front_add(w->followers, piece)))
		m->err = -ENOMEM;
}

/* Charges the time to @by, as a piece of its own. */
static void charge_piece(struct grt_model *m, struct wait *w, enum grt_stage stage,
			 const struct grt_span_by *by, uint64_t from_ns, uint64_t to_ns)
{
	if (m->keeps_pieces)
		keep_piece(m, w, &(struct grt_piece){
			.charge = {
				.from_ns = from_ns, .ns = to_ns - from_ns, .ctx = by->ctx,
				.seqno = by->seqno, .client = by->client, .reason = by->reason,
				.stage = stage, .is_foreign = by->is_foreign, .is_hung = by->is_hung,
			},
		});
	charge_part(m, w, stage, by, from_ns, to_ns);
}

static void charge_nobody(struct grt_model *m, struct wait *w, enum grt_stage stage,
			  uint64_t from_ns, uint64_t to_ns, enum grt_blame_reason reason)
{
	const struct grt_span_by nobody = { .client = GRT_NONE, .reason = reason };

	if (from_ns < to_ns)
		charge_piece(m, w, stage, &nobody, from_ns, to_ns);
}

/* Charges whole spans from @by on, without a gap and up to @to_ns.  Returns the next. */
static const struct grt_span_by *charge_chain(struct charge_list *list, enum grt_stage stage,
					      uint64_t from_ns, uint64_t to_ns,
					      const struct grt_span_by *by,
					      const struct grt_span_by *end)
{
	do {
		charge(list, stage, by, from_ns, by->to_ns);
		from_ns = by->to_ns;
		by++;
	} while (by < end && by->from_ns == from_ns && by->to_ns <= to_ns);
	return by;
}

/*
 * The part of @by from @from_ns on.  @by began earlier and may stand for several jobs of one
 * client: the first of them may have been over by then.
 */
static struct grt_span_by late_part(const struct grt_model *m, const struct wait *w,
				    const struct grt_span_by *by, uint64_t from_ns)
{
	struct grt_span_by part = *by;
	const struct grt_span_by *job;

	if (by->reason != GRT_BLAME_RING || !by->has_more)
		return part;
	job = w->ring_state ? grt_hw_job_at(m, w->ring_state, from_ns) : NULL;
	part.ctx = part.seqno = 0;
	if (job && job->client == by->client) {
		part.ctx = job->ctx;
		part.seqno = job->seqno;
	}
	return part;
}

/*
 * Charges the time as the spans from @by on say, which ends after @from_ns; time without a span
 * is unknown.  Returns the span that @to_ns is in, or the first after it.
 */
static const struct grt_span_by *charge_spans(struct grt_model *m, struct wait *w,
					      enum grt_stage stage, uint64_t from_ns,
					      uint64_t to_ns, const struct grt_span_by *by,
					      const struct grt_span_by *end)
{
	if (from_ns < to_ns && by < end && by->from_ns < from_ns) {
		const struct grt_span_by part = late_part(m, w, by, from_ns);

		charge_part(m, w, stage, &part, from_ns, by->to_ns < to_ns ? by->to_ns : to_ns);
		if (by->to_ns > to_ns)
			return by;
		from_ns = by++->to_ns;
	}
	while (from_ns < to_ns && by < end && by->from_ns < to_ns) {
		if (by->from_ns > from_ns) {
			charge_unknown(m, w, stage, from_ns, by->from_ns);
			from_ns = by->from_ns;
		}
		if (by->to_ns > to_ns) {
			charge_part(m, w, stage, by, from_ns, to_ns);
			return by;
		}
		if (w->followers) {
			charge_part(m, w, stage, by, from_ns, by->to_ns);
			by++;
		} else {
			if (!has_room(m, &w->list, end - by))
				return by;
			by = charge_chain(&w->list, stage, from_ns, to_ns, by, end);
		}
		from_ns = by[-1].to_ns;
	}
	charge_unknown(m, w, stage, from_ns, to_ns);
	return by;
}

/*
 * Charges the spans from *@by on that end by @to_ns, if they have sums and there is no gap between them; then
 * moves *@by behind them.  Returns until when the time is charged now: @from_ns if it is not.
 */
static uint64_t charge_sums(struct grt_model *m, struct wait *w, enum grt_stage stage, uint64_t from_ns,
			    uint64_t to_ns, struct grt_spans *spans, const struct grt_span_by **by)
{
	const struct grt_span_by *end = grt_spans_end(spans), *to = grt_spans_find(spans, *by, to_ns);
	const struct grt_span_sums *sums;

	/* The last span may still grow. */
	if (to == end && to > *by)
		to--;
	sums = grt_spans_sum(spans, *by, to);
	if (!sums || sums->ns != to[-1].to_ns - from_ns || !has_room(m, &w->list, sums->nr_rows))
		return from_ns;
	for (size_t i = 0; i < sums->nr_rows; i++) {
		const struct grt_span_by *first = grt_spans_at(spans, sums->rows[i].first);

		charge_ns(&w->list, stage, first, first->from_ns, sums->rows[i].ns);
	}
	*by = to;
	return to[-1].to_ns;
}

/* Charges the time behind other jobs of the context to what these waited for. */
static void charge_order(struct grt_model *m, struct wait *w)
{
	struct grt_spans none = { .gone = 0 }, *spans = w->ctx->front ? &w->ctx->front->spans : &none;
	const struct grt_span_by *end = grt_spans_end(spans);
	const struct grt_span_by *by = grt_spans_find(spans, grt_spans_begin(spans), w->submit_ns);
	uint64_t from_ns = w->submit_ns;

	if (m->keeps_pieces && from_ns < w->order_ns)
		keep_piece(m, w, &(struct grt_piece){
			.charge = {
				.from_ns = from_ns, .ns = w->order_ns - from_ns, .client = GRT_NONE,
				.reason = GRT_PIECE_FRONT, .stage = GRT_STAGE_ORDER,
			},
			.front = w->ctx->front,
		});
	if (by < end && by->to_ns <= w->order_ns) {
		if (by->from_ns < from_ns) {
			by = charge_spans(m, w, GRT_STAGE_ORDER, from_ns, by->to_ns, by, end);
			from_ns = by[-1].to_ns;
		}
		from_ns = charge_sums(m, w, GRT_STAGE_ORDER, from_ns, w->order_ns, spans, &by);
	}
	charge_spans(m, w, GRT_STAGE_ORDER, from_ns, w->order_ns, by, end);
}

/*
 * Sets @by to the job that the hardware runs now, and returns since when; @to_ns or later if that
 * is not certain.
 */
static uint64_t runs_now(struct grt_model *m, const struct wait *w, uint64_t to_ns,
			 struct grt_span_by *by)
{
	uint64_t from_ns = to_ns;
	bool is_sure;
	uint32_t running = grt_hw_running(m, w->ring_state, &from_ns, &is_sure);
	const struct grt_life *job;

	/* A job does not wait for itself. */
	if (running == GRT_NONE || grt_slot_at(m, running) == w->slot)
		return to_ns;
	job = &grt_slot_at(m, running)->job;
	/* During a reset, only the job that hung runs. */
	if (!is_sure ||
	    (w->ring_state->is_recovering && !grt_ring_state_is_lost(w->ring_state, job)))
		return to_ns;
	*by = (struct grt_span_by){
		.ctx = job->ctx, .seqno = job->seqno, .client = job->client,
		.reason = GRT_BLAME_RING, .is_hung = job->flags & GRT_JOB_HUNG,
	};
	return from_ns;
}

/* Notes the time in which the job waited for what its hardware ran. */
static void keep_runs(struct grt_model *m, struct wait *w, enum grt_stage stage, uint64_t from_ns,
		      uint64_t to_ns)
{
	const struct grt_spans *jobs = grt_hw_jobs(m, w->ring_state);

	if (m->keeps_pieces && from_ns < to_ns)
		keep_piece(m, w, &(struct grt_piece){
			.charge = {
				.from_ns = from_ns, .ns = to_ns - from_ns, .client = GRT_NONE,
				.reason = jobs ? GRT_PIECE_RING : GRT_BLAME_UNKNOWN, .stage = stage,
			},
			.jobs = jobs,
		});
}

/* Charges what the hardware ran, and what it runs now.  Each call is for a later time. */
static void charge_runs(struct grt_model *m, struct wait *w, enum grt_stage stage,
			uint64_t from_ns, uint64_t to_ns)
{
	const struct grt_spans *runs = grt_hw_runs(m, w->ring_state);
	const struct grt_span_by *end = grt_spans_end(runs);
	uint64_t now_ns = to_ns;
	struct grt_span_by by;

	if (from_ns >= to_ns)
		return;
	if (!w->run)
		w->run = grt_spans_late(runs, from_ns);
	w->run = grt_spans_find(runs, w->run, from_ns);
	/* A job that did not run may leave while jobs in front of it still run. */
	if (w->run == end || end[-1].to_ns < to_ns)
		now_ns = runs_now(m, w, to_ns, &by);
	if (now_ns < from_ns)
		now_ns = from_ns;
	if (now_ns > to_ns)
		now_ns = to_ns;
	keep_runs(m, w, stage, from_ns, now_ns);
	w->run = charge_spans(m, w, stage, from_ns, now_ns, w->run, end);
	if (now_ns < to_ns)
		charge_piece(m, w, stage, &by, now_ns, to_ns);
}

/*
 * Whether a job that is not committed when the trace ends may wait for a fence that nobody has
 * reported yet: some sources report it when the scheduler looks at the job.
 */
static bool may_depend(struct grt_model *m, const struct wait *w)
{
	return w->flying && !grt_declares_deps(m, w->slot);
}

/*
 * Charges the time in which the job waited for its ring to the job that ran there, else to the
 * scheduler.
 */
static inline void charge_usual(struct grt_model *m, struct wait *w, enum grt_stage stage,
				uint64_t from_ns, uint64_t to_ns)
{
	if (stage == GRT_STAGE_SCHED)
		charge_nobody(m, w, stage, from_ns, to_ns, may_depend(m, w) ? GRT_BLAME_UNKNOWN :
			      GRT_BLAME_SCHEDULER);
	else
		charge_runs(m, w, stage, from_ns, to_ns);
}

/* The same for a ring that was reset at times: the job that it was reset for is to blame then. */
static void charge_around_resets(struct grt_model *m, struct wait *w, enum grt_stage stage,
				 uint64_t from_ns, uint64_t to_ns)
{
	const struct grt_spans *resets = &w->ring_state->resets;
	const struct grt_span_by *by = grt_spans_find(resets, grt_spans_begin(resets), from_ns);

	for (; from_ns < to_ns && by < grt_spans_end(resets) && by->from_ns < to_ns; by++) {
		uint64_t end_ns = by->to_ns < to_ns ? by->to_ns : to_ns;

		if (from_ns < by->from_ns) {
			charge_usual(m, w, stage, from_ns, by->from_ns);
			from_ns = by->from_ns;
		}
		charge_piece(m, w, stage, by, from_ns, end_ns);
		from_ns = end_ns;
	}
	charge_usual(m, w, stage, from_ns, to_ns);
}

static inline void charge_ring(struct grt_model *m, struct wait *w, enum grt_stage stage,
			       uint64_t from_ns, uint64_t to_ns)
{
	if (grt_deque_is_empty(&w->ring_state->resets.spans))
		charge_usual(m, w, stage, from_ns, to_ns);
	else
		charge_around_resets(m, w, stage, from_ns, to_ns);
}

/* The scheduler could have taken the job.  Did the scheduler have a CPU? */
static void charge_sched(struct grt_model *m, struct wait *w, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t no_cpu_ns;

	charge_ring(m, w, GRT_STAGE_SCHED, from_ns, to_ns);
	if (!w->knows_cpu)
		return;
	w->knows_cpu = grt_cpu_runnable_ns(&m->cpu, w->slot->thread, from_ns, to_ns, &no_cpu_ns);
	w->no_cpu_ns += no_cpu_ns;
}

/* Charges the time between ready and COMMIT.  Returns how long the ring was full. */
static uint64_t charge_ready(struct grt_model *m, struct wait *w)
{
	const struct grt_credits *c = &w->ring_state->credits;
	size_t n = grt_deque_count(&c->flips, struct grt_flip);
	size_t i = grt_credits_flips_until(c, w->ready_ns, w->flying ? w->flying->flips : w->slot->flips);
	bool is_full = i && grt_deque_at(&c->flips, struct grt_flip, i - 1)->is_full;
	uint64_t from_ns = w->ready_ns, full_ns = 0;

	/* Jobs that left because the trace ends gave nothing back. */
	if (w->flying && w->flying->flips - c->flips_gone < n)
		n = w->flying->flips - c->flips_gone;

	while (from_ns < w->commit_ns) {
		uint64_t to_ns = w->commit_ns;

		if (i < n && grt_deque_at(&c->flips, struct grt_flip, i)->ns < to_ns)
			to_ns = grt_deque_at(&c->flips, struct grt_flip, i)->ns;
		if (is_full) {
			full_ns += to_ns - from_ns;
			charge_ring(m, w, GRT_STAGE_RING, from_ns, to_ns);
		} else {
			charge_sched(m, w, from_ns, to_ns);
		}
		from_ns = to_ns;
		is_full = !is_full;
		i++;
	}
	return full_ns;
}

/* Prepares for the charges of one more job.  False without memory. */
static bool begin(struct grt_model *m, struct charge_list *b)
{
	static const uint64_t nowhere;
	size_t keys = latest_row(grt_vec_count(&m->clients.rows, struct grt_client));

	if (keys * sizeof(nowhere) > m->charge_at.bytes &&
	    grt_vec_reach(&m->charge_at, keys - 1, &nowhere, sizeof(nowhere))) {
		m->err = -ENOMEM;
		return false;
	}
	*b = (struct charge_list){
		.charges = (uintptr_t)m->charges.data - m->charges_from,
		.at = m->charge_at.data, .next = m->charges_from,
		.limit = m->charges_from + m->charges.capacity,
		.own = m->charges_from,
	};
	m->pieces.bytes = 0;
	return true;
}

static void set_stage(struct grt_job *job, enum grt_stage stage, uint64_t ns)
{
	job->stage_ns[stage] = ns;
	job->stages |= 1u << stage;
}

/* A job that waits for its COMMIT when the trace ends, which counts as its COMMIT here. */
static bool is_waiting_last(const struct grt_model *m, const struct grt_job *job)
{
	return m->keeps_pieces && job->inflight.until_ns && grt_job_has(job, GRT_AT_SUBMIT) &&
	       !grt_job_has(job, GRT_AT_COMMIT);
}

static bool look_at(struct grt_model *m, uint32_t i, const struct grt_job *job, struct wait *w)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	uint32_t behind = slot->ctx_next;
	bool is_last = is_waiting_last(m, job);
	uint64_t front_ns;

	if (!grt_job_knows(job, GRT_STAGE_SUBMIT_HOST) && !is_last)
		return false;
	*w = (struct wait){
		.slot = slot,
		.ctx = grt_ctx_at(m, slot->ctx),
		.ring_state = slot->ring_state == GRT_NONE ? NULL :
							     grt_ring_state_at(m, slot->ring_state),
		.submit_ns = job->at_ns[GRT_AT_SUBMIT],
		.commit_ns = is_last ? job->inflight.until_ns : job->at_ns[GRT_AT_COMMIT],
		.flying = is_last ? m->flying : NULL,
	};
	w->end_ns = grt_job_knows(job, GRT_STAGE_QUEUE) ? job->at_ns[GRT_AT_START] : w->commit_ns;
	front_ns = is_last ? m->flying->front_ns : slot->front_ns;
	w->order_ns = front_ns > w->submit_ns ? front_ns : w->submit_ns;
	/* By the clock of another CPU, the job in front was committed after it. */
	if (w->order_ns > w->commit_ns && w->order_ns - w->commit_ns <= GRT_SKEW_NS)
		w->order_ns = w->commit_ns;
	w->ready_ns = slot->dep_end_ns > w->order_ns ? slot->dep_end_ns : w->order_ns;
	if (is_last && m->flying->is_behind)
		w->order_ns = w->commit_ns;
	if (is_last && m->flying->has_dep)
		w->ready_ns = w->commit_ns;
	if (w->ready_ns > w->commit_ns || w->ready_ns < w->order_ns)
		w->ready_ns = w->commit_ns;
	w->knows_deps = (is_last ? !m->flying->is_dep_unknown : !slot->is_dep_unknown && !slot->pending) &&
			!grt_lacks_deps(m, slot, slot->opened_ns, w->commit_ns);
	w->knows_cpu = slot->thread &&
		       !grt_gap_touches(&m->no_threads, w->submit_ns, w->commit_ns);
	w->knows_credits = w->knows_deps && w->ring_state && job->credits &&
			   w->ring_state->credits.limit &&
			   (is_last ? m->flying->credits_sure_ns : slot->credits_sure_ns) <= w->ready_ns;
	/* It is unknown whether a job that needs more credits waited there. */
	if (w->knows_credits && w->ring_state->credits.is_mixed &&
	    grt_losses_count(&w->ring_state->doubts) &&
	    grt_losses_touch(&w->ring_state->doubts, w->ready_ns, w->commit_ns))
		w->knows_credits = false;
	w->has_follower = behind != GRT_NONE &&
			  grt_slot_at(m, behind)->opened_ns < w->commit_ns;
	return w->order_ns <= w->commit_ns;
}

/* The fence that the job waited for last, or still waits for. */
static struct grt_span_by dep_of(const struct wait *w, const struct grt_job *job)
{
	const struct grt_flying *f = w->flying && w->flying->has_dep ? w->flying : NULL;

	return (struct grt_span_by){
		.ctx = f ? f->dep_ctx : job->dep_ctx, .seqno = f ? f->dep_seqno : job->dep_seqno,
		.client = f ? f->dep_client : w->slot->dep_client, .reason = GRT_BLAME_FENCE,
		.is_foreign = f ? f->is_dep_foreign : w->slot->is_dep_foreign,
	};
}

/*
 * The part of the time up to @to_ns in which the ring did not run the job itself.  The job that hung did not
 * wait for itself: what it did is not known.
 */
static uint64_t others_until(const struct grt_model *m, const struct wait *w, const struct grt_job *job,
			     uint64_t to_ns)
{
	const struct grt_spans *jobs = grt_hw_jobs(m, w->ring_state);
	const struct grt_span_by *last;

	if (!jobs || grt_deque_is_empty(&jobs->spans))
		return to_ns;
	last = grt_spans_end(jobs) - 1;
	return last->ctx == job->ctx && last->seqno == job->seqno && last->from_ns < to_ns ? last->from_ns :
	       to_ns;
}

/* A job that is on its ring when the trace ends, and has not begun. */
static void charge_on_ring(struct grt_model *m, struct wait *w, const struct grt_job *job)
{
	uint64_t to_ns = job->inflight.run_ns ? job->inflight.run_ns : job->inflight.until_ns;
	uint64_t others_ns = w->end_ns;

	if (!m->keeps_pieces || !job->inflight.until_ns)
		return;
	w->list.own = w->own_end;
	if (w->ring_state && !grt_losses_touch(&m->losses, w->end_ns, to_ns))
		others_ns = others_until(m, w, job, to_ns);
	if (others_ns < w->end_ns)
		others_ns = w->end_ns;
	if (w->end_ns < others_ns)
		charge_ring(m, w, GRT_STAGE_QUEUE, w->end_ns, others_ns);
	charge_nobody(m, w, GRT_STAGE_QUEUE, others_ns, to_ns, GRT_BLAME_UNKNOWN);
}

/* What is charged from here on is no part of its wait, which is not over. */
static void end_own(const struct grt_model *m, struct wait *w)
{
	w->own_end = w->list.next;
	w->own_pieces = grt_vec_count(&m->pieces, struct grt_piece);
}

static void publish(struct grt_model *m, const struct wait *w, struct grt_job *job)
{
	job->charges = m->charges.data;
	job->nr_charges = (w->own_end - m->charges_from) / sizeof(struct grt_charge);
	job->inflight.nr_charges = (w->list.next - w->own_end) / sizeof(struct grt_charge);
	m->charges_from = w->list.next;
	job->pieces = m->pieces.data;
	job->nr_pieces = w->own_pieces;
	job->inflight.nr_pieces = grt_vec_count(&m->pieces, struct grt_piece) - w->own_pieces;
	job->has_follower = w->has_follower;
}

void grt_charge_job(struct grt_model *m, uint32_t i, struct grt_job *job)
{
	uint16_t stages = job->stages;
	struct wait w;

	if (!look_at(m, i, job, &w) || !begin(m, &w.list))
		return;
	if (grt_losses_touch(&m->losses, w.submit_ns, w.end_ns)) {
		/* A part of the wait may still be known, but none of it is certain. */
		job->flags |= GRT_JOB_LOSSY;
		charge_nobody(m, &w, GRT_STAGE_SUBMIT_HOST, w.submit_ns, w.end_ns,
			      GRT_BLAME_UNKNOWN);
		end_own(m, &w);
		w.has_follower = false;
		publish(m, &w, job);
		return;
	}
	charge_order(m, &w);
	set_stage(job, GRT_STAGE_ORDER, w.order_ns - w.submit_ns);
	/* From here on, what holds up this job holds up the jobs behind it, too. */
	if (w.has_follower && !w.ctx->front) {
		w.ctx->front = calloc(1, sizeof(*w.ctx->front));
		if (!w.ctx->front)
			m->err = -ENOMEM;
	}
	w.followers = w.has_follower ? w.ctx->front : NULL;
	if (w.knows_deps) {
		const struct grt_span_by by = dep_of(&w, job);

		if (w.order_ns < w.ready_ns)
			charge_piece(m, &w, GRT_STAGE_DEP, &by, w.order_ns, w.ready_ns);
		set_stage(job, GRT_STAGE_DEP, w.ready_ns - w.order_ns);
	} else {
		w.ready_ns = w.order_ns;
	}
	if (w.knows_credits) {
		uint64_t full_ns = charge_ready(m, &w);

		set_stage(job, GRT_STAGE_RING, full_ns);
		set_stage(job, GRT_STAGE_SCHED, w.commit_ns - w.ready_ns - full_ns);
		if (w.knows_cpu)
			set_stage(job, GRT_STAGE_SCHED_CPU, w.no_cpu_ns);
	} else {
		charge_nobody(m, &w, GRT_STAGE_SUBMIT_HOST, w.ready_ns, w.commit_ns,
			      GRT_BLAME_UNKNOWN);
	}
	w.followers = NULL;
	if (w.ring_state)
		charge_ring(m, &w, GRT_STAGE_QUEUE, w.commit_ns, w.end_ns);
	else
		charge_nobody(m, &w, GRT_STAGE_QUEUE, w.commit_ns, w.end_ns, GRT_BLAME_UNKNOWN);
	if (w.flying) {
		/* Its stages are not over. */
		job->stages = stages;
		w.own_end = m->charges_from;
	} else {
		end_own(m, &w);
		charge_on_ring(m, &w, job);
	}
	publish(m, &w, job);
}
