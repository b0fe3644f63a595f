// SPDX-License-Identifier: LGPL-2.1
#include "inflight.h"

#include "error.h"
#include "model_private.h"

/* A CPU that was writing an event when the snapshot was taken finished it. */
#define LATE_NS	1000000

/* A job that hung.  Its events may be from before the trace: then it has no slot. */
struct hang {
	uint64_t ctx, seqno;
	uint32_t slot;		/* GRT_NONE: none */
};

/* Jobs that wait because another one hung, while they are collected. */
struct hangs {
	struct grt_vec rows;	/* struct hang */
	struct grt_vec of;	/* uint32_t by slot: the row of the job that hung, or GRT_NONE */
	struct grt_vec of_ring;	/* the same by ring state */
	struct grt_vec leaders;	/* uint32_t: slots whose followers are not marked yet */
};

void grt_inflight_end(struct grt_model *m)
{
	const struct grt_snapshot *s = grt_snapshot_log_latest(&m->snapshots);
	struct grt_model_totals *t = &m->totals;

	t->end_ns = t->last_ns;
	/* A slice may end long before its snapshot.  Traces that were merged end at different times. */
	if (!s || m->is_part || m->boots.bytes || s->rec.hdr.ts > UINT64_MAX - LATE_NS ||
	    s->rec.hdr.ts + LATE_NS < t->last_ns)
		return;
	t->ends_at_snapshot = true;
	if (s->rec.hdr.ts > t->last_ns)
		t->end_ns = s->rec.hdr.ts;
}

/* Since when job @i runs. */
static void find_run(struct grt_model *m, uint32_t i, struct grt_inflight *job)
{
	const struct grt_slot *slot = grt_slot_at(m, i);
	const struct grt_ring_state *t;
	uint64_t from_ns, done_ns;
	bool is_sure;

	if (grt_job_has(&slot->job, GRT_AT_START)) {
		job->run_ns = slot->job.at_ns[GRT_AT_START];
		job->is_run_inferred = slot->job.flags & GRT_JOB_INFERRED_START;
		return;
	}
	/* Where drivers report START, a job without one has not begun. */
	if (slot->hwq == GRT_NONE || m->totals.events[GRTRACE_START])
		return;
	t = grt_ring_state_at(m, slot->ring_state);
	if (grt_hw_running(m, t, &from_ns, &is_sure) != i || !is_sure ||
	    (t->is_recovering && !grt_ring_state_is_lost(t, &slot->job)) ||
	    !grt_hw_queue_done_before(&m->pool, i, &done_ns))
		return;
	job->run_ns = from_ns;
	job->is_run_inferred = true;
}

static uint32_t hang_of(const struct hangs *h, uint32_t slot)
{
	return *grt_vec_at(&h->of, uint32_t, slot);
}

/* Job @i has to wait until the job of row @hang is over. */
static int mark(struct grt_model *m, struct hangs *h, uint32_t i, uint32_t hang)
{
	if (i == GRT_NONE || hang_of(h, i) != GRT_NONE || grt_slot_at(m, i)->job.stamps == 0)
		return 0;
	*grt_vec_at(&h->of, uint32_t, i) = hang;
	return grt_vec_append(&h->leaders, &i, sizeof(i)) ? grt_fail_memory() : 0;
}

/* Marks what comes after the marked jobs: in their contexts, on their hardware, by dependencies. */
static int mark_followers(struct grt_model *m, struct hangs *h)
{
	int err = 0;

	while (h->leaders.bytes && !err) {
		const struct grt_slot *slot;
		uint32_t i;

		h->leaders.bytes -= sizeof(i);
		i = *grt_vec_at(&h->leaders, uint32_t, h->leaders.bytes / sizeof(i));
		slot = grt_slot_at(m, i);
		err = mark(m, h, slot->ctx_next, hang_of(h, i));
		if (!err && slot->hwq != GRT_NONE)
			err = mark(m, h, slot->hwq_next, hang_of(h, i));
		for (uint32_t e = slot->waiters; e != GRT_NONE && !err;
		     e = grt_dep_edge_at(m, e)->next_waiter)
			err = mark(m, h, grt_dep_edge_at(m, e)->job, hang_of(h, i));
	}
	return err;
}

static bool is_hung(const struct grt_model *m, const struct grt_flying *f)
{
	return f->job.until_ns && grt_slot_at(m, f->slot)->job.flags & GRT_JOB_HUNG;
}

