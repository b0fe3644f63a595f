// SPDX-License-Identifier: LGPL-2.1
#include "dep.h"

#include <errno.h>

#include "error.h"
#include "model_private.h"

static uint32_t edge_get(struct grt_model *m)
{
	uint32_t e = m->edges.free;

	if (e != GRT_NONE) {
		m->edges.free = grt_dep_edge_at(m, e)->next;
		return e;
	}
	e = grt_vec_count(&m->edges.rows, struct grt_edge);
	return grt_vec_grow(&m->edges.rows, sizeof(struct grt_edge)) ? e : GRT_NONE;
}

/* Takes edge @e out of both its lists. */
static void edge_put(struct grt_model *m, uint32_t e)
{
	struct grt_edge *edge = grt_dep_edge_at(m, e);
	uint32_t *link = &grt_slot_at(m, edge->job)->deps;

	while (*link != e)
		link = &grt_dep_edge_at(m, *link)->next;
	*link = edge->next;
	if (edge->prev_waiter != GRT_NONE)
		grt_dep_edge_at(m, edge->prev_waiter)->next_waiter = edge->next_waiter;
	else
		grt_slot_at(m, edge->fence)->waiters = edge->next_waiter;
	if (edge->next_waiter != GRT_NONE)
		grt_dep_edge_at(m, edge->next_waiter)->prev_waiter = edge->prev_waiter;
	edge->next = m->edges.free;
	m->edges.free = e;
}

static int edge_add(struct grt_model *m, uint32_t job, uint32_t fence, bool is_pipelined)
{
	struct grt_slot *slot = grt_slot_at(m, job);
	uint32_t e = edge_get(m);
	uint32_t first;

	if (e == GRT_NONE)
		return grt_fail_memory();
	first = grt_slot_at(m, fence)->waiters;
	*grt_dep_edge_at(m, e) = (struct grt_edge){
		.job = job, .fence = fence, .next = slot->deps, .is_pipelined = is_pipelined,
		.prev_waiter = GRT_NONE, .next_waiter = first,
	};
	if (first != GRT_NONE)
		grt_dep_edge_at(m, first)->prev_waiter = e;
	grt_slot_at(m, fence)->waiters = e;
	slot->deps = e;
	slot->pending++;
	return 0;
}

/* @slot had to wait until @end_ns for @fence; the fence that ends last counts. */
static void ended(struct grt_model *m, struct grt_slot *slot, const struct grt_slot *fence,
		  uint64_t end_ns)
{
	struct grt_life *job = &slot->job;

	if (end_ns < slot->dep_end_ns)
		return;
	if (end_ns == slot->dep_end_ns && (job->dep_ctx || job->dep_seqno) &&
	    (fence->job.ctx > job->dep_ctx ||
	     (fence->job.ctx == job->dep_ctx && fence->job.seqno >= job->dep_seqno)))
		return;
	slot->dep_end_ns = end_ns;
	job->dep_ctx = fence->job.ctx;
	job->dep_seqno = fence->job.seqno;
	slot->is_dep_foreign = fence->is_foreign;
	slot->dep_client = fence->is_foreign ? GRT_NONE :
			  fence->job.client != GRT_NONE ? fence->job.client :
			  grt_model_client_of(m, fence);
}

void grt_dep_over(struct grt_model *m, uint32_t i, uint64_t ns, bool is_committed)
{
	uint32_t next;

	for (uint32_t e = grt_slot_at(m, i)->waiters; e != GRT_NONE; e = next) {
		struct grt_edge *edge = grt_dep_edge_at(m, e);
		uint32_t job = edge->job;
		struct grt_slot *slot = grt_slot_at(m, job);

		next = edge->next_waiter;
		if (is_committed && !edge->is_pipelined)
			continue;
		slot->pending--;
		slot->blocked -= edge->is_blocked;
		grt_slot_at(m, i)->was_awaited |= !edge->is_blocked;
		edge_put(m, e);
		ended(m, slot, grt_slot_at(m, i), ns);
		/* The event may tell of the past, and another fence may have been in the way since. */
		grt_queue_wake(m, job, slot->dep_end_ns);
	}
}

