// SPDX-License-Identifier: LGPL-2.1
/*
 * What a job that leaves had waited for: its time between SUBMIT and COMMIT in parts,
 * and for every instant of its wait who is to blame.
 */
#include <errno.h>

#include "inside.h"

/* What is known of the wait of a job; times in order. */
struct wait {
	struct grt_slot *slot;
	struct grt_ctx *ctx;
	const struct grt_track *track;		/* NULL: none */
	uint64_t submit_ns, order_ns, ready_ns, commit_ns, end_ns;
	bool knows_deps, knows_credits;
	bool has_follower;	/* a job behind it is charged as it is */
	uint64_t no_cpu_ns;	/* of t_sched, without a CPU */
	bool knows_cpu;
};

/* A new charge, from @from_ns on. */
static void add_charge(struct grt_model *m, enum grt_stage stage, const struct grt_span_by *by,
		       uint64_t from_ns, uint64_t to_ns)
{
	size_t key = (size_t)(by->party + 1) * GRT_NR_THROUGHS + by->through;
	size_t have = grt_vec_count(&m->charge_at, uint32_t);
	uint32_t bytes = m->charges.bytes;
	struct grt_charge *c = grt_vec_grow(&m->charges, sizeof(*c));
	uint32_t *at;

	if (have <= key) {
		at = grt_vec_grow(&m->charge_at, (key + 1 - have) * sizeof(*at));
		if (at)
			memset(at, 0, (key + 1 - have) * sizeof(*at));
		have = grt_vec_count(&m->charge_at, uint32_t);
	}
	if (!c || have <= key) {
		m->err = -ENOMEM;
		return;
	}
	*grt_vec_at(&m->charge_at, uint32_t, key) = bytes;
	*c = (struct grt_charge){
		.from_ns = from_ns, .ns = to_ns - from_ns, .ctx = by->ctx, .seqno = by->seqno,
		.party = by->party, .through = by->through, .stage = stage,
	};
}

/*
 * Charges the time from @from_ns to @to_ns to @by.  A job behind many others has
 * charges by the hundred, so the one of a party and way is found by its number; what
 * that leads to may have been another job's.
 */
static inline void charge(struct grt_model *m, enum grt_stage stage, const struct grt_span_by *by,
			  uint64_t from_ns, uint64_t to_ns)
{
	size_t key = (size_t)(by->party + 1) * GRT_NR_THROUGHS + by->through;
	struct grt_charge *c;
	uint32_t bytes;

	if (from_ns >= to_ns)
		return;
	if (key * sizeof(bytes) < m->charge_at.bytes && !m->keeps_pieces) {
		bytes = *grt_vec_at(&m->charge_at, uint32_t, key);
		c = (struct grt_charge *)((char *)m->charges.data + bytes);
		if (bytes < m->charges.bytes && c->party == by->party &&
		    c->through == by->through) {
			c->ns += to_ns - from_ns;
			return;
		}
	}
	add_charge(m, stage, by, from_ns, to_ns);
}

/* The same; where it is this job's own wait, those behind it are charged as it is. */
static inline void charge_part(struct grt_model *m, const struct wait *w, enum grt_stage stage,
			       const struct grt_span_by *by, uint64_t from_ns, uint64_t to_ns)
{
	struct grt_span_by part;

	charge(m, stage, by, from_ns, to_ns);
	if (!w->has_follower || stage == GRT_STAGE_ORDER || stage == GRT_STAGE_QUEUE ||
	    from_ns >= to_ns)
		return;
	part = *by;
	part.from_ns = from_ns;
	part.to_ns = to_ns;
	if (grt_spans_add(&w->ctx->spans, &part, m->keeps_pieces))
		m->err = -ENOMEM;
}

static void charge_nobody(struct grt_model *m, const struct wait *w, enum grt_stage stage,
			  uint64_t from_ns, uint64_t to_ns, enum grt_through through)
{
	const struct grt_span_by nobody = { .party = GRT_NONE, .through = through };

	charge_part(m, w, stage, &nobody, from_ns, to_ns);
}

