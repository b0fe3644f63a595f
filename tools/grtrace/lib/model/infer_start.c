// SPDX-License-Identifier: LGPL-2.1
/*
 * When a job really began: infers START from the order of the ring and from what the ring did.
 * Waits until time moves on from an END, because another END or a COMMIT with the same time may
 * follow from another CPU.
 */
#include <errno.h>
#include <stdlib.h>

#include "model_private.h"

#define SOME_JOBS	16	/* old history is dropped once per so many jobs */

int grt_infer_commit(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	const struct grt_life *job = &slot->job;
	const struct grt_hw_queue *hwq;
	uint32_t hwq_nr;

	if (slot->hwq != GRT_NONE || slot->is_accounted || !grt_job_has(job, GRT_AT_COMMIT) ||
	    slot->ring_state == GRT_NONE || !grt_ring_state_at(m, slot->ring_state)->is_fifo)
		return 0;
	hwq_nr = grt_ring_state_at(m, slot->ring_state)->hwq;
	if (hwq_nr == GRT_NONE)
		return -ENOMEM;
	hwq = grt_hw_queue_at(m, hwq_nr);
	/* By the clock of another CPU, the job behind it was committed first. */
	if (grt_is_older(job->seqno, grt_ctx_at(m, slot->ctx)->commit_seqno)) {
		uint32_t behind = grt_order_committed_behind(m, i, GRT_SKEW_NS);

		if (behind != GRT_NONE && grt_slot_at(m, behind)->hwq == hwq_nr) {
			grt_hw_queue_insert(&m->pool, grt_hw_queue_at(m, hwq_nr), hwq_nr, i, behind);
			return 0;
		}
	}
	/* Its ring became known late: the jobs in front of it cannot be found any more. */
	if (hwq->tail != GRT_NONE &&
	    grt_slot_at(m, hwq->tail)->job.at_ns[GRT_AT_COMMIT] > job->at_ns[GRT_AT_COMMIT])
		return 0;
	grt_hw_queue_append(&m->pool, grt_hw_queue_at(m, hwq_nr), hwq_nr, i);
	return 0;
}

/*
 * Whether a job in front of @slot has not ended: then it is unknown which of the two ran first.
 * Two kinds of jobs do not count: a job for which a ring is reset may end later, and the END of a
 * suspect is lost.
 */
static bool has_overtaken(const struct grt_model *m, const struct grt_slot *slot)
{
	uint32_t i = grt_hw_in_front(m, slot);

	while (i != GRT_NONE && grt_slot_at(m, i)->is_suspect)
		i = grt_hw_in_front(m, grt_slot_at(m, i));

	return i != GRT_NONE &&
	       !grt_ring_state_is_lost(grt_ring_state_at(m, grt_slot_at(m, i)->ring_state),
				       &grt_slot_at(m, i)->job);
}

static void infer_start(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_life *job = &slot->job;
	uint64_t commit_ns = job->at_ns[GRT_AT_COMMIT], end_ns = job->at_ns[GRT_AT_END];
	uint64_t start_ns;

	if (slot->hwq == GRT_NONE || slot->overtaken_ns || job->flags & GRT_JOB_NO_HW ||
	    grt_job_has(job, GRT_AT_START) || commit_ns > end_ns)
		return;
	if (end_ns >= grt_hw_queue_at(m, slot->hwq)->unordered_ns)
		return;
	/* The END of another job may be missing, or came at this very instant. */
	if (grt_losses_touch(&m->losses, commit_ns, end_ns) ||
	    grt_hw_queue_at(m, slot->hwq)->odd_ns == end_ns) {
		job->flags |= GRT_JOB_LOSSY;
		return;
	}
	if (!grt_hw_queue_done_before(&m->pool, i, &start_ns) || start_ns > end_ns ||
	    has_overtaken(m, slot))
		return;
	if (start_ns < commit_ns)
		start_ns = commit_ns;
	grt_job_stamp(job, GRT_AT_START, start_ns);
	job->flags |= GRT_JOB_INFERRED_START;
}

/*
 * Job @i left its hardware queue at @ns.  If another job overtook it there, the ring does not run
 * jobs in the order of COMMIT, whatever its driver says; unless a reset, or two clocks that
 * differ, explain it.
 */
