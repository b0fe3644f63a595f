// SPDX-License-Identifier: LGPL-2.1
/*
 * What a job that leaves had waited for: splits its time between SUBMIT and COMMIT into parts,
 * and has each part charged; see charge_time.c.
 */
#include <errno.h>
#include <stdlib.h>

#include "charge_private.h"

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

static bool look_at(struct grt_model *m, uint32_t i, const struct grt_job *job, struct grt_wait *w)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	uint32_t behind = slot->ctx_next;
	bool is_last = is_waiting_last(m, job);
	uint64_t front_ns;

	if (!grt_job_knows(job, GRT_STAGE_SUBMIT_HOST) && !is_last)
		return false;
	*w = (struct grt_wait){
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
static struct grt_span_by dep_of(const struct grt_wait *w, const struct grt_job *job)
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
static uint64_t others_until(const struct grt_model *m, const struct grt_wait *w, const struct grt_job *job,
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
static void charge_on_ring(struct grt_model *m, struct grt_wait *w, const struct grt_job *job)
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
		grt_charge_ring(m, w, GRT_STAGE_QUEUE, w->end_ns, others_ns);
	grt_charge_nobody(m, w, GRT_STAGE_QUEUE, others_ns, to_ns, GRT_BLAME_UNKNOWN);
}

/* What is charged from here on is no part of its wait, which is not over. */
static void end_own(const struct grt_model *m, struct grt_wait *w)
{
	w->own_end = w->list.next;
	w->own_pieces = grt_vec_count(&m->pieces, struct grt_piece);
}

static void publish(struct grt_model *m, const struct grt_wait *w, struct grt_job *job)
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
	struct grt_wait w;

	if (!look_at(m, i, job, &w) || !grt_charge_begin(m, &w.list))
		return;
	if (grt_losses_touch(&m->losses, w.submit_ns, w.end_ns)) {
		/* A part of the wait may still be known, but none of it is certain. */
		job->flags |= GRT_JOB_LOSSY;
		grt_charge_nobody(m, &w, GRT_STAGE_SUBMIT_HOST, w.submit_ns, w.end_ns,
			      GRT_BLAME_UNKNOWN);
		end_own(m, &w);
		w.has_follower = false;
		publish(m, &w, job);
		return;
	}
	grt_charge_order(m, &w);
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
			grt_charge_piece(m, &w, GRT_STAGE_DEP, &by, w.order_ns, w.ready_ns);
		set_stage(job, GRT_STAGE_DEP, w.ready_ns - w.order_ns);
	} else {
		w.ready_ns = w.order_ns;
	}
	if (w.knows_credits) {
		uint64_t full_ns = grt_charge_ready(m, &w);

		set_stage(job, GRT_STAGE_RING, full_ns);
		set_stage(job, GRT_STAGE_SCHED, w.commit_ns - w.ready_ns - full_ns);
		if (w.knows_cpu)
			set_stage(job, GRT_STAGE_SCHED_CPU, w.no_cpu_ns);
	} else {
		grt_charge_nobody(m, &w, GRT_STAGE_SUBMIT_HOST, w.ready_ns, w.commit_ns,
			      GRT_BLAME_UNKNOWN);
	}
	w.followers = NULL;
	if (w.ring_state)
		grt_charge_ring(m, &w, GRT_STAGE_QUEUE, w.commit_ns, w.end_ns);
	else
		grt_charge_nobody(m, &w, GRT_STAGE_QUEUE, w.commit_ns, w.end_ns, GRT_BLAME_UNKNOWN);
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
