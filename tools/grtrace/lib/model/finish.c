// SPDX-License-Identifier: LGPL-2.1
/* Jobs leave the model: here, what is known of them becomes final. */
#include <errno.h>
#include <stdlib.h>

#include "error.h"
#include "model_private.h"

/* The source tells no SUBMIT of this job, and none was lost.  Until each buffer has begun, any event may be missing. */
static bool has_untold_submit(const struct grt_model *m, const struct grt_job *job)
{
	uint64_t from_ns = m->totals.late_ns + 1, first_ns = grt_job_first_ns(job);

	return job->flags & GRT_JOB_NO_SUBMIT && from_ns <= first_ns && !grt_losses_touch(&m->losses, from_ns, first_ns);
}

/* Why stamps are missing: the trace's ends, losses, the job's death, or unknown. */
static uint32_t explain(const struct grt_model *m, const struct grt_job *job,
			enum grt_leave_reason why)
{
	bool has_submit = grt_job_has(job, GRT_AT_SUBMIT);
	bool is_told = has_submit || has_untold_submit(m, job);
	bool has_commit = grt_job_has(job, GRT_AT_COMMIT);
	bool has_end = grt_job_has(job, GRT_AT_END);
	bool has_complete = grt_job_has(job, GRT_AT_COMPLETE);
	uint64_t first_ns, last_ns;
	uint32_t flags = 0;

	if (is_told && has_commit && has_end && has_complete)
		return 0;
	first_ns = grt_job_first_ns(job);
	last_ns = grt_job_last_ns(job);
	if (!is_told)
		flags |= grt_losses_touch(&m->losses, 0, first_ns) ? GRT_JOB_LOSSY : GRT_JOB_CUT;
	if (!has_complete) {
		if (why == GRT_LEAVE_TRACE_END)
			flags |= GRT_JOB_CUT;
		if (grt_losses_touch(&m->losses, first_ns, UINT64_MAX))
			flags |= GRT_JOB_LOSSY;
	}
	if (has_submit && has_complete && !has_commit && !has_end && job->has_status &&
	    job->status == -ESRCH)
		return flags | GRT_JOB_KILLED;
	/* Where a later event was seen, the ones before it must have happened. */
	if ((has_submit && has_end && !has_commit) || (has_complete && !has_end) ||
	    (has_submit && has_complete && !has_commit)) {
		if (grt_losses_touch(&m->losses, first_ns, last_ns))
			flags |= GRT_JOB_LOSSY;
	}
	return flags ? flags : GRT_JOB_PARTIAL;
}

static void leave_ctx(struct grt_model *m, struct grt_slot *slot)
{
	struct grt_ctx *ctx = grt_ctx_at(m, slot->ctx);

	if (slot->ctx_prev == GRT_NONE)
		ctx->head = slot->ctx_next;
	else
		grt_slot_at(m, slot->ctx_prev)->ctx_next = slot->ctx_next;
	if (slot->ctx_next == GRT_NONE)
		ctx->tail = slot->ctx_prev;
	else
		grt_slot_at(m, slot->ctx_next)->ctx_prev = slot->ctx_prev;
	if (ctx->head != GRT_NONE) {
		grt_front_drop(ctx->front, grt_slot_at(m, ctx->head)->opened_ns, GRT_MAX_SPANS);
		return;
	}
	grt_front_free(&ctx->front);
	grt_keymap_del(&m->ctx_rows, ctx->id, ctx->is_synthetic);
	ctx->next_free = m->free_ctx;
	m->free_ctx = slot->ctx;
}

static void remove_key(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	if (slot->has_key)
		grt_jobmap_del(&m->jobs[!!(slot->job.flags & GRT_JOB_SYNTHETIC)],
			       slot->job.ctx, slot->job.seqno, i);
	slot->has_key = false;
}

