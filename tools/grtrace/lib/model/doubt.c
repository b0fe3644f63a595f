// SPDX-License-Identifier: LGPL-2.1
/*
 * Times where it is unknown why jobs waited: dependencies are left out or too many, or no event
 * shows their end.  There the cause of the ring's idle time is unknown, too.
 */
#include <errno.h>

#include "model_private.h"

/*
 * It is unknown why jobs waited at the ring of @slot from its SUBMIT, or @front_ns if that is
 * later, until @ns.
 */
static void doubt(struct grt_model *m, const struct grt_slot *slot, uint64_t front_ns, uint64_t ns)
{
	uint64_t from_ns = slot->opened_ns > front_ns ? slot->opened_ns : front_ns;

	if (slot->ring_state == GRT_NONE || from_ns >= ns)
		return;
	if (grt_losses_add(&grt_ring_state_at(m, slot->ring_state)->doubts, from_ns, ns))
		m->err = -ENOMEM;
	m->wants_hindsight = true;
}

void grt_queue_doubt_since(struct grt_model *m, uint32_t i, uint64_t ns)
{
	doubt(m, grt_slot_at(m, i), ns, m->now_ns);
}

void grt_queue_doubt_turn(struct grt_model *m, uint32_t i, uint64_t ns)
{
	const struct grt_slot *slot = grt_slot_at(m, i);

	if (slot->place == GRT_PLACE_HEAD)
		doubt(m, slot, grt_ctx_at(m, slot->ctx)->commit_ns, ns);
}

void grt_queue_doubt_past(struct grt_model *m, uint32_t i)
{
	const struct grt_slot *slot = grt_slot_at(m, i);
	uint64_t commit_ns = slot->job.at_ns[GRT_AT_COMMIT];

	/* A job that was not handed over still waits. */
	if (!grt_job_has(&slot->job, GRT_AT_COMMIT) || !(slot->pending || slot->misses_end))
		return;
	doubt(m, slot, slot->front_ns, commit_ns);
	/* A source that reports the end of every fence would have done so before the COMMIT. */
	if (!grt_losses_touch(&m->losses, slot->opened_ns, m->now_ns))
		grt_boot_of(m, slot->job.ctx)->misses_ends = true;
}

void grt_queue_doubt_last(struct grt_model *m, uint64_t ns)
{
	for (uint32_t i = m->oldest; i != GRT_NONE; i = grt_slot_at(m, i)->age_next) {
		const struct grt_slot *slot = grt_slot_at(m, i);

		if (slot->pending && grt_boot_of(m, slot->job.ctx)->misses_ends)
			grt_queue_doubt_turn(m, i, ns);
	}
}