/* Removes all dependencies of job @i. */
static void drop_deps(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	while (slot->deps != GRT_NONE) {
		uint32_t fence = grt_dep_edge_at(m, slot->deps)->fence;

		edge_put(m, slot->deps);
		grt_fence_unused(m, fence);
	}
}

void grt_dep_leave(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	drop_deps(m, i);
	/* The fence leaves without an end: the jobs that wait will not learn when it ends. */
	while (slot->waiters != GRT_NONE) {
		uint32_t job = grt_dep_edge_at(m, slot->waiters)->job;
		struct grt_slot *waiter = grt_slot_at(m, job);

		waiter->is_dep_unknown = true;
		waiter->misses_end = true;
		if (!m->is_over)
			grt_queue_doubt_turn(m, job, m->now_ns);
		waiter->pending--;
		waiter->blocked -= grt_dep_edge_at(m, slot->waiters)->is_blocked;
		edge_put(m, slot->waiters);
		grt_queue_wake(m, job, m->now_ns);
		grt_queue_doubt(m, job, m->now_ns);
	}
}

static uint32_t edge_find(const struct grt_model *m, uint32_t job, uint32_t fence)
{
	uint32_t e = grt_slot_at(m, job)->deps;

	while (e != GRT_NONE && grt_dep_edge_at(m, e)->fence != fence)
		e = grt_dep_edge_at(m, e)->next;
	return e;
}

/* When a dependency with @flags on @fence was over; false: it is not. */
static bool is_over(const struct grt_slot *fence, uint16_t flags, uint64_t *end_ns)
{
	const struct grt_life *job = &fence->job;

	if (flags & GRTRACE_F_PIPELINED && grt_job_has(job, GRT_AT_COMMIT)) {
		*end_ns = job->at_ns[GRT_AT_COMMIT];
		return true;
	}
	*end_ns = job->at_ns[GRT_AT_COMPLETE];
	return grt_job_has(job, GRT_AT_COMPLETE);
}

static bool was_over(uint16_t flags)
{
	if (flags & GRTRACE_F_SIGNALED)
		return true;
	/* A source without the flag SIGNALED sets BLOCKED if it pops a fence that is not over. */
	return flags & GRTRACE_F_POPPED && !(flags & GRTRACE_F_BLOCKED);
}

/* Whether the event that ended a dependency with @flags came before the trace, or was lost. */
static bool was_missed(struct grt_model *m, const struct grt_slot *fence, uint16_t flags)
{
	uint64_t known_ns = fence->job.stamps ? grt_job_last_ns(&fence->job) : fence->opened_ns;

	if (grt_losses_touch(&m->losses, known_ns, m->now_ns) ||
	    grt_lacks_deps(m, fence, known_ns, m->now_ns))
		return true;
	if (!(flags & GRTRACE_F_PIPELINED) || fence->is_foreign ||
	    grt_job_has(&fence->job, GRT_AT_COMMIT))
		return false;
	/* A job that ran was committed. */
	return !grt_job_has(&fence->job, GRT_AT_SUBMIT) ||
	       (grt_job_has(&fence->job, GRT_AT_END) &&
		fence->job.at_ns[GRT_AT_END] < m->now_ns);
}

/* Whether the fence of @rec, which is over and not remembered, was over before job @slot was submitted. */
static bool was_over_before(const struct grt_model *m, const struct grt_slot *slot, const struct grtrace_dependency *rec)
{
	uint64_t submit_ns = slot->opened_ns;

	if (rec->hdr.flags & GRTRACE_F_FOREIGN)
		return false;
	if (!(rec->hdr.flags & GRTRACE_F_DECLARED))
		return m->dropped_ns <= submit_ns;
	/* The submitter tells of it right after SUBMIT, unless it loses its CPU in between. */
	if (m->left_ns < submit_ns)
		return true;
	return m->has_hindsight && m->dropped_ns <= submit_ns &&
	       grt_fence_is_asked_for(m, rec->dep_ctx, rec->dep_seqno);
}

