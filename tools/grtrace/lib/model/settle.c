// SPDX-License-Identifier: LGPL-2.1
/*
 * When a job really began: START by the order of the ring, and what the ring was
 * doing.  Done when time moves on from an END, so that another END or a COMMIT
 * with the same time, but on a later CPU, has its say.
 */
#include <errno.h>
#include <stdlib.h>

#include "inside.h"

#define SOME_JOBS	16	/* what is old is forgotten once for so many */

static const struct grt_ring *ring_of(const struct grt_model *m, const struct grt_job *job)
{
	return job->ring == GRT_NONE ? NULL : grt_names_ring_at(&m->names, job->ring);
}

static bool is_fifo(const struct grt_ring *ring)
{
	return ring && ring->order == GRTRACE_ORDER_FIFO;
}

/*
 * The lane of @job's hardware, GRT_NONE without memory.  Jobs written by hand
 * have lanes of their own: they must not touch the times of real ones.
 */
static uint32_t lane_of(struct grt_model *m, const struct grt_job *job, const struct grt_ring *ring)
{
	static const struct grt_lane blank = { .head = GRT_NONE, .tail = GRT_NONE };
	uint32_t row = grt_names_ring_row(&m->names, ring->hw_ring);
	uint32_t lane;

	if (row == GRT_NONE)	/* a ring too many: @ring is as good */
		row = job->ring;
	lane = 2 * row + !!(job->flags & GRT_JOB_SYNTHETIC);
	return grt_vec_reach(&m->lanes, lane, &blank, sizeof(blank)) ? GRT_NONE : lane;
}

static struct grt_lane *lane_at(const struct grt_model *m, uint32_t lane)
{
	return grt_vec_at(&m->lanes, struct grt_lane, lane);
}

int grt_settle_commit(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	const struct grt_job *job = &slot->job;
	const struct grt_lane *lane;
	uint32_t lane_nr;

	if (slot->lane != GRT_NONE || slot->is_settled || !grt_job_has(job, GRT_AT_COMMIT) ||
	    slot->track == GRT_NONE || !grt_track_at(m, slot->track)->is_fifo)
		return 0;
	lane_nr = grt_track_at(m, slot->track)->lane;
	if (lane_nr == GRT_NONE)
		return -ENOMEM;
	lane = lane_at(m, lane_nr);
	/* Its ring became known late: who was before it cannot be told any more. */
	if (lane->tail != GRT_NONE &&
	    grt_slot_at(m, lane->tail)->job.at_ns[GRT_AT_COMMIT] > job->at_ns[GRT_AT_COMMIT])
		return 0;
	grt_lane_append(&m->pool, lane_at(m, lane_nr), lane_nr, i);
	return 0;
}

static void infer_start(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_job *job = &slot->job;
	uint64_t commit_ns = job->at_ns[GRT_AT_COMMIT], end_ns = job->at_ns[GRT_AT_END];
	uint64_t start_ns;

	if (slot->lane == GRT_NONE || job->flags & GRT_JOB_NO_HW ||
	    grt_job_has(job, GRT_AT_START) || commit_ns > end_ns)
		return;
	/* An END of another job may be among what is missing. */
	if (grt_losses_touch(&m->losses, commit_ns, end_ns)) {
		job->flags |= GRT_JOB_LOSSY;
		return;
	}
	if (!grt_lane_done_before(&m->pool, i, &start_ns) || start_ns > end_ns)
		return;
	if (start_ns < commit_ns)
		start_ns = commit_ns;
	grt_job_stamp(job, GRT_AT_START, start_ns);
	job->flags |= GRT_JOB_INFERRED_START;
}

