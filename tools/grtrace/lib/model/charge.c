// SPDX-License-Identifier: LGPL-2.1
/*
 * What a job that leaves had waited for: its time between SUBMIT and COMMIT in parts,
 * and for every instant of its wait who is to blame.
 */
#include <errno.h>

#include "inside.h"

/*
 * The charges of a job while they are made out.  Where they are counts on from job to job,
 * in bytes.
 */
struct bill {
	uintptr_t charges;	/* where they are, less where the job's first one is */
	uint64_t *at;		/* the latest of each party and way; it may be another job's */
	uint64_t next, limit;	/* the end of them, and of the room for them */
	uint64_t own;		/* the first of this job's; UINT64_MAX: each stands alone */
};

/* What is known of the wait of a job; times in order. */
struct wait {
	struct grt_slot *slot;
	struct grt_ctx *ctx;
	const struct grt_track *track;		/* NULL: none */
	uint64_t submit_ns, order_ns, ready_ns, commit_ns, end_ns;
	bool knows_deps, knows_credits;
	bool has_follower;	/* a job behind it is charged as it is */
	struct grt_spans *heirs;	/* where those behind it find what is charged now, or NULL */
	const struct grt_span_by *run;	/* what the hardware ran then; NULL: not looked for yet */
	uint64_t no_cpu_ns;	/* of t_sched, without a CPU */
	bool knows_cpu;
	struct bill bill;
};

/* Room for @count charges more. */
static inline bool has_room(struct grt_model *m, struct bill *b, size_t count)
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
 * Charges the time from @from_ns to @to_ns, which is some, to @by; there is room.  A job
 * behind many others has charges by the hundred, so the one of a party and way is found by
 * its number.  Whether there is one cannot be guessed, so there is no branch for it: a new
 * one is written behind the last in any case, and is one if need be.
 */
static inline void charge(struct bill *b, enum grt_stage stage, const struct grt_span_by *by,
			  uint64_t from_ns, uint64_t to_ns)
{
	uint64_t *latest = &b->at[(size_t)(by->party + 1) * GRT_NR_THROUGHS + by->through];
	uint64_t at = *latest, is_new = -(uint64_t)(at < b->own);	/* all bits or none */
	struct grt_charge *c = (struct grt_charge *)(b->charges + b->next);

	c->from_ns = from_ns;
	c->ns = 0;
	c->ctx = by->ctx;
	c->seqno = by->seqno;
	c->party = by->party;
	c->through = by->through;
	c->stage = stage;
	at ^= (at ^ b->next) & is_new;
	*latest = at;
	b->next += sizeof(*c) & is_new;
	c = (struct grt_charge *)(b->charges + at);
	c->ns += to_ns - from_ns;
}

/* The same for this job and for its heirs. */
static inline void charge_part(struct grt_model *m, struct wait *w, enum grt_stage stage,
			       const struct grt_span_by *by, uint64_t from_ns, uint64_t to_ns)
{
	if (!has_room(m, &w->bill, 1))
		return;
	charge(&w->bill, stage, by, from_ns, to_ns);
	if (w->heirs && grt_spans_add(w->heirs, by, from_ns, to_ns, m->keeps_pieces))
		m->err = -ENOMEM;
}

static void charge_nobody(struct grt_model *m, struct wait *w, enum grt_stage stage,
			  uint64_t from_ns, uint64_t to_ns, enum grt_through through)
{
	const struct grt_span_by nobody = { .party = GRT_NONE, .through = through };

	if (from_ns < to_ns)
		charge_part(m, w, stage, &nobody, from_ns, to_ns);
}

/* Whole spans from @by on, one after the other and not beyond @to_ns.  Returns the next. */
static const struct grt_span_by *charge_chain(struct bill *bill, enum grt_stage stage,
					      uint64_t from_ns, uint64_t to_ns,
					      const struct grt_span_by *by,
					      const struct grt_span_by *end)
{
	struct bill b = *bill;	/* stays in registers */

	do {
		charge(&b, stage, by, from_ns, by->to_ns);
		from_ns = by->to_ns;
		by++;
	} while (by < end && by->from_ns == from_ns && by->to_ns <= to_ns);
	bill->next = b.next;
	return by;
}

/*
 * As the spans from @by on tell, which ends after @from_ns; what they do not tell is not
 * known.  Returns the one that @to_ns is in, or the first after it.
 */