static void check_order(struct grt_model *m, uint32_t i, struct grt_hw_queue *hwq, uint64_t ns)
{
	const struct grt_slot *slot = grt_slot_at(m, i);
	const struct grt_ring_state *t = grt_ring_state_at(m, slot->ring_state);
	uint64_t commit_ns = slot->job.at_ns[GRT_AT_COMMIT];
	uint32_t seen = GRT_JOB_INFERRED_START;

	if (!slot->overtaken_ns || ns <= slot->overtaken_ns + GRT_SKEW_NS ||
	    t->reset_to_ns >= commit_ns || grt_losses_touch(&m->losses, commit_ns, ns) ||
	    (grt_job_has(&slot->job, GRT_AT_START) && !(slot->job.flags & seen)))
		return;
	grt_slot_at(m, i)->job.flags |= GRT_JOB_OUT_OF_ORDER;
	if (hwq->unordered_ns > commit_ns) {
		hwq->unordered_ns = commit_ns;
		m->wants_hindsight = true;
	}
}

/* The hardware is done with job @i: updates its hardware queue and the time of its ring. */
static int account(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	const struct grt_life *job = &slot->job;
	uint64_t end_ns = job->at_ns[GRT_AT_END], oldest_ns;
	bool ran = !(job->flags & GRT_JOB_NO_HW);
	struct grt_ring_state *t;
	struct grt_hw_queue *hwq;
	uint32_t hwq_nr;
	bool is_counted;

	slot->is_accounted = true;
	/*
	 * On a FIFO ring, jobs committed before one that ran are over, though no event shows it.
	 */
	while (ran && slot->hwq_prev != GRT_NONE && grt_slot_at(m, slot->hwq_prev)->is_suspect) {
		uint32_t lost = slot->hwq_prev;

		grt_suspect_was_over(m, lost, end_ns);
		grt_queue_leave(m, lost, end_ns);
		grt_infer_leave(m, lost);
	}
	grt_queue_end(m, i, end_ns);
	t = slot->ring_state == GRT_NONE ? NULL : grt_ring_state_at(m, slot->ring_state);
	if (!t || !t->is_fifo || !ran) {
		grt_infer_leave(m, i);
		return 0;
	}
	hwq_nr = slot->hwq != GRT_NONE ? slot->hwq : t->hwq;
	if (hwq_nr == GRT_NONE)
		return -ENOMEM;
	hwq = grt_hw_queue_at(m, hwq_nr);
	if (slot->hwq_prev != GRT_NONE && !grt_slot_at(m, slot->hwq_prev)->overtaken_ns)
		grt_slot_at(m, slot->hwq_prev)->overtaken_ns = end_ns;
	if (slot->hwq != GRT_NONE && slot->overtaken_ns)
		check_order(m, i, hwq, end_ns);
	if (slot->hwq != GRT_NONE)
		grt_hw_queue_remove(&m->pool, hwq, i, end_ns, 0);
	else
		grt_hw_queue_pass(&m->pool, hwq, end_ns);
	is_counted = grt_is_in_window(m, end_ns);
	t->line.use.jobs += is_counted;
	if (++t->ended % SOME_JOBS == 0) {
		oldest_ns = m->oldest == GRT_NONE ? end_ns : grt_slot_at(m, m->oldest)->opened_ns;
		grt_hw_queue_drop(hwq, oldest_ns, m->keeps_pieces ? GRT_MAX_PIECES : GRT_MAX_SPANS);
		grt_credits_drop(&t->credits, oldest_ns);
		grt_front_drop(t->room, oldest_ns, GRT_MAX_ROOM);
	}
	if (!grt_job_has(job, GRT_AT_START)) {
		t->line.use.unknown_jobs += is_counted;
		return 0;
	}
	return grt_hw_queue_ran(hwq, &(struct grt_span_by){
		.ctx = job->ctx, .seqno = job->seqno, .client = job->client,
		.reason = GRT_BLAME_RING, .is_hung = job->flags & GRT_JOB_HUNG,
	}, job->at_ns[GRT_AT_START], end_ns);
}

struct tied {
	uint64_t start_ns, commit_ns;
	uint32_t slot;
	bool has_start;
};

static int compare_commits(const void *a, const void *b)
{
	const struct tied *x = a, *y = b;

	return (x->commit_ns > y->commit_ns) - (x->commit_ns < y->commit_ns);
}

static int compare_tied(const void *a, const void *b)
{
	const struct tied *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return compare_commits(a, b);
}

