// SPDX-License-Identifier: LGPL-2.1
/* A model of a session that runs is not fed twice: how it gets over a loss. */
#include "model_private.h"

#define CALM_NS	1000000000	/* no LOSS of earlier events comes later */

/* Whether a job in flight may be affected by a loss up to @ns. */
static bool has_older_job(const struct grt_model *m, uint64_t ns)
{
	if (m->now_ns - ns > GRT_SUSPECT_NS)
		return false;
	for (uint32_t i = m->oldest; i != GRT_NONE; i = grt_slot_at(m, i)->age_next)
		if (grt_slot_at(m, i)->opened_ns <= ns && !grt_slot_at(m, i)->is_given_up)
			return true;
	return false;
}

void grt_model_forget_losses(struct grt_model *m)
{
	size_t count = grt_losses_count(&m->losses);
	uint64_t to_ns = count ? grt_losses_at(&m->losses, count - 1)->to_ns : 0;

	if (!count || m->has_hindsight || m->now_ns < to_ns + CALM_NS || has_older_job(m, to_ns))
		return;
	/* The time until now is final, with these losses. */
	for (uint32_t i = 0; i < grt_ring_state_count(m); i++)
		grt_ring_settle(m, grt_ring_state_at(m, i));
	grt_losses_free(&m->losses);
}