/* The hardware is done with job @i: for its lane, and for the account of its ring. */
static int account(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	const struct grt_job *job = &slot->job;
	uint64_t end_ns = job->at_ns[GRT_AT_END], oldest_ns;
	bool ran = !(job->flags & GRT_JOB_NO_HW);
	struct grt_track *t;
	struct grt_lane *lane;
	uint32_t lane_nr;

	slot->is_settled = true;
	/* What was committed before it on a FIFO ring is over, though that was not seen. */
	while (slot->lane_prev != GRT_NONE && grt_slot_at(m, slot->lane_prev)->is_suspect) {
		uint32_t lost = slot->lane_prev;

		grt_queue_leave(m, lost, end_ns);
		grt_settle_leave(m, lost);
	}
	grt_queue_end(m, i, end_ns);
	t = slot->track == GRT_NONE ? NULL : grt_track_at(m, slot->track);
	if (!t || !t->is_fifo || !ran) {
		grt_settle_leave(m, i);
		return 0;
	}
	lane_nr = slot->lane != GRT_NONE ? slot->lane : t->lane;
	if (lane_nr == GRT_NONE)
		return -ENOMEM;
	lane = lane_at(m, lane_nr);
	if (slot->lane != GRT_NONE)
		grt_lane_remove(&m->pool, lane, i, end_ns);
	else
		grt_lane_pass(&m->pool, lane, end_ns);
	if (++t->line.use.jobs % SOME_JOBS == 0) {
		oldest_ns = m->oldest == GRT_NONE ? end_ns : grt_slot_at(m, m->oldest)->opened_ns;
		grt_spans_forget(&lane->runs, oldest_ns);
		grt_credits_forget(&t->credits, oldest_ns);
	}
	if (!grt_job_has(job, GRT_AT_START)) {
		t->line.use.unknown_jobs++;
		return 0;
	}
	return grt_spans_add(&lane->runs, &(struct grt_span_by){
		.ctx = job->ctx, .seqno = job->seqno, .party = job->party,
		.through = GRT_THROUGH_RING,
	}, job->at_ns[GRT_AT_START], end_ns, m->keeps_pieces);
}

struct tied {
	uint64_t start_ns, commit_ns;
	uint32_t slot;
};

static int compare_tied(const void *a, const void *b)
{
	const struct tied *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->commit_ns > y->commit_ns) - (x->commit_ns < y->commit_ns);
}

/* Several jobs ended at one instant: the account is told in the order in which they ran. */
static int account_tied(struct grt_model *m)
{
	struct grt_vec all = { 0 };
	int err = 0;

	for (uint32_t i = m->ended; i != GRT_NONE && !err; i = grt_slot_at(m, i)->next) {
		const struct grt_job *job = &grt_slot_at(m, i)->job;
		const struct tied tied = {
			grt_job_has(job, GRT_AT_START) ? job->at_ns[GRT_AT_START] : UINT64_MAX,
			job->at_ns[GRT_AT_COMMIT], i,
		};

		err = grt_vec_append(&all, &tied, sizeof(tied));
	}
	if (!err)
		qsort(all.data, grt_vec_count(&all, struct tied), sizeof(struct tied),
		      compare_tied);
	m->ended = GRT_NONE;
	for (size_t i = 0; i < grt_vec_count(&all, struct tied) && !err; i++)
		err = account(m, grt_vec_at(&all, struct tied, i)->slot);
	grt_vec_free(&all);
	return err;
}

static void settle_ended(struct grt_model *m)
{
	uint32_t i;
	int err;

	for (i = m->ended; i != GRT_NONE; i = grt_slot_at(m, i)->next)
		infer_start(m, i);
	i = m->ended;
	if (i == GRT_NONE)
		return;
	if (grt_slot_at(m, i)->next == GRT_NONE) {
		m->ended = GRT_NONE;
		err = account(m, i);
	} else {
		err = account_tied(m);
	}
	if (err)
		m->err = err;
}

void grt_settle_now(struct grt_model *m)
{
	uint32_t i;

	settle_ended(m);
	/* A job that was killed waits no more; nor does one run whose END was lost. */
	for (i = m->held_fresh; i != GRT_NONE; i = grt_slot_at(m, i)->held_next) {
		const struct grt_slot *slot = grt_slot_at(m, i);
		uint64_t ns = slot->job.at_ns[GRT_AT_COMPLETE];

		if (!slot->is_on) {
			grt_queue_leave(m, i, ns);
		} else if (grt_losses_touch(&m->losses, slot->job.at_ns[GRT_AT_COMMIT], ns)) {
			grt_queue_leave(m, i, ns);
			grt_settle_leave(m, i);
		}
	}
	m->held_fresh = GRT_NONE;
}

