// SPDX-License-Identifier: LGPL-2.1
#include <errno.h>
#include <stdlib.h>

#include "model_private.h"
#include "ring_kind.h"

static void define(struct grt_model *m, struct grt_ring_state *t)
{
	const struct grt_ring *ring = grt_names_ring_at(&m->names, t->ring);

	t->is_fifo = ring->order == GRTRACE_ORDER_FIFO;
	t->has_own_queue = grt_driver_has_own_queue(ring->driver);
	t->coalesces = grt_driver_coalesces(ring->driver);
	t->is_fenceless = grt_driver_is_fenceless(ring->driver);
	m->has_coalesced |= t->coalesces;
	t->credits.limit = ring->credit_limit;
	/* Last: this may add a row for the hardware's ring, and then rows move. */
	t->hwq = grt_hw_queue_of(m, t->ring, t->is_synthetic);
}

/* The ring's first event. */
static int begin(struct grt_model *m, struct grt_ring_state *t, uint32_t i, uint64_t ns)
{
	t->ring = i / 2;
	t->is_synthetic = i & 1;
	t->is_live = true;
	define(m, t);
	/* Nothing is before the first event, though time may run back. */
	t->since_ns = ns > m->totals.first_ns ? ns : m->totals.first_ns;
	t->line.last = (struct grt_stretch){ .state = GRT_LINE_ASLEEP };
	t->line.use.before_ns = grt_model_awake_ns(m, m->totals.first_ns, t->since_ns);
	t->line.use.idle_ns[GRT_IDLE_UNKNOWN] = t->line.use.before_ns;
	if (m->has_hindsight && i < grt_vec_count(&m->late, struct grt_late)) {
		t->unseen = grt_vec_at(&m->late, struct grt_late, i)->unseen;
		t->credits.is_mixed = grt_vec_at(&m->late, struct grt_late, i)->has_mixed;
		t->is_untracked = grt_vec_at(&m->late, struct grt_late, i)->is_untracked;
		if (grt_losses_copy(&t->doubts, &grt_vec_at(&m->late, struct grt_late, i)->doubts))
			return -ENOMEM;
	}
	grt_watch_begin(m, t);
	return grt_device_join(m, i);
}

/* The state of all rings without an event, and of jobs by hand on rings that have none. */
static const struct grt_ring_state blank = {
	.ready = GRT_NONE, .device = GRT_NONE, .hwq = GRT_NONE, .hung_prev = GRT_NONE, .hung_next = GRT_NONE,
};

struct grt_ring_state *grt_ring_state_of(struct grt_model *m, uint32_t ring, bool is_synthetic,
					 uint64_t ns)
{
	static const struct grt_ring_state *const none = &blank;
	uint32_t i = 2 * ring + is_synthetic;
	struct grt_ring_state **t;

	if (ring == GRT_NONE)
		return NULL;
	if (i >= grt_ring_state_count(m) && grt_vec_reach(&m->ring_states, i, &none, sizeof(none)))
		return NULL;
	t = grt_vec_at(&m->ring_states, struct grt_ring_state *, i);
	if ((*t)->is_live)
		return *t;
	*t = malloc(sizeof(**t));
	if (!*t) {
		*t = (struct grt_ring_state *)&blank;
		return NULL;
	}
	**t = blank;
	return begin(m, *t, i, ns) ? NULL : grt_ring_state_at(m, i);
}

void grt_ring_state_show_late(struct grt_model *m, struct grt_ring_state *t, uint64_t ns)
{
	if (t->shown_late.on_ns < ns)
		t->shown_late.on_ns = ns;
	grt_ring_state_show_late_commit(m, t, ns);
}

void grt_ring_state_show_late_commit(struct grt_model *m, struct grt_ring_state *t, uint64_t ns)
{
	m->wants_hindsight = true;
	if (t->shown_late.waiting_ns < ns)
		t->shown_late.waiting_ns = ns;
}

void grt_ring_state_miss_commit(struct grt_ring_state *t, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t at = t->nr_untracked++;

	if (at >= GRT_SOME_UNTRACKED)
		at = GRT_SOME_UNTRACKED + at % GRT_SOME_UNTRACKED;
	t->untracked[at] = (struct grt_span){ from_ns, to_ns };
}

bool grt_ring_state_is_untracked(const struct grt_model *m, const struct grt_ring_state *t)
{
	for (uint64_t i = 0; i < t->nr_untracked && i < 2 * GRT_SOME_UNTRACKED; i++)
		if (!grt_losses_touch(&m->losses, t->untracked[i].from_ns, t->untracked[i].to_ns))
			return true;
	return t->is_untracked;
}

void grt_ring_state_defined(struct grt_model *m, uint32_t ring)
{
	for (uint32_t i = 2 * ring; i < 2 * ring + 2; i++)
		if (i < grt_ring_state_count(m) &&
		    grt_ring_state_at(m, i)->is_live)
			define(m, grt_ring_state_at(m, i));
}

/* Outdated entries are thrown away once they are the larger part. */
#define MANY_DUES	64

static void put_due(struct grt_model *m, struct grt_ring_state *t, uint32_t i, uint64_t ns)
{
	int err = 0;

	if (grt_heap_count(&t->ready_dues) < 2 * t->nr_ready + MANY_DUES) {
		err = grt_heap_put(&t->ready_dues, ns, i);
	} else {
		grt_heap_clear(&t->ready_dues);
		for (i = t->ready; i != GRT_NONE && !err; i = grt_slot_at(m, i)->ready_next)
			err = grt_heap_put(&t->ready_dues, grt_slot_at(m, i)->ready_ns, i);
	}
	if (err)
		m->err = err;
}

void grt_ring_state_link_ready(struct grt_model *m, struct grt_ring_state *t, uint32_t i,
			       uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	slot->is_ready = true;
	slot->ready_ns = ns;
	slot->ready_prev = GRT_NONE;
	slot->ready_next = t->ready;
	if (t->ready != GRT_NONE)
		grt_slot_at(m, t->ready)->ready_prev = i;
	t->ready = i;
	t->nr_ready++;
	put_due(m, t, i, ns);
}

void grt_ring_state_unlink_ready(struct grt_model *m, struct grt_ring_state *t, uint32_t i)
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
	if (!--t->nr_ready)
		grt_heap_clear(&t->ready_dues);
}

void grt_ring_state_move_ready(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	bool is_earlier = ns < slot->ready_ns;

	slot->ready_ns = ns;
	if (is_earlier)
		put_due(m, grt_ring_state_at(m, slot->ring_state), i, ns);
}

uint64_t grt_ring_state_ready_since(const struct grt_model *m, struct grt_ring_state *t)
{
	const struct grt_due *due;

	/* Entries of jobs that left, or became ready later, are found only here. */
	while ((due = grt_heap_first(&t->ready_dues))) {
		const struct grt_slot *slot = grt_slot_at(m, due->id);

		if (!slot->is_ready || grt_ring_state_at(m, slot->ring_state) != t ||
		    slot->ready_ns < due->ns)
			grt_heap_pop(&t->ready_dues);
		else if (slot->ready_ns > due->ns)
			grt_heap_defer(&t->ready_dues, slot->ready_ns);
		else
			return due->ns;
	}
	return UINT64_MAX;
}