/* Of several jobs that hung on a ring, the first one counts. */
static int add_hang(struct hangs *h, uint32_t ring_state, const struct hang *hang)
{
	uint32_t row = grt_vec_count(&h->rows, struct hang);
	uint32_t *of_ring = ring_state == GRT_NONE ? NULL : grt_vec_at(&h->of_ring, uint32_t, ring_state);

	if (of_ring && *of_ring == GRT_NONE)
		*of_ring = row;
	return grt_vec_append(&h->rows, hang, sizeof(*hang)) ? grt_fail_memory() : 0;
}

/* The jobs that hung, in the order in which they leave; then those that rings are reset for. */
static int list_hangs(struct grt_model *m, struct hangs *h, const struct grt_vec *all)
{
	int err = 0;

	for (size_t i = 0; i < grt_vec_count(all, struct grt_flying) && !err; i++) {
		const struct grt_flying *f = grt_vec_at(all, struct grt_flying, i);
		const struct grt_slot *slot = grt_slot_at(m, f->slot);

		if (is_hung(m, f))
			err = add_hang(h, slot->ring_state,
				       &(struct hang){ slot->job.ctx, slot->job.seqno, f->slot });
	}
	for (uint32_t i = 0; i < grt_vec_count(&m->ring_states, struct grt_ring_state) && !err; i++) {
		const struct grt_ring_state *t = grt_ring_state_at(m, i);

		if (t->is_recovering && (t->lost_ctx || t->lost_seqno) &&
		    grt_slot_find(m, t->is_synthetic, t->lost_ctx, t->lost_seqno) == GRT_NONE)
			err = add_hang(h, i, &(struct hang){ t->lost_ctx, t->lost_seqno, GRT_NONE });
	}
	return err;
}

/* Jobs on the hardware of a ring whose hung job is not in the trace are behind that one. */
static int mark_hardware(struct grt_model *m, struct hangs *h)
{
	int err = 0;

	for (uint32_t i = 0; i < grt_vec_count(&h->of_ring, uint32_t) && !err; i++) {
		uint32_t row = *grt_vec_at(&h->of_ring, uint32_t, i);
		const struct grt_ring_state *t = grt_ring_state_at(m, i);

		if (row != GRT_NONE && grt_vec_at(&h->rows, struct hang, row)->slot == GRT_NONE &&
		    t->hwq != GRT_NONE)
			err = mark(m, h, grt_hw_queue_at(m, t->hwq)->head, row);
	}
	return err;
}

/* First the jobs that hung, then all that wait in the scheduler for a ring of theirs. */
static int mark_all(struct grt_model *m, struct hangs *h, const struct grt_vec *all)
{
	size_t count = grt_vec_count(all, struct grt_flying);
	int err = 0;

	for (uint32_t row = 0; row < grt_vec_count(&h->rows, struct hang) && !err; row++)
		err = mark(m, h, grt_vec_at(&h->rows, struct hang, row)->slot, row);
	if (!err)
		err = mark_hardware(m, h);
	if (!err)
		err = mark_followers(m, h);
	for (size_t i = 0; i < count && !err; i++) {
		uint32_t row = grt_vec_at(all, struct grt_flying, i)->slot;
		const struct grt_slot *slot = grt_slot_at(m, row);
		uint32_t hang = slot->ring_state == GRT_NONE ? GRT_NONE :
				*grt_vec_at(&h->of_ring, uint32_t, slot->ring_state);

		if (hang != GRT_NONE && !grt_job_has(&slot->job, GRT_AT_COMMIT))
			err = mark(m, h, row, hang);
	}
	return err ? err : mark_followers(m, h);
}

static int fill(struct grt_vec *v, size_t count)
{
	static const uint32_t none = GRT_NONE;

	return count && grt_vec_reach(v, count - 1, &none, sizeof(none)) ? grt_fail_memory() : 0;
}