static void leave_age(struct grt_model *m, uint32_t i)
{
	const struct grt_slot *slot = grt_slot_at(m, i);

	if (slot->age_prev == GRT_NONE && m->oldest != i)
		return;		/* see open_job() */
	if (m->newest_at_loss == i)
		m->newest_at_loss = slot->age_prev;
	if (slot->age_prev == GRT_NONE)
		m->oldest = slot->age_next;
	else
		grt_slot_at(m, slot->age_prev)->age_next = slot->age_next;
	if (slot->age_next == GRT_NONE)
		m->newest = slot->age_prev;
	else
		grt_slot_at(m, slot->age_next)->age_prev = slot->age_prev;
}

/* The scheduler ended the job, for lack of a fence, and the hardware may still run it. */
static bool is_hidden(const struct grt_model *m, const struct grt_slot *slot)
{
	return slot->job.flags & GRT_JOB_NO_HW && slot->ring_state != GRT_NONE &&
	       grt_ring_state_at(m, slot->ring_state)->is_fenceless;
}

/* What this job shows about its ring, for another pass over the trace. */
static void learn(struct grt_model *m, const struct grt_slot *slot, const struct grt_job *job)
{
	struct grt_ring_state *t =
		slot->ring_state == GRT_NONE ? NULL : grt_ring_state_at(m, slot->ring_state);

	if (!t)
		return;
	/* It may still run: nobody tells when it is over. */
	if (is_hidden(m, slot)) {
		grt_ring_state_miss_commit(t, grt_job_first_ns(&slot->job), grt_job_last_ns(&slot->job));
		m->wants_hindsight = true;
	}
	if (job->flags & GRT_JOB_PARTIAL && grt_job_has(job, GRT_AT_SUBMIT) &&
	    grt_job_has(job, GRT_AT_COMPLETE) && !grt_job_has(job, GRT_AT_COMMIT)) {
		grt_ring_state_miss_commit(t, grt_job_first_ns(job), grt_job_last_ns(job));
		m->wants_hindsight = true;
	}
	if (grt_job_has(job, GRT_AT_SUBMIT))
		return;
	/* The job was there unseen, perhaps since the start of the trace. */
	if (grt_job_has(job, GRT_AT_COMMIT) && job->at_ns[GRT_AT_COMMIT] == grt_job_first_ns(job))
		grt_ring_state_show_late_commit(m, t, grt_job_first_ns(job));
	else
		grt_ring_state_show_late(m, t, grt_job_first_ns(job));
}

/* Whether a job in flight may turn out to have waited for it. */
static bool may_be_asked_for(struct grt_model *m, const struct grt_slot *slot)
{
	/* The scheduler may find that a job blocked another one a moment after it was over. */
	bool is_told = grt_declares_deps(m, slot) && !slot->was_awaited &&
		       !grt_fence_is_asked_for(m, slot->job.ctx, slot->job.seqno);

	return slot->has_key && grt_job_has(&slot->job, GRT_AT_COMPLETE) && !is_told &&
	       m->oldest != GRT_NONE &&
	       grt_slot_at(m, m->oldest)->opened_ns < slot->job.at_ns[GRT_AT_COMPLETE];
}

/* A loss may hide another ioctl of the thread, in which the job was submitted. */
static void set_ioctl(struct grt_model *m, uint32_t i, struct grt_job *job)
{
	uint64_t enter_ns, submit_ns = job->at_ns[GRT_AT_SUBMIT];

	if (!grt_job_has(job, GRT_AT_SUBMIT) || job->flags & GRT_JOB_SYNTHETIC)
		return;
	enter_ns = grt_entries_ns(&m->entries, i);
	if (!enter_ns || enter_ns > submit_ns || grt_losses_touch(&m->losses, enter_ns, submit_ns))
		return;
	job->stage_ns[GRT_STAGE_IOCTL] = submit_ns - enter_ns;
	job->stages |= 1u << GRT_STAGE_IOCTL;
}