void grt_settle_leave(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	if (slot->lane != GRT_NONE)
		grt_lane_remove(&m->pool, lane_at(m, slot->lane), i, 0);
}

/* The first job of a ring that has not ended, GRT_NONE = none. */
static uint32_t first_of(const struct grt_model *m, const struct grt_track *t)
{
	uint32_t i = t->lane == GRT_NONE ? GRT_NONE : lane_at(m, t->lane)->head;

	while (i != GRT_NONE && (grt_track_at(m, grt_slot_at(m, i)->track) != t ||
				 grt_job_has(&grt_slot_at(m, i)->job, GRT_AT_END)))
		i = grt_slot_at(m, i)->lane_next;
	return i;
}

bool grt_settle_begins(const struct grt_model *m, const struct grt_track *t)
{
	uint32_t i = first_of(m, t);

	return i == GRT_NONE || !grt_track_is_lost(t, &grt_slot_at(m, i)->job);
}

void grt_settle_recovered(struct grt_model *m, uint32_t ring, bool is_synthetic, uint64_t ns)
{
	const struct grt_track *t = grt_track_of(m, ring, is_synthetic, ns);
	uint32_t i = t ? first_of(m, t) : GRT_NONE;

	if (i != GRT_NONE && grt_track_is_lost(t, &grt_slot_at(m, i)->job))
		i = grt_slot_at(m, i)->lane_next;
	/* None of its jobs runs before: for those behind the first, its END sees to it. */
	if (i != GRT_NONE && grt_slot_at(m, i)->before_ns < ns)
		grt_slot_at(m, i)->before_ns = ns;
}

static bool is_over(const struct grt_job *job)
{
	/* One that ended just now is in its lane still, and one whose END is missing. */
	return grt_job_has(job, GRT_AT_COMPLETE) || grt_job_has(job, GRT_AT_END);
}

bool grt_settle_is_behind(const struct grt_model *m, const struct grt_slot *slot)
{
	uint32_t i = slot->lane_prev;

	while (i != GRT_NONE && is_over(&grt_slot_at(m, i)->job))
		i = grt_slot_at(m, i)->lane_prev;
	return i != GRT_NONE;
}

uint32_t grt_settle_running(const struct grt_model *m, const struct grt_track *t,
			    uint64_t *from_ns, bool *is_sure)
{
	uint32_t i = t->lane == GRT_NONE ? GRT_NONE : lane_at(m, t->lane)->head;
	const struct grt_slot *slot;

	*is_sure = false;
	while (i != GRT_NONE && is_over(&grt_slot_at(m, i)->job))
		i = grt_slot_at(m, i)->lane_next;
	if (i == GRT_NONE)
		return GRT_NONE;
	slot = grt_slot_at(m, i);
	*is_sure = !slot->is_suspect && !t->suspects;
	*from_ns = slot->job.at_ns[GRT_AT_COMMIT];
	if (*from_ns < slot->before_ns)
		*from_ns = slot->before_ns;
	return i;
}

const struct grt_spans *grt_settle_runs(const struct grt_model *m, const struct grt_track *t)
{
	static const struct grt_spans none;

	return t->lane == GRT_NONE ? &none : &lane_at(m, t->lane)->runs;
}

/* The lane of a ring's hardware, where jobs run in order; GRT_NONE where not. */
uint32_t grt_settle_lane(struct grt_model *m, uint32_t ring, bool is_synthetic)
{
	const struct grt_job job = {
		.ring = ring, .flags = is_synthetic ? GRT_JOB_SYNTHETIC : 0,
	};

	return is_fifo(ring_of(m, &job)) ? lane_of(m, &job, ring_of(m, &job)) : GRT_NONE;
}
