// SPDX-License-Identifier: LGPL-2.1
/*
 * When a job really began: START by the order of the ring, and what the ring was
 * doing.  Done when time moves on from an END, so that another END or a COMMIT
 * with the same time, but on a later CPU, has its say.
 */
#include <errno.h>

#include "inside.h"

static const struct grt_ring *ring_of(const struct grt_model *m, const struct grt_job *job)
{
	return job->ring == GRT_NONE ? NULL : grt_names_ring_at(&m->names, job->ring);
}

static bool is_fifo(const struct grt_ring *ring)
{
	return ring && ring->order == GRTRACE_ORDER_FIFO;
}

/* Makes sure that @v has row @i, new rows being copies of @blank. */
static int extend(struct grt_vec *v, uint32_t i, const void *blank, size_t bytes)
{
	while (v->bytes / bytes <= i)
		if (grt_vec_append(v, blank, bytes))
			return -ENOMEM;
	return 0;
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
	return extend(&m->lanes, lane, &blank, sizeof(blank)) ? GRT_NONE : lane;
}

static struct grt_lane *lane_at(const struct grt_model *m, uint32_t lane)
{
	return grt_vec_at(&m->lanes, struct grt_lane, lane);
}

int grt_settle_commit(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	const struct grt_job *job = &slot->job;
	const struct grt_ring *ring = ring_of(m, job);
	const struct grt_lane *lane;
	uint32_t lane_nr;

	if (slot->lane != GRT_NONE || slot->is_settled || !grt_job_has(job, GRT_AT_COMMIT) ||
	    !is_fifo(ring))
		return 0;
	lane_nr = lane_of(m, job, ring);
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

/* The hardware is done with job @i: for its lane, and for the ring's account. */
static void account(struct grt_model *m, uint32_t i)
{
	static const struct grt_ring_use blank;
	struct grt_slot *slot = grt_slot_at(m, i);
	const struct grt_job *job = &slot->job;
	uint64_t end_ns = job->at_ns[GRT_AT_END];
	uint64_t start_ns = job->at_ns[GRT_AT_START];
	bool ran = !(job->flags & GRT_JOB_NO_HW);
	const struct grt_ring *ring = ring_of(m, job);
	struct grt_ring_use *use;
	struct grt_lane *lane;
	uint32_t lane_nr;

	slot->is_settled = true;
	if (!is_fifo(ring) || !ran) {
		grt_settle_leave(m, i);
		return;
	}
	lane_nr = lane_of(m, job, ring);
	if (lane_nr == GRT_NONE || extend(&m->uses, job->ring, &blank, sizeof(blank)))
		return;
	lane = lane_at(m, lane_nr);
	use = grt_vec_at(&m->uses, struct grt_ring_use, job->ring);
	if (slot->lane != GRT_NONE)
		grt_lane_remove(&m->pool, lane_at(m, slot->lane), i, end_ns);
	else
		grt_lane_pass(&m->pool, lane, end_ns);
	if (job->flags & GRT_JOB_SYNTHETIC)
		return;
	use->jobs++;
	if (!grt_job_has(job, GRT_AT_START)) {
		use->unknown_jobs++;
		return;
	}
	if (start_ns <= end_ns)
		use->busy_ns += grt_lane_busy(lane, start_ns, end_ns);
}

void grt_settle_ended(struct grt_model *m)
{
	uint32_t i;

	for (i = m->ended; i != GRT_NONE; i = grt_slot_at(m, i)->next)
		infer_start(m, i);
	while (m->ended != GRT_NONE) {
		i = m->ended;
		m->ended = grt_slot_at(m, i)->next;
		account(m, i);
	}
}

void grt_settle_leave(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	if (slot->lane != GRT_NONE)
		grt_lane_remove(&m->pool, lane_at(m, slot->lane), i, 0);
}
