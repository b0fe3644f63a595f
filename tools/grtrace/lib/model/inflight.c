// SPDX-License-Identifier: LGPL-2.1
#include "inflight.h"

#include "error.h"
#include "model_private.h"

/* A CPU that was writing an event when the snapshot was taken finished it. */
#define LATE_NS	1000000

/* Of one job. */
struct row {
	uint64_t run_ns;	/* since when it runs; 0: it does not, or that is not known */
	uint32_t hang, dep;	/* rows of those; GRT_NONE: none */
	bool is_flying;		/* else it is over, or may be: events are missing */
	bool is_run_inferred, is_behind, is_dep_unknown;
};

/* The fence that a job waits for. */
struct dep {
	uint64_t ctx, seqno;
	uint32_t client;
	bool is_foreign;
};

/* The credits of a ring. */
struct credits {
	uint64_t sure_ns;
	uint32_t flips;
};

/* A job that hung.  Its events may be from before the trace: then it has no slot. */
struct hang {
	uint64_t ctx, seqno;
	uint32_t slot;		/* GRT_NONE: none */
};

/* Jobs that wait because another one hung, while they are collected. */
struct hangs {
	struct grt_vec *rows;	/* struct hang */
	struct grt_vec of;	/* uint32_t by slot: the row of the job that hung, or GRT_NONE */
	struct grt_vec of_ring;	/* the same by ring state */
	struct grt_vec leaders;	/* uint32_t: slots whose followers are not marked yet */
};

void grt_inflight_end(struct grt_model *m)
{
	const struct grt_snapshot *s = grt_snapshot_log_latest(&m->snapshots);
	struct grt_model_totals *t = &m->totals;

	t->end_ns = t->last_ns;
	/*
	 * The snapshot is not the end of every trace that has one.  A slice may end long before its
	 * snapshot was taken, and after a merge the other traces may go on longer.
	 */
	if (!s || m->is_part || m->boots.bytes || s->rec.hdr.ts > UINT64_MAX - LATE_NS ||
	    s->rec.hdr.ts + LATE_NS < t->last_ns)
		return;
	t->ends_at_snapshot = true;
	if (s->rec.hdr.ts > t->last_ns)
		t->end_ns = s->rec.hdr.ts;
}

static size_t count_of(const struct grt_inflights *all)
{
	return grt_vec_count(&all->slots, uint32_t);
}

static uint32_t slot_at(const struct grt_inflights *all, size_t i)
{
	return *grt_vec_at(&all->slots, uint32_t, i);
}

static struct row *row_at(const struct grt_inflights *all, size_t i)
{
	return grt_vec_at(&all->rows, struct row, i);
}

/* Since when job @i runs. */
static void find_run(struct grt_model *m, uint32_t i, struct row *job)
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

/* Of several jobs that hung on a ring, the first one counts. */
static int add_hang(struct hangs *h, uint32_t ring_state, const struct hang *hang)
{
	uint32_t row = grt_vec_count(h->rows, struct hang);
	uint32_t *of_ring = ring_state == GRT_NONE ? NULL : grt_vec_at(&h->of_ring, uint32_t, ring_state);

	if (of_ring && *of_ring == GRT_NONE)
		*of_ring = row;
	return grt_vec_append(h->rows, hang, sizeof(*hang)) ? grt_fail_memory() : 0;
}

/* The jobs that hung, in the order in which they leave; then those that rings are reset for. */
static int list_hangs(struct grt_model *m, struct hangs *h, const struct grt_inflights *all)
{
	int err = 0;

	for (size_t i = 0; i < count_of(all) && !err; i++) {
		const struct grt_slot *slot = grt_slot_at(m, slot_at(all, i));

		if (row_at(all, i)->is_flying && slot->job.flags & GRT_JOB_HUNG)
			err = add_hang(h, slot->ring_state,
				       &(struct hang){ slot->job.ctx, slot->job.seqno, slot_at(all, i) });
	}
	for (uint32_t i = 0; i < grt_ring_state_count(m) && !err; i++) {
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

		if (row != GRT_NONE && grt_vec_at(h->rows, struct hang, row)->slot == GRT_NONE &&
		    t->hwq != GRT_NONE)
			err = mark(m, h, grt_hw_queue_at(m, t->hwq)->head, row);
	}
	return err;
}

/* First the jobs that hung, then all that wait in the scheduler for a ring of theirs. */
static int mark_all(struct grt_model *m, struct hangs *h, const struct grt_inflights *all)
{
	int err = 0;

	for (uint32_t row = 0; row < grt_vec_count(h->rows, struct hang) && !err; row++)
		err = mark(m, h, grt_vec_at(h->rows, struct hang, row)->slot, row);
	if (!err)
		err = mark_hardware(m, h);
	if (!err)
		err = mark_followers(m, h);
	for (size_t i = 0; i < count_of(all) && !err; i++) {
		const struct grt_slot *slot = grt_slot_at(m, slot_at(all, i));
		uint32_t hang = slot->ring_state == GRT_NONE ? GRT_NONE :
				*grt_vec_at(&h->of_ring, uint32_t, slot->ring_state);

		if (hang != GRT_NONE && !grt_job_has(&slot->job, GRT_AT_COMMIT))
			err = mark(m, h, slot_at(all, i), hang);
	}
	return err ? err : mark_followers(m, h);
}

static int fill(struct grt_vec *v, size_t count)
{
	static const uint32_t none = GRT_NONE;

	return count && grt_vec_reach(v, count - 1, &none, sizeof(none)) ? grt_fail_memory() : 0;
}

