// SPDX-License-Identifier: LGPL-2.1
/* What rings do now, as it looks before the next event. */
#include "model_private.h"

/* Tells of @s as it looks now. */
static void peek_at(const struct grt_model *m, const struct grt_ring_state *t, const struct grt_stretch *s,
		    grt_ring_fn *fn, void *arg)
{
	struct grt_ring_stretch told = grt_watch_stretch(m, t, s);

	if (told.state == GRT_LINE_MAYBE) {
		told.state = GRT_IDLE_UNKNOWN;
		told.is_unexplained = true;
	}
	/* After a loss, jobs may be there that were not seen. */
	if (told.state != GRT_RING_BUSY && grt_ring_state_is_unsure(m, t, s->from_ns))
		told.state = GRT_IDLE_UNKNOWN;
	if (told.from_ns < told.to_ns && told.state <= GRT_RING_BUSY)
		fn(arg, &told);
}

static void peek_ring(const struct grt_model *m, const struct grt_ring_state *t, grt_ring_fn *fn, void *arg)
{
	struct grt_stretch now;

	peek_at(m, t, &t->line.last, fn, arg);
	for (uint32_t nr = t->line.first[GRT_CHAIN_ALL]; nr;) {
		const struct grt_open *open = grt_vec_at(&t->line.open, struct grt_open, nr - 1);

		peek_at(m, t, &open->s, fn, arg);
		nr = open->next[GRT_CHAIN_ALL];
	}
	if (grt_ring_now(m, t, &now))
		peek_at(m, t, &now, fn, arg);
}

void grt_model_peek_rings(const struct grt_model *m, grt_ring_fn *fn, void *arg)
{
	for (uint32_t i = 0; i < grt_ring_state_count(m) && !m->is_over; i++) {
		const struct grt_ring_state *t = grt_ring_state_at(m, i);

		if (t->is_live && !t->is_synthetic)
			peek_ring(m, t, fn, arg);
	}
}

bool grt_model_ring_load(const struct grt_model *m, uint32_t row, struct grt_ring_load *load)
{
	const struct grt_ring_state *t;

	if (m->is_over || row == GRT_NONE || !grt_ring_state_was_seen(m, row))
		return false;
	t = grt_ring_state_at(m, 2 * row);
	*load = (struct grt_ring_load){ t->queued, t->on };
	return !t->suspects;
}
