// SPDX-License-Identifier: LGPL-2.1
/*
 * Slots that only other jobs need: of fences that a job waits for and that had no event yet; and
 * of jobs that were handed out, while a job in flight may turn out to have waited for their end.
 */
#include <errno.h>

#include "error.h"
#include "model_private.h"

#define MAX_FENCES	65536
#define MAX_ASKED	65536	/* forgotten ends that the next pass keeps */

uint32_t grt_fence_open(struct grt_model *m, bool is_synthetic, uint64_t ctx, uint64_t seqno)
{
	struct grt_slot *slot;
	uint32_t i;

	if (m->nr_fences == MAX_FENCES) {
		/* No honest trace has as many: this counts as a loss of events. */
		m->err = grt_losses_add(&m->losses, m->now_ns, m->now_ns);
		return GRT_NONE;
	}
	i = grt_pool_get(&m->pool);
	if (i == GRT_NONE || grt_jobmap_put(&m->jobs[is_synthetic], ctx, seqno, i)) {
		m->err = grt_fail_memory();
		return GRT_NONE;
	}
	slot = grt_slot_at(m, i);
	slot->has_key = slot->is_fence = true;
	slot->opened_ns = m->now_ns;
	slot->job.ctx = ctx;
	slot->job.seqno = seqno;
	slot->job.ring = slot->job.process = slot->job.client = GRT_NONE;
	slot->job.flags = is_synthetic ? GRT_JOB_SYNTHETIC : 0;
	m->nr_fences++;
	return i;
}

void grt_fence_free(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	if (slot->has_key)
		grt_jobmap_del(&m->jobs[!!(slot->job.flags & GRT_JOB_SYNTHETIC)],
			       slot->job.ctx, slot->job.seqno, i);
	slot->has_key = false;
	if (slot->is_fence)
		m->nr_fences--;
	/* Its driver reported a wait inside it, as if it were a job. */
	if (slot->has_gpu_wait)
		grt_gpu_wait_remove(m, i);
	grt_pool_put(&m->pool, i);
}

void grt_fence_unused(struct grt_model *m, uint32_t i)
{
	const struct grt_slot *slot = grt_slot_at(m, i);

	if (slot->is_fence && slot->state == GRT_NEW && slot->waiters == GRT_NONE &&
	    slot->deps == GRT_NONE)
		grt_fence_free(m, i);
}

void grt_retired_add(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	slot->state = GRT_GONE;
	slot->gone_ns = ns;
	slot->held_next = GRT_NONE;
	if (m->retired_tail == GRT_NONE)
		m->retired_head = i;
	else
		grt_slot_at(m, m->retired_tail)->held_next = i;
	m->retired_tail = i;
	m->nr_retired++;
}

void grt_retired_drop(struct grt_model *m)
{
	/* An event of a dependency may come a moment after the fence's. */
	uint64_t until_ns = m->now_ns > GRT_SKEW_NS ? m->now_ns - GRT_SKEW_NS : 0;

	if (m->oldest != GRT_NONE && grt_slot_at(m, m->oldest)->opened_ns < until_ns)
		until_ns = grt_slot_at(m, m->oldest)->opened_ns;
	while (m->retired_head != GRT_NONE) {
		uint32_t i = m->retired_head;
		struct grt_slot *slot = grt_slot_at(m, i);

		if (slot->gone_ns >= until_ns) {
			if (m->nr_retired <= GRT_MAX_RETIRED)
				return;
			m->dropped_ns = slot->gone_ns;
		}
		m->retired_head = slot->held_next;
		if (m->retired_head == GRT_NONE)
			m->retired_tail = GRT_NONE;
		m->nr_retired--;
		grt_fence_free(m, i);
	}
}

void grt_fence_ask(struct grt_model *m, uint64_t ctx, uint64_t seqno)
{
	if (m->has_hindsight || m->asked.used == MAX_ASKED)
		return;
	if (!grt_fence_is_asked_for(m, ctx, seqno) && grt_keymap_put(&m->asked, ctx, seqno, 0))
		m->err = -ENOMEM;
}

int grt_fences_learn(struct grt_model *m, const struct grt_model *earlier)
{
	return grt_keymap_copy(&m->asked, &earlier->asked);
}