/* A job with unknown START ran after those that were committed before it. */
static void place_unknown(struct tied *all, size_t count)
{
	uint64_t start_ns = 0;

	qsort(all, count, sizeof(*all), compare_commits);
	for (size_t i = 0; i < count; i++) {
		if (!all[i].has_start)
			all[i].start_ns = start_ns;
		else if (all[i].start_ns > start_ns)
			start_ns = all[i].start_ns;
	}
}

/* Several jobs ended at one instant: accounts for them in the order in which they ran. */
static int account_tied(struct grt_model *m)
{
	struct grt_vec all = { 0 };
	int err = 0;

	for (uint32_t i = m->ended; i != GRT_NONE && !err; i = grt_slot_at(m, i)->next) {
		const struct grt_life *job = &grt_slot_at(m, i)->job;
		const struct tied tied = {
			job->at_ns[GRT_AT_START], job->at_ns[GRT_AT_COMMIT], i,
			grt_job_has(job, GRT_AT_START),
		};

		err = grt_vec_append(&all, &tied, sizeof(tied));
	}
	if (!err) {
		place_unknown(all.data, grt_vec_count(&all, struct tied));
		qsort(all.data, grt_vec_count(&all, struct tied), sizeof(struct tied),
		      compare_tied);
	}
	m->ended = GRT_NONE;
	for (size_t i = 0; i < grt_vec_count(&all, struct tied) && !err; i++)
		err = account(m, grt_vec_at(&all, struct tied, i)->slot);
	grt_vec_free(&all);
	return err;
}

/* If the COMMIT of job @i is missing, it is unknown whether it ran before others that end now. */
static void note_odd(struct grt_model *m, uint32_t i)
{
	const struct grt_slot *slot = grt_slot_at(m, i);
	uint32_t hwq = slot->ring_state == GRT_NONE ? GRT_NONE :
						       grt_ring_state_at(m, slot->ring_state)->hwq;

	if (hwq != GRT_NONE && slot->hwq == GRT_NONE && !(slot->job.flags & GRT_JOB_NO_HW))
		grt_hw_queue_at(m, hwq)->odd_ns = slot->job.at_ns[GRT_AT_END];
}

static void infer_ended(struct grt_model *m)
{
	uint32_t i;
	int err;

	for (i = m->ended; i != GRT_NONE; i = grt_slot_at(m, i)->next)
		note_odd(m, i);
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

void grt_infer_now(struct grt_model *m)
{
	uint32_t i;

	infer_ended(m);
	/* A killed job no longer waits; a job whose END was lost no longer runs. */
	for (i = m->held_fresh; i != GRT_NONE; i = grt_slot_at(m, i)->held_next) {
		const struct grt_slot *slot = grt_slot_at(m, i);
		uint64_t ns = slot->job.at_ns[GRT_AT_COMPLETE];

		if (!slot->is_on) {
			grt_queue_leave(m, i, ns);
		} else if (grt_losses_touch(&m->losses, slot->job.at_ns[GRT_AT_COMMIT], ns)) {
			grt_queue_leave(m, i, ns);
			grt_infer_leave(m, i);
		}
	}
	m->held_fresh = GRT_NONE;
}

void grt_infer_leave(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	uint64_t doubt_ns, commit_ns = slot->job.at_ns[GRT_AT_COMMIT];

	if (slot->hwq == GRT_NONE)
		return;
	doubt_ns = grt_hw_queue_doubt_ns(&slot->job);
	/* A job whose END was lost ended during the loss. */
	if (doubt_ns && grt_losses_touch(&m->losses, commit_ns, doubt_ns))
		doubt_ns = 0;
	if (slot->overtaken_ns && !grt_job_has(&slot->job, GRT_AT_END))
		check_order(m, i, grt_hw_queue_at(m, slot->hwq), m->now_ns);
	grt_hw_queue_remove(&m->pool, grt_hw_queue_at(m, slot->hwq), i, 0, doubt_ns);
}

void grt_infer_recovered(struct grt_model *m, uint32_t ring, bool is_synthetic, uint64_t ns)
{
	const struct grt_ring_state *t = grt_ring_state_of(m, ring, is_synthetic, ns);
	uint32_t i = t ? grt_hw_first(m, t) : GRT_NONE;

	if (i != GRT_NONE && grt_ring_state_is_lost(t, &grt_slot_at(m, i)->job))
		i = grt_slot_at(m, i)->hwq_next;
	/* No job of the ring runs before @ns.  The first one's END delays those behind it. */
	if (i != GRT_NONE && grt_slot_at(m, i)->before_ns < ns)
		grt_slot_at(m, i)->before_ns = ns;
}