static int find_hangs(struct grt_model *m, struct hangs *h, struct grt_vec *all)
{
	size_t count = grt_vec_count(all, struct grt_flying);
	int err = fill(&h->of_ring, grt_vec_count(&m->ring_states, struct grt_ring_state));

	if (!err)
		err = list_hangs(m, h, all);
	if (err || !h->rows.bytes)
		return err;
	err = fill(&h->of, m->pool.nr_slots);
	if (!err)
		err = mark_all(m, h, all);
	for (size_t i = 0; i < count && !err; i++) {
		struct grt_flying *f = grt_vec_at(all, struct grt_flying, i);
		uint32_t row = hang_of(h, f->slot);
		const struct hang *hang = row == GRT_NONE ? NULL : grt_vec_at(&h->rows, struct hang, row);

		if (!hang || hang->slot == f->slot || !f->job.until_ns)
			continue;
		f->job.hang_ctx = hang->ctx;
		f->job.hang_seqno = hang->seqno;
	}
	return err;
}

/*
 * Whether to name the fence of @e rather than that of @than: which of them ends last is not known
 * yet.  A fence that a hung job delays says more, then one that the scheduler found in the way.
 */
static bool says_more(const struct grt_model *m, const struct hangs *h, const struct grt_edge *e,
		      const struct grt_edge *than)
{
	const struct grt_life *a = &grt_slot_at(m, e->fence)->job, *b = &grt_slot_at(m, than->fence)->job;

	if (h->of.bytes && (hang_of(h, e->fence) == GRT_NONE) != (hang_of(h, than->fence) == GRT_NONE))
		return hang_of(h, e->fence) != GRT_NONE;
	if (e->is_blocked != than->is_blocked)
		return e->is_blocked;
	return a->ctx != b->ctx ? a->ctx < b->ctx : a->seqno < b->seqno;
}

/* The fence that the job waits for. */
static void find_dep(struct grt_model *m, const struct hangs *h, struct grt_flying *f)
{
	const struct grt_slot *slot = grt_slot_at(m, f->slot), *fence;
	const struct grt_edge *found = NULL;

	for (uint32_t e = slot->deps; e != GRT_NONE; e = grt_dep_edge_at(m, e)->next)
		if (!found || says_more(m, h, grt_dep_edge_at(m, e), found))
			found = grt_dep_edge_at(m, e);
	if (!found)
		return;
	fence = grt_slot_at(m, found->fence);
	f->has_dep = true;
	f->dep_ctx = fence->job.ctx;
	f->dep_seqno = fence->job.seqno;
	/* A fence without an event is no job's, or its job was submitted before the trace. */
	f->is_dep_foreign = fence->is_foreign || !fence->job.stamps;
	f->dep_client = f->is_dep_foreign ? GRT_NONE : fence->job.client != GRT_NONE ?
			fence->job.client : grt_model_client_of(m, fence);
}

int grt_inflight_find(struct grt_model *m, struct grt_vec *all)
{
	size_t count = grt_vec_count(all, struct grt_flying);
	struct hangs h = { .leaders = { 0 } };
	int err;

	for (size_t i = 0; i < count && !m->boots.bytes; i++) {
		struct grt_flying *f = grt_vec_at(all, struct grt_flying, i);
		const struct grt_slot *slot = grt_slot_at(m, f->slot);

		if (grt_job_has(&slot->job, GRT_AT_END) || grt_job_has(&slot->job, GRT_AT_COMPLETE) ||
		    grt_losses_touch(&m->losses, grt_job_first_ns(&slot->job), m->totals.end_ns))
			continue;
		f->job.until_ns = m->totals.end_ns;
		f->job.is_at_snapshot = m->totals.ends_at_snapshot;
		f->is_behind = slot->place == GRT_PLACE_BEHIND;
		f->front_ns = grt_ctx_at(m, slot->ctx)->commit_ns;
		/* Jobs in front that nobody saw hold it up, too. */
		f->is_dep_unknown = slot->is_dep_unknown || grt_ctx_at(m, slot->ctx)->strangers_ns;
		if (slot->ring_state != GRT_NONE) {
			const struct grt_credits *c = &grt_ring_state_at(m, slot->ring_state)->credits;

			f->flips = grt_credits_flips(c);
			f->credits_sure_ns = c->sure_ns;
		}
		find_run(m, f->slot, &f->job);
	}
	err = find_hangs(m, &h, all);
	for (size_t i = 0; i < count && !err; i++)
		find_dep(m, &h, grt_vec_at(all, struct grt_flying, i));
	grt_vec_free(&h.rows);
	grt_vec_free(&h.of);
	grt_vec_free(&h.of_ring);
	grt_vec_free(&h.leaders);
	return err;
}