/* The fence was over at the event, and the model has forgotten it, or never knew it. */
static void over_long_ago(struct grt_model *m, uint32_t i, const struct grtrace_dependency *rec)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	if (was_over_before(m, slot, rec))
		return;
	if (rec->hdr.flags & GRTRACE_F_DECLARED && !(rec->hdr.flags & GRTRACE_F_FOREIGN)) {
		grt_fence_ask(m, rec->dep_ctx, rec->dep_seqno);
		m->wants_hindsight = true;
	}
	slot->is_dep_unknown = true;
	grt_queue_doubt(m, i, rec->hdr.ts);
}

static int depend(struct grt_model *m, uint32_t i, uint32_t fence, uint16_t flags, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	uint32_t e = edge_find(m, i, fence);
	uint64_t end_ns;
	int err;

	if (e == GRT_NONE && is_over(grt_slot_at(m, fence), flags, &end_ns)) {
		ended(m, slot, grt_slot_at(m, fence), end_ns);
		grt_queue_was_waiting(m, i, end_ns);
		return 0;
	}
	if (e == GRT_NONE) {
		err = edge_add(m, i, fence, flags & GRTRACE_F_PIPELINED);
		if (err)
			return err;
		e = slot->deps;
	}
	if (flags & GRTRACE_F_BLOCKED && !grt_dep_edge_at(m, e)->is_blocked) {
		grt_dep_edge_at(m, e)->is_blocked = true;
		slot->blocked++;
	}
	grt_queue_wait(m, i, ns);
	return 0;
}

int grt_dep_event(struct grt_model *m, uint32_t i, const struct grtrace_dependency *rec)
{
	bool is_synthetic = rec->hdr.flags & GRTRACE_F_SYNTHETIC;
	uint16_t flags = rec->hdr.flags;
	uint32_t fence;

	if (grt_slot_at(m, i)->nr_deps == GRT_MAX_DEPS) {
		grt_slot_at(m, i)->is_dep_unknown = true;
		grt_queue_lose_deps(m, i, rec->hdr.ts);
		return 0;
	}
	grt_slot_at(m, i)->nr_deps++;
	fence = grt_jobmap_get(&m->jobs[is_synthetic], &m->pool, rec->dep_ctx, rec->dep_seqno);
	if (fence == GRT_NONE && was_over(flags)) {
		over_long_ago(m, i, rec);
		return 0;
	}
	/* The next pass knows from the start that this source declares dependencies, and keeps fewer ends. */
	if (fence != GRT_NONE && flags & GRTRACE_F_DECLARED && grt_slot_at(m, fence)->state == GRT_GONE)
		grt_fence_ask(m, rec->dep_ctx, rec->dep_seqno);
	if (fence == GRT_NONE)
		fence = grt_fence_slot(m, is_synthetic, rec->dep_ctx, rec->dep_seqno);
	if (fence == GRT_NONE)
		return m->err;
	/* The dependency was over before SUBMIT, but the event of its end is missing. */
	if (was_over(flags) && was_missed(m, grt_slot_at(m, fence), flags))
		return 0;
	return depend(m, i, fence, flags, rec->hdr.ts);
}

int grt_dep_signaled(struct grt_model *m, const struct grtrace_fence_signaled *rec)
{
	bool is_synthetic = rec->hdr.flags & GRTRACE_F_SYNTHETIC;
	uint64_t end_ns = rec->signaled_ns ? rec->signaled_ns : rec->hdr.ts;
	uint32_t i = grt_fence_slot(m, is_synthetic, rec->ctx, rec->seqno);
	struct grt_slot *slot;

	if (i == GRT_NONE)
		return m->err;
	slot = grt_slot_at(m, i);
	/* The fence is a job's, whose COMPLETE shows its end; or its end is known already. */
	if (slot->job.stamps)
		return 0;
	grt_job_stamp(&slot->job, GRT_AT_COMPLETE, end_ns);
	slot->is_foreign = true;
	grt_dep_over(m, i, end_ns, false);
	drop_deps(m, i);	/* only in a damaged trace does such a fence have any */
	grt_retired_add(m, i, rec->hdr.ts);
	if (m->nr_retired > GRT_MAX_RETIRED)	/* and no job is over meanwhile */
		grt_retired_drop(m);
	return 0;
}