static const struct grt_span_by *charge_spans(struct grt_model *m, struct wait *w,
					      enum grt_stage stage, uint64_t from_ns,
					      uint64_t to_ns, const struct grt_span_by *by,
					      const struct grt_span_by *end)
{
	while (from_ns < to_ns && by < end && by->from_ns < to_ns) {
		if (by->from_ns > from_ns) {
			charge_nobody(m, w, stage, from_ns, by->from_ns, GRT_THROUGH_UNKNOWN);
			from_ns = by->from_ns;
		}
		if (by->to_ns > to_ns) {
			charge_part(m, w, stage, by, from_ns, to_ns);
			return by;
		}
		if (w->heirs) {
			charge_part(m, w, stage, by, from_ns, by->to_ns);
			by++;
		} else {
			if (!has_room(m, &w->bill, end - by))
				return by;
			by = charge_chain(&w->bill, stage, from_ns, to_ns, by, end);
		}
		from_ns = by[-1].to_ns;
	}
	charge_nobody(m, w, stage, from_ns, to_ns, GRT_THROUGH_UNKNOWN);
	return by;
}

/* What the hardware runs now, from when on; @to_ns and later where that is not sure. */
static uint64_t runs_now(struct grt_model *m, const struct wait *w, uint64_t to_ns,
			 struct grt_span_by *by)
{
	uint64_t from_ns = to_ns;
	bool is_sure;
	uint32_t running = grt_settle_running(m, w->track, &from_ns, &is_sure);
	const struct grt_job *job;

	if (running == GRT_NONE)
		return to_ns;
	job = &grt_slot_at(m, running)->job;
	/* What waits for the end of a reset does not run, but for the job that hung. */
	if (!is_sure || (w->track->is_recovering && !grt_track_is_lost(w->track, job)))
		return to_ns;
	*by = (struct grt_span_by){
		.ctx = job->ctx, .seqno = job->seqno, .party = job->party,
		.through = GRT_THROUGH_RING,
	};
	return from_ns;
}

/* As the hardware ran, and what it runs now.  Later each time. */
static void charge_runs(struct grt_model *m, struct wait *w, enum grt_stage stage,
			uint64_t from_ns, uint64_t to_ns)
{
	const struct grt_spans *runs = grt_settle_runs(m, w->track);
	const struct grt_span_by *end = grt_spans_end(runs);
	uint64_t now_ns = to_ns;
	struct grt_span_by by;

	if (from_ns >= to_ns)
		return;
	if (!w->run)
		w->run = grt_spans_late(runs, from_ns);
	w->run = grt_spans_find(runs, w->run, from_ns);
	/* A job that did not run may go while those in front of it still run. */
	if (w->run == end || end[-1].to_ns < to_ns)
		now_ns = runs_now(m, w, to_ns, &by);
	if (now_ns < from_ns)
		now_ns = from_ns;
	if (now_ns > to_ns)
		now_ns = to_ns;
	w->run = charge_spans(m, w, stage, from_ns, now_ns, w->run, end);
	if (now_ns < to_ns)
		charge_part(m, w, stage, &by, now_ns, to_ns);
}

/* The scheduler could have taken it; did it have a CPU? */
static void charge_sched(struct grt_model *m, struct wait *w, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t no_cpu_ns;

	charge_nobody(m, w, GRT_STAGE_SCHED, from_ns, to_ns, GRT_THROUGH_SCHEDULER);
	if (!w->knows_cpu)
		return;
	w->knows_cpu = grt_cpu_runnable_ns(&m->cpu, w->slot->thread, from_ns, to_ns, &no_cpu_ns);
	w->no_cpu_ns += no_cpu_ns;
}

/* Between ready and COMMIT.  Returns how long the ring was full. */
static uint64_t charge_ready(struct grt_model *m, struct wait *w)
{
	const struct grt_credits *c = &w->track->credits;
	size_t n = grt_deque_count(&c->flips, struct grt_flip);
	size_t i = grt_credits_flips_until(c, w->ready_ns, w->slot->flips);
	bool is_full = i && grt_deque_at(&c->flips, struct grt_flip, i - 1)->is_full;
	uint64_t from_ns = w->ready_ns, full_ns = 0;

	while (from_ns < w->commit_ns) {
		uint64_t to_ns = w->commit_ns;

		if (i < n && grt_deque_at(&c->flips, struct grt_flip, i)->ns < to_ns)
			to_ns = grt_deque_at(&c->flips, struct grt_flip, i)->ns;
		if (is_full) {
			full_ns += to_ns - from_ns;
			charge_runs(m, w, GRT_STAGE_RING, from_ns, to_ns);
		} else {
			charge_sched(m, w, from_ns, to_ns);
		}
		from_ns = to_ns;
		is_full = !is_full;
		i++;
	}
	return full_ns;
}