/* As @spans tell; what they do not tell is not known. */
static void charge_spans(struct grt_model *m, const struct wait *w, enum grt_stage stage,
			 uint64_t from_ns, uint64_t to_ns, const struct grt_spans *spans)
{
	size_t count = grt_spans_count(spans);

	if (from_ns >= to_ns)
		return;
	for (size_t i = grt_spans_find(spans, from_ns); i < count; i++) {
		const struct grt_span_by *by = grt_spans_at(spans, i);

		if (by->from_ns >= to_ns)
			break;
		if (by->from_ns > from_ns) {
			charge_nobody(m, w, stage, from_ns, by->from_ns, GRT_THROUGH_UNKNOWN);
			from_ns = by->from_ns;
		}
		charge_part(m, w, stage, by, from_ns, by->to_ns < to_ns ? by->to_ns : to_ns);
		from_ns = by->to_ns;
	}
	if (from_ns < to_ns)
		charge_nobody(m, w, stage, from_ns, to_ns, GRT_THROUGH_UNKNOWN);
}

/* As the hardware ran, and what it runs now. */
static void charge_runs(struct grt_model *m, const struct wait *w, enum grt_stage stage,
			uint64_t from_ns, uint64_t to_ns)
{
	const struct grt_spans *runs = grt_settle_runs(m, w->track);
	struct grt_span_by by = { .through = GRT_THROUGH_RING };
	size_t n = grt_spans_count(runs);
	bool is_sure = false;
	uint32_t running = GRT_NONE;

	/* A job that did not run may go while those in front of it still run. */
	if (from_ns < to_ns && (!n || grt_spans_at(runs, n - 1)->to_ns < to_ns))
		running = grt_settle_running(m, w->track, &by.from_ns, &is_sure);
	/* What waits for the end of a reset does not run, but for the job that hung. */
	if (w->track->is_recovering && running != GRT_NONE &&
	    !grt_track_is_lost(w->track, &grt_slot_at(m, running)->job))
		is_sure = false;
	if (!is_sure || by.from_ns >= to_ns) {
		charge_spans(m, w, stage, from_ns, to_ns, runs);
		return;
	}
	if (by.from_ns < from_ns)
		by.from_ns = from_ns;
	charge_spans(m, w, stage, from_ns, by.from_ns, runs);
	by.ctx = grt_slot_at(m, running)->job.ctx;
	by.seqno = grt_slot_at(m, running)->job.seqno;
	by.party = grt_slot_at(m, running)->job.party;
	charge_part(m, w, stage, &by, by.from_ns, to_ns);
}

/* The first flip after @ns. */
static size_t flip_after(const struct grt_credits *c, uint64_t ns)
{
	size_t lo = 0, hi = grt_deque_count(&c->flips, struct grt_flip);

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (grt_deque_at(&c->flips, struct grt_flip, mid)->ns <= ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
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
	size_t i = flip_after(c, w->ready_ns);
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
	w->knows_deps = !slot->is_dep_unknown && !slot->pending && !m->has_no_deps;
	w->knows_cpu = slot->thread;
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

	m->charges.bytes = 0;
	if (!look_at(m, i, &w))
		return;
	if (grt_losses_touch(&m->losses, w.submit_ns, w.end_ns)) {
		/* Some of it may be known still; none of it is sure. */
		job->flags |= GRT_JOB_LOSSY;
		w.has_follower = false;
		charge_nobody(m, &w, GRT_STAGE_SUBMIT_HOST, w.submit_ns, w.end_ns,
			      GRT_THROUGH_UNKNOWN);
		goto publish;
	}
	charge_spans(m, &w, GRT_STAGE_ORDER, w.submit_ns, w.order_ns, &w.ctx->spans);
	set_stage(job, GRT_STAGE_ORDER, w.order_ns - w.submit_ns);
	if (w.knows_deps) {
		const struct grt_span_by by = {
			.ctx = job->dep_ctx, .seqno = job->dep_seqno,
			.party = w.slot->dep_party, .through = GRT_THROUGH_FENCE,
		};

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
	if (w.track)
		charge_runs(m, &w, GRT_STAGE_QUEUE, w.commit_ns, w.end_ns);
	else
		charge_nobody(m, &w, GRT_STAGE_QUEUE, w.commit_ns, w.end_ns, GRT_THROUGH_UNKNOWN);
publish:
	job->charges = m->charges.data;
	job->nr_charges = grt_vec_count(&m->charges, struct grt_charge);
}
