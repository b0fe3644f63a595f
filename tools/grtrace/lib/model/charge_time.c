// SPDX-License-Identifier: LGPL-2.1
/* Charges each instant of a wait to the job or fence that is to blame. */
#include <errno.h>
#include <stdlib.h>

#include "charge_private.h"
#include "span_sums.h"

/* Makes room for @count more charges. */
static inline bool has_room(struct grt_model *m, struct grt_charge_list *b, size_t count)
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
static inline void charge_ns(struct grt_charge_list *b, enum grt_stage stage, const struct grt_span_by *by,
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

static inline void charge(struct grt_charge_list *b, enum grt_stage stage, const struct grt_span_by *by,
			  uint64_t from_ns, uint64_t to_ns)
{
	charge_ns(b, stage, by, from_ns, to_ns - from_ns);
}

/* Charges the time to this job, and notes it for its followers. */
static inline void charge_part(struct grt_model *m, struct grt_wait *w, enum grt_stage stage,
			       const struct grt_span_by *by, uint64_t from_ns, uint64_t to_ns)
{
	if (!w->is_log) {
		if (!has_room(m, &w->list, 1))
			return;
		charge(&w->list, stage, by, from_ns, to_ns);
	}
	if (w->followers && grt_spans_add(&w->followers->spans, by, from_ns, to_ns, false))
		m->err = -ENOMEM;
}

static void charge_unknown(struct grt_model *m, struct grt_wait *w, enum grt_stage stage,
			   uint64_t from_ns, uint64_t to_ns)
{
	const struct grt_span_by nobody = { .client = GRT_NONE, .reason = GRT_BLAME_UNKNOWN };

	if (from_ns < to_ns)
		charge_part(m, w, stage, &nobody, from_ns, to_ns);
}

/* Notes a piece of the wait of this job, and of those behind it. */
static void keep_piece(struct grt_model *m, struct grt_wait *w, const struct grt_piece *piece)
{
	if ((!w->is_log && grt_vec_append(&m->pieces, piece, sizeof(*piece))) ||
	    (w->followers && grt_front_add(w->followers, piece)))
		m->err = -ENOMEM;
}

/* Charges the time to @by, as a piece of its own. */
void grt_charge_piece(struct grt_model *m, struct grt_wait *w, enum grt_stage stage,
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

void grt_charge_nobody(struct grt_model *m, struct grt_wait *w, enum grt_stage stage,
			  uint64_t from_ns, uint64_t to_ns, enum grt_blame_reason reason)
{
	const struct grt_span_by nobody = { .client = GRT_NONE, .reason = reason };

	if (from_ns < to_ns)
		grt_charge_piece(m, w, stage, &nobody, from_ns, to_ns);
}

/* Charges whole spans from @by on, without a gap and up to @to_ns.  Returns the next. */
static const struct grt_span_by *charge_chain(struct grt_charge_list *list, enum grt_stage stage,
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
static struct grt_span_by late_part(const struct grt_model *m, const struct grt_wait *w,
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
static const struct grt_span_by *charge_spans(struct grt_model *m, struct grt_wait *w,
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

/* The stage of a ready job at @ns. */
static enum grt_stage ready_stage(const struct grt_credits *c, uint64_t ns)
{
	size_t i = grt_credits_flips_until(c, ns, 0);

	return i && grt_deque_at(&c->flips, struct grt_flip, i - 1)->is_full ? GRT_STAGE_RING : GRT_STAGE_SCHED;
}

/*
 * Charges the spans from *@by on that end by @to_ns, if they have sums and there is no gap between them; then
 * moves *@by behind them.  Returns until when the time is charged now: @from_ns if it is not.
 */
static uint64_t charge_sums(struct grt_model *m, struct grt_wait *w, enum grt_stage stage, uint64_t from_ns,
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

		charge_ns(&w->list, stage == GRT_STAGE_ORDER ? stage :
			  ready_stage(&w->ring_state->credits, first->from_ns), first, first->from_ns,
			  sums->rows[i].ns);
	}
	*by = to;
	return to[-1].to_ns;
}

/* Charges the time behind other jobs of the context to what these waited for. */
void grt_charge_order(struct grt_model *m, struct grt_wait *w)
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
		} else {
			/* The oldest spans may be dropped. */
			charge_unknown(m, w, GRT_STAGE_ORDER, from_ns, by->from_ns);
			from_ns = by->from_ns;
		}
		from_ns = charge_sums(m, w, GRT_STAGE_ORDER, from_ns, w->order_ns, spans, &by);
	}
	charge_spans(m, w, GRT_STAGE_ORDER, from_ns, w->order_ns, by, end);
}

/*
 * Sets @by to the job that the hardware runs now, and returns since when; @to_ns or later if that
 * is not certain.
 */
static uint64_t runs_now(struct grt_model *m, const struct grt_wait *w, uint64_t to_ns,
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
static void keep_runs(struct grt_model *m, struct grt_wait *w, enum grt_stage stage, uint64_t from_ns,
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
static void charge_runs(struct grt_model *m, struct grt_wait *w, enum grt_stage stage,
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
		grt_charge_piece(m, w, stage, &by, now_ns, to_ns);
}

/*
 * Whether a job that is not committed when the trace ends may wait for a fence that nobody has
 * reported yet: some sources report it when the scheduler looks at the job.
 */
static bool may_depend(struct grt_model *m, const struct grt_wait *w)
{
	return w->flying && !grt_declares_deps(m, w->slot);
}

/*
 * Charges the time in which the job waited for its ring to the job that ran there, else to the
 * scheduler.
 */
static inline void charge_usual(struct grt_model *m, struct grt_wait *w, enum grt_stage stage,
				uint64_t from_ns, uint64_t to_ns)
{
	if (stage == GRT_STAGE_SCHED)
		grt_charge_nobody(m, w, stage, from_ns, to_ns, may_depend(m, w) ? GRT_BLAME_UNKNOWN :
			      GRT_BLAME_SCHEDULER);
	else
		charge_runs(m, w, stage, from_ns, to_ns);
}

/* The same, but the time of a reset is charged to the job that hung. */
static void charge_around_resets(struct grt_model *m, struct grt_wait *w, enum grt_stage stage,
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
		grt_charge_piece(m, w, stage, by, from_ns, end_ns);
		from_ns = end_ns;
	}
	charge_usual(m, w, stage, from_ns, to_ns);
}

void grt_charge_ring(struct grt_model *m, struct grt_wait *w, enum grt_stage stage,
			       uint64_t from_ns, uint64_t to_ns)
{
	if (grt_deque_is_empty(&w->ring_state->resets.spans))
		charge_usual(m, w, stage, from_ns, to_ns);
	else
		charge_around_resets(m, w, stage, from_ns, to_ns);
}

/* The scheduler could have taken the job.  Did the scheduler have a CPU? */
static void charge_sched(struct grt_model *m, struct grt_wait *w, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t no_cpu_ns;

	grt_charge_ring(m, w, GRT_STAGE_SCHED, from_ns, to_ns);
	if (!w->knows_cpu)
		return;
	w->knows_cpu = grt_cpu_runnable_ns(&m->cpu, w->slot->thread, from_ns, to_ns, &no_cpu_ns);
	w->no_cpu_ns += no_cpu_ns;
}

/*
 * Charges the time from @from_ns up to @to_ns, when the job was ready: to jobs on the ring while that was full, else
 * to the scheduler.  @i: the first flip behind @from_ns; @n: no flip from this one on counts.  Returns how long
 * the ring was full.
 */
static uint64_t charge_flips(struct grt_model *m, struct grt_wait *w, uint64_t from_ns, uint64_t to_ns, size_t i,
			     size_t n)
{
	const struct grt_credits *c = &w->ring_state->credits;
	bool is_full = i && grt_deque_at(&c->flips, struct grt_flip, i - 1)->is_full;
	uint64_t full_ns = 0;

	while (from_ns < to_ns) {
		uint64_t end_ns = to_ns;

		if (i < n && grt_deque_at(&c->flips, struct grt_flip, i)->ns < end_ns)
			end_ns = grt_deque_at(&c->flips, struct grt_flip, i)->ns;
		if (is_full) {
			full_ns += end_ns - from_ns;
			grt_charge_ring(m, w, GRT_STAGE_RING, from_ns, end_ns);
		} else {
			charge_sched(m, w, from_ns, end_ns);
		}
		from_ns = end_ns;
		is_full = !is_full;
		i++;
	}
	return full_ns;
}

static uint64_t end_of(const struct grt_spans *s)
{
	return s && !grt_deque_is_empty(&s->spans) ? grt_spans_end(s)[-1].to_ns : 0;
}

/* Jobs that left because the trace ends gave nothing back: their flips do not count. */
static size_t nr_flips(const struct grt_wait *w)
{
	const struct grt_credits *c = &w->ring_state->credits;
	size_t n = grt_deque_count(&c->flips, struct grt_flip);

	return w->flying && w->flying->flips - c->flips_gone < n ? w->flying->flips - c->flips_gone : n;
}

static struct grt_front *room_of(struct grt_model *m, const struct grt_wait *w)
{
	struct grt_front **room = may_depend(m, w) ? &w->ring_state->last_room : &w->ring_state->room;

	if (!*room)
		*room = calloc(1, sizeof(**room));
	if (!*room)
		m->err = -ENOMEM;
	return *room;
}

/*
 * All jobs that are ready at one ring wait for the same.  This brings the log of that up to date: up to the
 * COMMIT of this job, but not beyond what is certain by now.  Returns the log; NULL without memory.
 */
static struct grt_front *extend_room(struct grt_model *m, const struct grt_wait *w)
{
	struct grt_ring_state *t = w->ring_state;
	struct grt_wait log = { .slot = w->slot, .ring_state = t, .flying = w->flying, .is_log = true };
	uint64_t from_ns = m->oldest == GRT_NONE ? w->ready_ns : grt_slot_at(m, m->oldest)->opened_ns;
	uint64_t to_ns = grt_credits_final_ns(&t->credits), ran_ns = end_of(grt_hw_jobs(m, t));

	if (to_ns > ran_ns)
		to_ns = ran_ns;
	if (to_ns > w->commit_ns)
		to_ns = w->commit_ns;
	if (from_ns > w->ready_ns)
		from_ns = w->ready_ns;
	log.followers = room_of(m, w);
	if (!log.followers)
		return NULL;
	if (end_of(&log.followers->spans))
		from_ns = end_of(&log.followers->spans);
	charge_flips(m, &log, from_ns, to_ns, grt_credits_flips_until(&t->credits, from_ns, 0), nr_flips(w));
	return log.followers;
}

/* Charges the spans of a log from @from_ns up to @to_ns, which are in it; most of them by their sums. */
static void charge_room_spans(struct grt_model *m, struct grt_wait *w, struct grt_spans *spans, uint64_t from_ns,
			      uint64_t to_ns)
{
	const struct grt_credits *c = &w->ring_state->credits;
	const struct grt_span_by *end = grt_spans_end(spans);
	const struct grt_span_by *by = grt_spans_find(spans, grt_spans_begin(spans), from_ns);

	for (bool is_first = true; from_ns < to_ns && by < end; is_first = false) {
		uint64_t end_ns = by->to_ns < to_ns ? by->to_ns : to_ns;

		by = charge_spans(m, w, ready_stage(c, from_ns), from_ns, end_ns, by, end);
		from_ns = end_ns;
		if (is_first && !w->followers && by < end)
			from_ns = charge_sums(m, w, GRT_STAGE_RING, from_ns, to_ns, spans, &by);
	}
}

#define MANY_FLIPS	16	/* with fewer, a walk is not slower */

/*
 * Charges the part of the time between ready and COMMIT that is in the log of the ring, and adds to *@full_ns how long the
 * ring was full.  Returns until when that is.  @then: grt_credits_flips() when the job was committed.
 */
static uint64_t charge_room(struct grt_model *m, struct grt_wait *w, uint32_t then, size_t i, uint64_t *full_ns)
{
	const struct grt_credits *c = &w->ring_state->credits;
	uint64_t from_ns = w->ready_ns, to_ns;
	struct grt_front *room;
	size_t end;

	/* What threads without a CPU held up is charged one by one. */
	if (w->knows_cpu || grt_credits_flips_until(c, w->commit_ns, then) - i < MANY_FLIPS)
		return from_ns;
	room = extend_room(m, w);
	to_ns = room ? end_of(&room->spans) : 0;
	if (to_ns > w->commit_ns)
		to_ns = w->commit_ns;
	if (to_ns <= from_ns || grt_spans_begin(&room->spans)->from_ns > from_ns)
		return from_ns;
	end = grt_credits_flips_until(c, to_ns, then);
	*full_ns += grt_credits_full_ns(c, end, to_ns) - grt_credits_full_ns(c, i, from_ns);
	if (m->keeps_pieces)
		keep_piece(m, w, &(struct grt_piece){
			.charge = {
				.from_ns = from_ns, .ns = to_ns - from_ns, .client = GRT_NONE,
				.reason = GRT_PIECE_ROOM, .stage = ready_stage(c, from_ns),
			},
			.front = room,
		});
	charge_room_spans(m, w, &room->spans, from_ns, to_ns);
	return to_ns;
}

uint64_t grt_charge_ready(struct grt_model *m, struct grt_wait *w)
{
	const struct grt_credits *c = &w->ring_state->credits;
	uint32_t then = w->flying ? w->flying->flips : w->slot->flips;
	size_t i = grt_credits_flips_until(c, w->ready_ns, then);
	uint64_t from_ns, full_ns = 0;

	from_ns = charge_room(m, w, then, i, &full_ns);
	if (from_ns > w->ready_ns)
		i = grt_credits_flips_until(c, from_ns, then);
	return full_ns + charge_flips(m, w, from_ns, w->commit_ns, i, nr_flips(w));
}

/* Prepares for the charges of one more job.  False without memory. */
bool grt_charge_begin(struct grt_model *m, struct grt_charge_list *b)
{
	static const uint64_t nowhere;
	size_t keys = latest_row(grt_vec_count(&m->clients.rows, struct grt_client));

	if (keys * sizeof(nowhere) > m->charge_at.bytes &&
	    grt_vec_reach(&m->charge_at, keys - 1, &nowhere, sizeof(nowhere))) {
		m->err = -ENOMEM;
		return false;
	}
	*b = (struct grt_charge_list){
		.charges = (uintptr_t)m->charges.data - m->charges_from,
		.at = m->charge_at.data, .next = m->charges_from,
		.limit = m->charges_from + m->charges.capacity,
		.own = m->charges_from,
	};
	m->pieces.bytes = 0;
	return true;
}