static int find_hangs(struct grt_model *m, struct hangs *h, struct grt_inflights *all)
{
	int err = fill(&h->of_ring, grt_ring_state_count(m));

	if (!err)
		err = list_hangs(m, h, all);
	if (err || !h->rows->bytes)
		return err;
	err = fill(&h->of, m->pool.nr_slots);
	if (!err)
		err = mark_all(m, h, all);
	for (size_t i = 0; i < count_of(all) && !err; i++) {
		uint32_t hang = hang_of(h, slot_at(all, i));

		if (hang != GRT_NONE && grt_vec_at(h->rows, struct hang, hang)->slot != slot_at(all, i))
			row_at(all, i)->hang = hang;
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

/* The fence that job @i of @all waits for. */
static int find_dep(struct grt_model *m, const struct hangs *h, struct grt_inflights *all, size_t i)
{
	const struct grt_slot *slot = grt_slot_at(m, slot_at(all, i)), *fence;
	const struct grt_edge *found = NULL;
	struct dep dep = { .client = GRT_NONE };

	for (uint32_t e = slot->deps; e != GRT_NONE; e = grt_dep_edge_at(m, e)->next)
		if (!found || says_more(m, h, grt_dep_edge_at(m, e), found))
			found = grt_dep_edge_at(m, e);
	if (!found)
		return 0;
	fence = grt_slot_at(m, found->fence);
	dep.ctx = fence->job.ctx;
	dep.seqno = fence->job.seqno;
	/* A fence without an event is no job's, or its job was submitted before the trace. */
	dep.is_foreign = fence->is_foreign || !fence->job.stamps;
	if (!dep.is_foreign)
		dep.client = fence->job.client != GRT_NONE ? fence->job.client :
			     grt_model_client_of(m, fence);
	row_at(all, i)->dep = grt_vec_count(&all->deps, struct dep);
	return grt_vec_append(&all->deps, &dep, sizeof(dep)) ? grt_fail_memory() : 0;
}

static void find_job(struct grt_model *m, uint32_t i, struct row *row)
{
	const struct grt_slot *slot = grt_slot_at(m, i);

	if (m->boots.bytes || grt_job_has(&slot->job, GRT_AT_END) ||
	    grt_job_has(&slot->job, GRT_AT_COMPLETE) ||
	    grt_losses_touch(&m->losses, grt_job_first_ns(&slot->job), m->totals.end_ns))
		return;
	row->is_flying = true;
	row->is_behind = slot->place == GRT_PLACE_BEHIND;
	/* Jobs in front that nobody saw hold it up, too. */
	row->is_dep_unknown = slot->is_dep_unknown || grt_ctx_at(m, slot->ctx)->strangers_ns;
	find_run(m, i, row);
}

static int copy_credits(const struct grt_model *m, struct grt_inflights *all)
{
	for (uint32_t i = 0; i < grt_ring_state_count(m); i++) {
		const struct grt_credits *c = &grt_ring_state_at(m, i)->credits;
		struct credits copy = { .sure_ns = c->sure_ns, .flips = grt_credits_flips(c) };

		if (grt_vec_append(&all->credits, &copy, sizeof(copy)))
			return grt_fail_memory();
	}
	return 0;
}

int grt_inflight_find(struct grt_model *m, struct grt_inflights *all)
{
	struct hangs h = { .rows = &all->hangs };
	int err = copy_credits(m, all);

	for (size_t i = 0; i < count_of(all) && !err; i++) {
		struct row row = { .hang = GRT_NONE, .dep = GRT_NONE };

		find_job(m, slot_at(all, i), &row);
		if (grt_vec_append(&all->rows, &row, sizeof(row)))
			err = grt_fail_memory();
	}
	if (!err)
		err = find_hangs(m, &h, all);
	for (size_t i = 0; i < count_of(all) && !err; i++)
		err = find_dep(m, &h, all, i);
	grt_vec_free(&h.of);
	grt_vec_free(&h.of_ring);
	grt_vec_free(&h.leaders);
	return err;
}

void grt_inflight_free(struct grt_inflights *all)
{
	grt_vec_free(&all->rows);
	grt_vec_free(&all->deps);
	grt_vec_free(&all->hangs);
	grt_vec_free(&all->credits);
}

struct grt_flying grt_inflight_at(const struct grt_model *m, const struct grt_inflights *all, size_t i)
{
	const struct grt_slot *slot = grt_slot_at(m, slot_at(all, i));
	const struct row *row = row_at(all, i);
	struct grt_flying f = { .dep_client = GRT_NONE };

	if (row->dep != GRT_NONE) {
		const struct dep *dep = grt_vec_at(&all->deps, struct dep, row->dep);

		f.has_dep = true;
		f.is_dep_foreign = dep->is_foreign;
		f.dep_client = dep->client;
		f.dep_ctx = dep->ctx;
		f.dep_seqno = dep->seqno;
	}
	if (!row->is_flying)
		return f;
	f.job = (struct grt_inflight){
		.until_ns = m->totals.end_ns, .is_at_snapshot = m->totals.ends_at_snapshot,
		.run_ns = row->run_ns, .is_run_inferred = row->is_run_inferred,
	};
	if (row->hang != GRT_NONE) {
		f.job.hang_ctx = grt_vec_at(&all->hangs, struct hang, row->hang)->ctx;
		f.job.hang_seqno = grt_vec_at(&all->hangs, struct hang, row->hang)->seqno;
	}
	f.is_behind = row->is_behind;
	f.is_dep_unknown = row->is_dep_unknown;
	f.front_ns = grt_ctx_at(m, slot->ctx)->commit_ns;
	if (slot->ring_state != GRT_NONE) {
		const struct credits *c = grt_vec_at(&all->credits, struct credits, slot->ring_state);

		f.flips = c->flips;
		f.credits_sure_ns = c->sure_ns;
	}
	return f;
}
