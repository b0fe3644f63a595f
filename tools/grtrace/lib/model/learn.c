// SPDX-License-Identifier: LGPL-2.1
/* What a pass over a trace found out too late, for the next pass. */
#include "model_private.h"

/* Ring states and hardware queues both have two rows for each ring. */
static int learn_rings(struct grt_model *m, const struct grt_model *earlier)
{
	uint32_t states = grt_ring_state_count(earlier);
	uint32_t hwqs = grt_vec_count(&earlier->hwqs, struct grt_hw_queue);
	int err = 0;

	for (uint32_t i = 0; (i < states || i < hwqs) && !err; i++) {
		struct grt_late late = { .unordered_ns = UINT64_MAX };

		if (i < hwqs)
			late.unordered_ns = grt_vec_at(&earlier->hwqs, struct grt_hw_queue, i)->unordered_ns;
		if (i < states) {
			const struct grt_ring_state *t = grt_ring_state_at(earlier, i);

			late.unseen = t->shown_late;
			late.has_mixed = t->credits.is_mixed;
			late.is_untracked = grt_ring_state_is_untracked(earlier, t);
			err = grt_losses_copy(&late.doubts, &t->doubts);
		}
		if (!err)
			err = grt_vec_append(&m->late, &late, sizeof(late));
	}
	return err;
}

int grt_model_learn(struct grt_model *m, const struct grt_model *earlier)
{
	int err = grt_losses_copy(&m->losses, &earlier->losses);

	if (!err)
		err = grt_gaps_learn(m, earlier);
	if (!err)
		err = learn_rings(m, earlier);
	if (!err)
		err = grt_stragglers_learn(m, earlier);
	if (!err)
		err = grt_fences_learn(m, earlier);
	if (!err)
		err = grt_suspects_learn(m, earlier);
	m->boot = earlier->boot;
	if (!err && earlier->boots.bytes)
		err = grt_vec_append(&m->boots, earlier->boots.data, earlier->boots.bytes);
	m->has_hindsight = !err;
	return err;
}
