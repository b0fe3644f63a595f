// SPDX-License-Identifier: LGPL-2.1
/*
 * Suspects that were over when the loss ended: on a FIFO ring, a job behind them ended later, their own END is
 * missing, and no event since the loss is.  The first pass over a trace finds that out, and the next one uses it.
 */
#include <errno.h>

#include "model_private.h"

#define MAX_OVER	65536

struct over {
	uint64_t ctx, seqno;
	uint64_t from_ns, to_ns;	/* the end of the loss, and END of the job behind */
};

void grt_suspect_was_over(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	const struct over over = { slot->job.ctx, slot->job.seqno, m->lost_ns, ns };
	const struct grt_ring_state *t;

	if (m->has_hindsight || !slot->is_on || slot->job.flags & GRT_JOB_SYNTHETIC ||
	    grt_vec_count(&m->over, struct over) == MAX_OVER)
		return;
	t = grt_ring_state_at(m, slot->ring_state);
	/* A job of a ring that is reset may end behind others; where jobs end together, END stands for several. */
	if (t->is_recovering || t->may_recover || t->reset_to_ns >= m->lost_ns || t->coalesces || t->is_fenceless)
		return;
	if (grt_vec_append(&m->over, &over, sizeof(over)))
		m->err = -ENOMEM;
	slot->is_given_up = true;
}

bool grt_suspect_next_over(struct grt_model *m, uint64_t ns, uint32_t *i)
{
	while (m->next_over < grt_vec_count(&m->over, struct over)) {
		const struct over *over = grt_vec_at(&m->over, struct over, m->next_over);

		if (over->from_ns > ns)
			return false;
		m->next_over++;
		*i = grt_slot_find(m, false, over->ctx, over->seqno);
		if (*i != GRT_NONE && grt_slot_at(m, *i)->is_suspect &&
		    !grt_losses_touch(&m->losses, ns + 1, over->to_ns))
			return true;
	}
	return false;
}