/* Makes ready for the charges of one more job.  False without memory. */
static bool begin(struct grt_model *m, struct bill *b)
{
	static const uint64_t nowhere;
	size_t keys = (grt_vec_count(&m->parties.rows, struct grt_party) + 1) * GRT_NR_THROUGHS;

	if (keys * sizeof(nowhere) > m->charge_at.bytes &&
	    grt_vec_reach(&m->charge_at, keys - 1, &nowhere, sizeof(nowhere))) {
		m->err = -ENOMEM;
		return false;
	}
	*b = (struct bill){
		.charges = (uintptr_t)m->charges.data - m->charges_from,
		.at = m->charge_at.data, .next = m->charges_from,
		.limit = m->charges_from + m->charges.capacity,
		.own = m->keeps_pieces ? UINT64_MAX : m->charges_from,
	};
	return true;
}

static void set_stage(struct grt_job *job, enum grt_stage stage, uint64_t ns)
{
	job->stage_ns[stage] = ns;
	job->stages |= 1u << stage;
}

static bool look_at(struct grt_model *m, uint32_t i, struct wait *w)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_job *job = &slot->job;
	uint32_t behind = slot->ctx_next;

	if (!grt_job_knows(job, GRT_STAGE_SUBMIT_HOST))
		return false;
	*w = (struct wait){
		.slot = slot, .ctx = grt_ctx_at(m, slot->ctx),
		.track = slot->track == GRT_NONE ? NULL : grt_track_at(m, slot->track),
		.submit_ns = job->at_ns[GRT_AT_SUBMIT], .commit_ns = job->at_ns[GRT_AT_COMMIT],
	};
	w->end_ns = grt_job_knows(job, GRT_STAGE_QUEUE) ? job->at_ns[GRT_AT_START] : w->commit_ns;
	w->order_ns = slot->front_ns > w->submit_ns ? slot->front_ns : w->submit_ns;
	w->ready_ns = slot->dep_end_ns > w->order_ns ? slot->dep_end_ns : w->order_ns;
	if (w->ready_ns > w->commit_ns)
		w->ready_ns = w->commit_ns;
	w->knows_deps = !slot->is_dep_unknown && !slot->pending &&
			!grt_gap_touches(&m->no_deps, slot->opened_ns, w->commit_ns);
	w->knows_cpu = slot->thread &&
		       !grt_gap_touches(&m->no_threads, w->submit_ns, w->commit_ns);
	w->knows_credits = w->knows_deps && w->track && job->credits &&
			   w->track->credits.limit && slot->credits_sure_ns <= w->ready_ns;
	w->has_follower = behind != GRT_NONE &&
			  grt_slot_at(m, behind)->opened_ns < w->commit_ns;
	return w->order_ns <= w->commit_ns;
}

void grt_charge_job(struct grt_model *m, uint32_t i)
{
	struct grt_job *job = &grt_slot_at(m, i)->job;
	struct wait w;

	if (!look_at(m, i, &w) || !begin(m, &w.bill))
		return;
	if (grt_losses_touch(&m->losses, w.submit_ns, w.end_ns)) {
		/* Some of it may be known still; none of it is sure. */
		job->flags |= GRT_JOB_LOSSY;
		charge_nobody(m, &w, GRT_STAGE_SUBMIT_HOST, w.submit_ns, w.end_ns,
			      GRT_THROUGH_UNKNOWN);
		goto publish;
	}
	charge_spans(m, &w, GRT_STAGE_ORDER, w.submit_ns, w.order_ns,
		     grt_spans_find(&w.ctx->spans, grt_spans_begin(&w.ctx->spans), w.submit_ns),
		     grt_spans_end(&w.ctx->spans));
	set_stage(job, GRT_STAGE_ORDER, w.order_ns - w.submit_ns);
	/* From here on, what holds it up holds up those behind it. */
	w.heirs = w.has_follower ? &w.ctx->spans : NULL;
	if (w.knows_deps) {
		const struct grt_span_by by = {
			.ctx = job->dep_ctx, .seqno = job->dep_seqno,
			.party = w.slot->dep_party, .through = GRT_THROUGH_FENCE,
		};

		if (w.order_ns < w.ready_ns)
			charge_part(m, &w, GRT_STAGE_DEP, &by, w.order_ns, w.ready_ns);
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
			      GRT_THROUGH_UNKNOWN);
	}
	w.heirs = NULL;
	if (w.track)
		charge_runs(m, &w, GRT_STAGE_QUEUE, w.commit_ns, w.end_ns);
	else
		charge_nobody(m, &w, GRT_STAGE_QUEUE, w.commit_ns, w.end_ns, GRT_THROUGH_UNKNOWN);
publish:
	job->charges = m->charges.data;
	job->nr_charges = (w.bill.next - m->charges_from) / sizeof(struct grt_charge);
	m->charges_from = w.bill.next;
}