/* Sets the sum of the waits if all of them were seen: a part would look like all. */
static void set_gpu_wait(struct grt_model *m, uint32_t i, struct grt_job *job)
{
	const struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_gpu_wait wait = grt_gpu_wait_remove(m, i);

	if (!wait.is_over || grt_gap_touches(&m->no_threads, slot->opened_ns, m->now_ns))
		return;
	job->stage_ns[GRT_STAGE_GPU_WAIT] = wait.ns;
	job->stages |= 1u << GRT_STAGE_GPU_WAIT;
}

static uint32_t finish(struct grt_model *m, uint32_t i, enum grt_leave_reason why);

/*
 * Whether the job is complete because it ran.  A job that the driver refused, or that was killed,
 * is complete at once, whatever the jobs in front of it do.  Its END shows that; if the END may
 * be lost, the answer is no.
 */
static bool is_in_turn(const struct grt_model *m, const struct grt_slot *slot)
{
	const struct grt_life *job = &slot->job;

	if (grt_job_has(job, GRT_AT_END))
		return !(job->flags & GRT_JOB_NO_HW);
	return !job->status && !grt_losses_touch(&m->losses, grt_job_first_ns(job),
						 job->at_ns[GRT_AT_COMPLETE]);
}

/*
 * Whether the trace may lack the COMPLETE of this job: events are missing, or the job was there before the
 * session and ended while it started.  Then END may be recorded already, and COMPLETE not yet.
 */
static bool may_lack_complete(const struct grt_model *m, const struct grt_life *job, uint64_t until_ns)
{
	return grt_losses_touch(&m->losses, grt_job_first_ns(job), until_ns) ||
	       (grt_job_has(job, GRT_AT_END) && !grt_job_has(job, GRT_AT_SUBMIT));
}

/*
 * Fences of a context are signalled in order: when job @i is complete, so are the jobs before
 * it, also those whose COMPLETE the trace lacks.
 */
static void finish_lost(struct grt_model *m, uint32_t i)
{
	uint32_t older = grt_ctx_at(m, grt_slot_at(m, i)->ctx)->head;
	uint64_t complete_ns = grt_slot_at(m, i)->job.at_ns[GRT_AT_COMPLETE];

	if (!is_in_turn(m, grt_slot_at(m, i)))
		return;
	while (older != i) {
		const struct grt_slot *slot = grt_slot_at(m, older);
		uint32_t next = slot->ctx_next;

		if (!may_lack_complete(m, &slot->job, complete_ns))
			break;	/* younger jobs lack nothing, either */
		/* A job whose SUBMIT is missing is in the list where it was first seen. */
		if (slot->is_waiting)
			finish(m, older, GRT_LEAVE_COMPLETE);
		else if (slot->state != GRT_COMPLETED &&
			 grt_is_older(slot->job.seqno, grt_slot_at(m, i)->job.seqno))
			finish(m, older, GRT_LEAVE_LOST);
		older = next;
	}
}

