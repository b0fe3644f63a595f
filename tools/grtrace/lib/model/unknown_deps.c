// SPDX-License-Identifier: LGPL-2.1
/* Jobs with unknown dependencies: it is unknown whether they wait. */
#include "model_private.h"

void grt_queue_doubt(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	if (!slot->is_ready)
		return;
	grt_queue_withdraw(m, i, ns);
	grt_ring_state_move_ready(m, i, ns);
	grt_queue_finalize(m, grt_ring_state_at(m, slot->ring_state));
}

void grt_queue_lose_deps(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ring_state *t;

	if (!grt_slot_is_queued(slot) || slot->is_doubtful)
		return;
	t = grt_ring_state_at(m, slot->ring_state);
	grt_queue_withdraw(m, i, ns);
	grt_ring_state_unlink_ready(m, t, i);
	slot->is_doubtful = true;
	t->doubtful++;
	grt_queue_finalize(m, t);
}

/* Dependencies are left out from @ns on: it is unknown what any waiting job depends on. */
void grt_queue_doubt_all(struct grt_model *m, uint64_t ns)
{
	for (uint32_t i = m->oldest; i != GRT_NONE; i = grt_slot_at(m, i)->age_next)
		grt_queue_lose_deps(m, i, ns);
}
