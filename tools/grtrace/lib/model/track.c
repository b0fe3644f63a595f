// SPDX-License-Identifier: LGPL-2.1
#include "inside.h"

static void define(struct grt_model *m, struct grt_track *t)
{
	const struct grt_ring *ring = grt_names_ring_at(&m->names, t->ring);

	t->is_fifo = ring->order == GRTRACE_ORDER_FIFO;
	t->credits.limit = ring->credit_limit;
	/* Last: the row of the hardware's ring may be made for it, and then rows move. */
	t->lane = grt_settle_lane(m, t->ring, t->is_synthetic);
}

/* The ring's first event. */
static int begin(struct grt_model *m, struct grt_track *t, uint32_t i, uint64_t ns)
{
	t->ring = i / 2;
	t->is_synthetic = i & 1;
	t->is_live = true;
	define(m, t);
	/* Nothing is before the first event, though time may run back. */
	t->since_ns = ns > m->totals.first_ns ? ns : m->totals.first_ns;
	t->line.last = (struct grt_stretch){ .state = GRT_LINE_ASLEEP };
	t->line.use.idle_ns[GRT_IDLE_UNKNOWN] =
		grt_model_awake_ns(m, m->totals.first_ns, t->since_ns);
	if (m->has_hindsight && i < grt_vec_count(&m->late, struct grt_late)) {
		t->seen_late_ns = grt_vec_at(&m->late, struct grt_late, i)->ns;
		t->credits.is_mixed = grt_vec_at(&m->late, struct grt_late, i)->has_mixed;
	}
	return grt_device_join(m, i);
}

struct grt_track *grt_track_of(struct grt_model *m, uint32_t ring, bool is_synthetic, uint64_t ns)
{
	static const struct grt_track blank = {
		.ready = GRT_NONE, .culprit = GRT_NONE, .device = GRT_NONE, .lane = GRT_NONE,
	};
	uint32_t i = 2 * ring + is_synthetic;

	if (ring == GRT_NONE)
		return NULL;
	if (i >= grt_vec_count(&m->tracks, struct grt_track) &&
	    grt_vec_reach(&m->tracks, i, &blank, sizeof(blank)))
		return NULL;
	if (!grt_track_at(m, i)->is_live && begin(m, grt_track_at(m, i), i, ns))
		return NULL;
	return grt_track_at(m, i);
}

void grt_track_show_late(struct grt_model *m, struct grt_track *t, uint64_t ns)
{
	m->wants_hindsight = true;
	if (t->shown_late_ns < ns)
		t->shown_late_ns = ns;
}

void grt_track_defined(struct grt_model *m, uint32_t ring)
{
	for (uint32_t i = 2 * ring; i < 2 * ring + 2; i++)
		if (i < grt_vec_count(&m->tracks, struct grt_track) && grt_track_at(m, i)->is_live)
			define(m, grt_track_at(m, i));
}

void grt_track_link_ready(struct grt_model *m, struct grt_track *t, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	slot->is_ready = true;
	slot->ready_ns = ns;
	slot->ready_prev = GRT_NONE;
	slot->ready_next = t->ready;
	if (t->ready != GRT_NONE)
		grt_slot_at(m, t->ready)->ready_prev = i;
	t->ready = i;
}

void grt_track_unlink_ready(struct grt_model *m, struct grt_track *t, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	if (!slot->is_ready)
		return;
	slot->is_ready = false;
	if (slot->ready_prev != GRT_NONE)
		grt_slot_at(m, slot->ready_prev)->ready_next = slot->ready_next;
	else
		t->ready = slot->ready_next;
	if (slot->ready_next != GRT_NONE)
		grt_slot_at(m, slot->ready_next)->ready_prev = slot->ready_prev;
}