/* Hands out job @i.  Returns the job behind it if that waits only for this one, else GRT_NONE. */
static uint32_t finish(struct grt_model *m, uint32_t i, enum grt_leave_reason why)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_job *job = &m->leaving;
	uint32_t next;

	if (why == GRT_LEAVE_KEY_REUSED) {
		remove_key(m, i);
		if (slot->state == GRT_COMPLETED)
			return GRT_NONE;	/* it leaves with the held jobs */
	}
	if (grt_infer_is_due(m))
		grt_infer_now(m);
	grt_infer_leave(m, i);
	if ((m->losses.spans.bytes || slot->ctx_prev != GRT_NONE) && grt_job_has(&slot->job, GRT_AT_COMPLETE))
		finish_lost(m, i);
	grt_queue_leave(m, i, m->now_ns);
	*job = (struct grt_job){ .life = slot->job, .command = m->commands[slot->command] };
	if (why == GRT_LEAVE_TRACE_END && m->flying)
		job->inflight = m->flying->job;
	job->flags |= explain(m, job, why);
	if (is_hidden(m, slot)) {
		job->stamps &= ~(1u << GRT_AT_END | 1u << GRT_AT_COMPLETE);
		job->flags &= ~GRT_JOB_NO_HW;
	}
	if (!grt_job_has(job, GRT_AT_END) && grt_job_has(job, GRT_AT_COMMIT) &&
	    grt_job_has(job, GRT_AT_COMPLETE))
		grt_straggler_gone(m, job);
	grt_job_stages(job);
	set_ioctl(m, i, job);
	if (slot->has_gpu_wait)
		set_gpu_wait(m, i, job);
	if (slot->has_stack)
		grt_stack_leave(m, i, job);
	if (job->client == GRT_NONE)
		job->client = grt_model_client_of(m, slot);
	grt_charge_job(m, i, job);
	if (m->keeps_pieces)
		job->oldest_ns = m->oldest == GRT_NONE ? 0 : grt_slot_at(m, m->oldest)->opened_ns;
	/*
	 * A dependency that was over before held up nobody; without t_dep, another one may be the
	 * last.
	 */
	if (!grt_job_knows(job, GRT_STAGE_DEP) || !job->stage_ns[GRT_STAGE_DEP])
		job->dep_ctx = job->dep_seqno = 0;
	grt_snapshot_log_job(&m->snapshots, job);
	learn(m, slot, job);
	if (slot->deps != GRT_NONE || slot->misses_end)
		grt_queue_doubt_past(m, i);
	grt_wake_leave(m, job);
	grt_dep_leave(m, i);
	next = slot->ctx_next;
	if (next != GRT_NONE && !grt_slot_at(m, next)->is_waiting)
		next = GRT_NONE;
	leave_ctx(m, slot);
	leave_age(m, i);
	if (may_be_asked_for(m, slot)) {
		grt_retired_add(m, i, m->now_ns);
	} else {
		remove_key(m, i);
		grt_pool_put(&m->pool, i);
	}
	return next;
}

void grt_finish(struct grt_model *m, uint32_t i, enum grt_leave_reason why)
{
	while (i != GRT_NONE) {
		i = finish(m, i, why);
		why = GRT_LEAVE_COMPLETE;
	}
}

/*
 * Whether job @i overtook the one in front of it, as a job that did not run can.  Who held up
 * both is known only when the job in front has ended.
 */
static bool has_overtaken(const struct grt_model *m, uint32_t i)
{
	const struct grt_slot *slot = grt_slot_at(m, i), *front;

	if (slot->ctx_prev == GRT_NONE)
		return false;
	front = grt_slot_at(m, slot->ctx_prev);
	return grt_job_has(&front->job, GRT_AT_COMMIT) &&
	       front->job.at_ns[GRT_AT_COMMIT] <= slot->job.at_ns[GRT_AT_COMPLETE] + GRT_SKEW_NS;
}

void grt_finish_held(struct grt_model *m, uint64_t up_to_ns)
{
	while (m->held_head != GRT_NONE) {
		uint32_t i = m->held_head;
		uint64_t complete_ns = grt_slot_at(m, i)->job.at_ns[GRT_AT_COMPLETE];

		if (complete_ns > up_to_ns) {
			m->held_until_ns = complete_ns + GRT_SKEW_NS;
			if (m->nr_held < GRT_MANY_HELD)
				m->held_until_ns += grt_held_ns(m);
			return;
		}
		m->held_head = grt_slot_at(m, i)->held_next;
		m->nr_held--;
		if (m->left_ns < complete_ns)
			m->left_ns = complete_ns;
		if (m->held_head == GRT_NONE)
			m->held_tail = GRT_NONE;
		if (m->losses.spans.bytes)
			finish_lost(m, i);
		if (has_overtaken(m, i))
			grt_slot_at(m, i)->is_waiting = true;
		else
			grt_finish(m, i, GRT_LEAVE_COMPLETE);
	}
	m->held_until_ns = UINT64_MAX;
}

bool grt_finish_late(struct grt_model *m, uint32_t i, uint64_t ns)
{
	const struct grt_slot *slot = grt_slot_at(m, i);

	if (slot->state != GRT_COMPLETED || ns <= slot->job.at_ns[GRT_AT_COMPLETE] + GRT_SKEW_NS)
		return false;
	grt_finish_held(m, ns - GRT_SKEW_NS - 1);
	return true;
}

