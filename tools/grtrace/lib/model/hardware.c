// SPDX-License-Identifier: LGPL-2.1
/* What the hardware of a ring runs, and ran. */
#include "model_private.h"

static const struct grt_ring *ring_of(const struct grt_model *m, const struct grt_life *job)
{
	return job->ring == GRT_NONE ? NULL : grt_names_ring_at(&m->names, job->ring);
}

static bool is_fifo(const struct grt_ring *ring)
{
	return ring && ring->order == GRTRACE_ORDER_FIFO;
}

/*
 * The hardware queue of @job's hardware, GRT_NONE without memory.  Jobs written by hand
 * have hardware queues of their own: they must not touch the times of real ones.
 */
static uint32_t hwq_of(struct grt_model *m, const struct grt_life *job,
		       const struct grt_ring *ring)
{
	struct grt_hw_queue blank = {
		.head = GRT_NONE,
		.tail = GRT_NONE,
		.unordered_ns = UINT64_MAX,
		.odd_ns = UINT64_MAX,
	};
	uint32_t row = grt_names_ring_row(&m->names, ring->hw_ring);
	uint32_t hwq;

	if (row == GRT_NONE)	/* too many rings: take the job's own */
		row = job->ring;
	hwq = 2 * row + !!(job->flags & GRT_JOB_SYNTHETIC);
	if (grt_vec_reach(&m->hwqs, hwq, &blank, sizeof(blank)))
		return GRT_NONE;
	if (hwq < grt_vec_count(&m->late, struct grt_late))
		grt_hw_queue_at(m, hwq)->unordered_ns =
			grt_vec_at(&m->late, struct grt_late, hwq)->unordered_ns;
	return hwq;
}

static bool is_over(const struct grt_life *job)
{
	/* A job that ended just now, or whose END is missing, is still in its hardware queue. */
	return grt_job_has(job, GRT_AT_COMPLETE) || grt_job_has(job, GRT_AT_END);
}

uint32_t grt_hw_in_front(const struct grt_model *m, const struct grt_slot *slot)
{
	uint32_t i = slot->hwq_prev;

	while (i != GRT_NONE && is_over(&grt_slot_at(m, i)->job))
		i = grt_slot_at(m, i)->hwq_prev;
	return i;
}

uint32_t grt_hw_first(const struct grt_model *m, const struct grt_ring_state *t)
{
	uint32_t i = t->hwq == GRT_NONE ? GRT_NONE : grt_hw_queue_at(m, t->hwq)->head;

	while (i != GRT_NONE && (grt_ring_state_at(m, grt_slot_at(m, i)->ring_state) != t ||
				 grt_job_has(&grt_slot_at(m, i)->job, GRT_AT_END)))
		i = grt_slot_at(m, i)->hwq_next;
	return i;
}

bool grt_hw_begins(const struct grt_model *m, const struct grt_ring_state *t)
{
	uint32_t i = grt_hw_first(m, t);

	return i == GRT_NONE || !grt_ring_state_is_lost(t, &grt_slot_at(m, i)->job);
}

bool grt_hw_is_behind(const struct grt_model *m, const struct grt_slot *slot)
{
	return grt_hw_in_front(m, slot) != GRT_NONE;
}

/*
 * Whether the hardware is being reset for another job.  Rings that share it have no event of their own as long as the
 * driver is about to reset it.
 */
static bool is_held_by_reset(const struct grt_model *m, const struct grt_ring_state *t, const struct grt_slot *slot)
{
	const struct grt_ring_state *own = grt_ring_state_at(m, slot->ring_state);

	return grt_hw_queue_at(m, t->hwq)->resets &&
	       !(own->is_recovering && grt_ring_state_is_lost(own, &slot->job));
}

uint32_t grt_hw_running(const struct grt_model *m, const struct grt_ring_state *t,
			uint64_t *from_ns, bool *is_sure)
{
	uint32_t i = t->hwq == GRT_NONE ? GRT_NONE : grt_hw_queue_at(m, t->hwq)->head;
	const struct grt_slot *slot;

	*is_sure = false;
	while (i != GRT_NONE && is_over(&grt_slot_at(m, i)->job))
		i = grt_slot_at(m, i)->hwq_next;
	if (i == GRT_NONE)
		return GRT_NONE;
	slot = grt_slot_at(m, i);
	/* Jobs from before the trace may be in front. */
	*is_sure = !slot->is_suspect && !t->suspects && !slot->overtaken_ns &&
		   !grt_ring_state_has_strangers(grt_ring_state_at(m, slot->ring_state)) &&
		   !is_held_by_reset(m, t, slot) && m->now_ns < grt_hw_queue_at(m, t->hwq)->unordered_ns;
	*from_ns = slot->job.at_ns[GRT_AT_COMMIT];
	if (*from_ns < slot->before_ns)
		*from_ns = slot->before_ns;
	return i;
}

const struct grt_span_by *grt_hw_job_at(const struct grt_model *m, const struct grt_ring_state *t,
					uint64_t ns)
{
	return t->hwq == GRT_NONE ? NULL : grt_hw_queue_job_at(grt_hw_queue_at(m, t->hwq), ns);
}

const struct grt_spans *grt_hw_runs(const struct grt_model *m, const struct grt_ring_state *t)
{
	static const struct grt_spans none;

	return t->hwq == GRT_NONE ? &none : &grt_hw_queue_at(m, t->hwq)->runs;
}

const struct grt_spans *grt_hw_jobs(const struct grt_model *m, const struct grt_ring_state *t)
{
	return t->hwq == GRT_NONE ? NULL : grt_hw_queue_at(m, t->hwq)->jobs;
}

/* The hardware queue of a ring; GRT_NONE if its jobs do not run in order. */
uint32_t grt_hw_queue_of(struct grt_model *m, uint32_t ring, bool is_synthetic)
{
	const struct grt_life job = {
		.ring = ring, .flags = is_synthetic ? GRT_JOB_SYNTHETIC : 0,
	};

	return is_fifo(ring_of(m, &job)) ? hwq_of(m, &job, ring_of(m, &job)) : GRT_NONE;
}