/* Jobs by their first stamp. */
static int compare_left(const void *a, const void *b, void *model)
{
	const struct grt_life *x = &grt_slot_at(model, *(const uint32_t *)a)->job;
	const struct grt_life *y = &grt_slot_at(model, *(const uint32_t *)b)->job;
	uint64_t x_ns = grt_job_first_ns(x), y_ns = grt_job_first_ns(y);

	if (x_ns != y_ns)
		return x_ns < y_ns ? -1 : 1;
	if (x->ctx != y->ctx)
		return x->ctx < y->ctx ? -1 : 1;
	return (x->seqno > y->seqno) - (x->seqno < y->seqno);
}

/*
 * Jobs leave one by one, and a job on its ring is forgotten when it leaves.  So what runs now is
 * noted for the jobs that leave after it.
 */
static int note_running(struct grt_model *m)
{
	int err = 0;

	for (uint32_t i = 0; i < grt_ring_state_count(m) && !err; i++) {
		const struct grt_ring_state *t = grt_ring_state_at(m, i);
		uint64_t from_ns;
		bool is_sure;
		uint32_t running = grt_hw_running(m, t, &from_ns, &is_sure);
		const struct grt_life *job;

		if (running == GRT_NONE || !is_sure)
			continue;
		job = &grt_slot_at(m, running)->job;
		if (t->is_recovering && !grt_ring_state_is_lost(t, job))
			continue;
		err = grt_hw_queue_ran(grt_hw_queue_at(m, t->hwq), &(struct grt_span_by){
			.ctx = job->ctx, .seqno = job->seqno, .client = job->client,
			.reason = GRT_BLAME_RING, .is_hung = job->flags & GRT_JOB_HUNG,
		}, from_ns, m->totals.end_ns);
	}
	return err;
}

/* Jobs leave when the trace ends, by their first stamp. */
static int list_left(struct grt_model *m, struct grt_vec *slots)
{
	for (uint32_t i = 0; (i = grt_pool_skip(&m->pool, i)) < m->pool.nr_slots; i++) {
		const struct grt_slot *slot = grt_slot_at(m, i);

		if (slot->state == GRT_NEW || slot->state == GRT_GONE)
			continue;
		if (grt_vec_append(slots, &i, sizeof(i)))
			return grt_fail_memory();
	}
	if (slots->bytes)
		qsort_r(slots->data, grt_vec_count(slots, uint32_t), sizeof(uint32_t), compare_left, m);
	return 0;
}

int grt_finish_all(struct grt_model *m)
{
	struct grt_inflights all = { .slots = { 0 } };
	int err;

	grt_inflight_end(m);
	grt_infer_now(m);
	grt_finish_held(m, UINT64_MAX);
	/* A loss that lasts to the end of the trace: any job in flight may be over. */
	if (grt_losses_touch(&m->losses, m->lost_ns + 1, m->totals.last_ns))
		grt_suspect_all(m, m->totals.last_ns);
	grt_queue_doubt_last(m, m->totals.last_ns);
	grt_queue_finish(m);
	err = note_running(m);
	if (!err)
		err = list_left(m, &all.slots);
	if (!err)
		err = grt_inflight_find(m, &all);
	for (size_t i = 0; i < grt_vec_count(&all.slots, uint32_t) && !err; i++) {
		uint32_t slot = *grt_vec_at(&all.slots, uint32_t, i);
		struct grt_flying flying;

		/* It may have left with the job in front of it. */
		if (grt_slot_at(m, slot)->state == GRT_NEW || grt_slot_at(m, slot)->state == GRT_GONE)
			continue;
		flying = grt_inflight_at(m, &all, i);
		m->flying = &flying;
		grt_finish(m, slot, GRT_LEAVE_TRACE_END);
		m->flying = NULL;
	}
	if (!err)
		grt_wake_finish(m);
	grt_inflight_free(&all);
	grt_vec_free(&all.slots);
	return err;
}
