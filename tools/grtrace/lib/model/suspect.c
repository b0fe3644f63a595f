// SPDX-License-Identifier: LGPL-2.1
/*
 * Suspects: jobs that were in flight when events were lost.  Any of them may be over, so what its ring does is not
 * known until it turns out what became of the job:
 *
 *	- it has another event;
 *	- on a FIFO ring, a job that was handed over later has ended: infer_start.c;
 *	- a later job of its context is complete: finish.c;
 *	- it had its turn and waited for no fence that was seen, and a job that was submitted after the loss was handed
 *	  over first;
 *	- nothing was heard of it for a minute.
 *
 * In the second case the END of the job is missing, and no event since the loss is: so it was over when the loss ended,
 * and the next pass over the trace knows that.  The last two may be wrong: the job waited for a fence, or ran for so
 * long.  Then it has an event later, and the next pass does not give it up.
 */
#include <errno.h>
#include <stdlib.h>

#include "model_private.h"

#define MAX_BACK	65536	/* of these; with more, the next pass gives up no job */

static bool may_pass(const struct grt_slot *slot)
{
	return slot->place == GRT_PLACE_HEAD && !slot->pending;
}

static void suspect(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ring_state *t;

	slot->was_at_loss = true;
	slot->is_heard = false;
	if (slot->ring_state == GRT_NONE || slot->is_suspect || (!grt_slot_is_queued(slot) && !slot->is_on))
		return;
	t = grt_ring_state_at(m, slot->ring_state);
	slot->is_suspect = true;
	t->suspects++;
	if (may_pass(slot) && grt_ring_state_may_pass(t, i))
		m->err = -ENOMEM;
}

void grt_suspect_heard(struct grt_model *m, uint32_t i)
{
	grt_slot_at(m, i)->was_at_loss = false;
	grt_slot_at(m, i)->is_heard = true;
	if (grt_vec_append(&m->heard, &i, sizeof(i)))
		m->err = -ENOMEM;
}

static int compare_age(const void *a, const void *b, void *model)
{
	uint64_t x_ns = grt_slot_at(model, *(const uint32_t *)a)->opened_ns;
	uint64_t y_ns = grt_slot_at(model, *(const uint32_t *)b)->opened_ns;

	return (x_ns > y_ns) - (x_ns < y_ns);
}

/* Jobs that were in flight at the loss before this one, and had an event since then.  The others are suspects still. */
static void suspect_older(struct grt_model *m)
{
	size_t count = grt_vec_count(&m->heard, uint32_t);

	if (count > 1)
		qsort_r(m->heard.data, count, sizeof(uint32_t), compare_age, m);
	for (size_t next = 0; next < count; next++) {
		uint32_t i = *grt_vec_at(&m->heard, uint32_t, next);

		/* Some are gone, and a younger job may be in their slot. */
		if (grt_slot_at(m, i)->is_heard)
			suspect(m, i);
	}
	m->heard.bytes = 0;
}

/* Jobs that came since then. */
static void suspect_newer(struct grt_model *m)
{
	uint32_t i = m->newest_at_loss == GRT_NONE ? m->oldest : grt_slot_at(m, m->newest_at_loss)->age_next;

	for (; i != GRT_NONE; i = grt_slot_at(m, i)->age_next)
		suspect(m, i);
	m->newest_at_loss = m->newest;
}

static void give_up(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	if (m->has_hindsight && m->gives_up_none)
		return;
	if (m->back.used && grt_keymap_get(&m->back, slot->job.ctx, slot->job.seqno) != GRT_NONE)
		return;
	grt_queue_remove(m, i, ns);
	slot->is_given_up = true;
}

/* What the earlier pass found out of jobs that are suspects at the end of a loss, @ns. */
static void end_those_over(struct grt_model *m, uint64_t ns)
{
	uint32_t i;

	while (grt_suspect_next_over(m, ns, &i)) {
		give_up(m, i, ns);
		if (!grt_slot_at(m, i)->is_suspect)
			grt_infer_leave(m, i);
	}
}

/* Many jobs may be in flight during many losses, so each loss visits only jobs that changed since the one before. */
void grt_suspect_all(struct grt_model *m, uint64_t ns)
{
	for (uint32_t i = 0; i < grt_ring_state_count(m); i++)
		if (grt_ring_state_at(m, i)->is_live)
			grt_queue_lose_events(m, grt_ring_state_at(m, i), ns);
	suspect_older(m);
	suspect_newer(m);
	if (m->has_hindsight)
		end_those_over(m, ns);
	m->aged_ns = ns < UINT64_MAX - GRT_SUSPECT_NS ? ns + GRT_SUSPECT_NS : UINT64_MAX;
}

void grt_suspects_aged(struct grt_model *m)
{
	uint64_t ns = m->aged_ns;

	m->now_ns = ns;
	m->aged_ns = UINT64_MAX;
	for (uint32_t i = m->oldest; i != GRT_NONE; i = grt_slot_at(m, i)->age_next)
		if (grt_slot_at(m, i)->is_suspect)
			give_up(m, i, ns);
}

void grt_suspects_passed(struct grt_model *m, struct grt_ring_state *t, uint32_t i, uint64_t ns)
{
	if (grt_slot_at(m, i)->opened_ns <= m->lost_ns || !grt_job_has(&grt_slot_at(m, i)->job, GRT_AT_SUBMIT))
		return;
	/* A job that is given up lets the one behind it have its turn: the list grows. */
	for (size_t next = 0; next < grt_vec_count(&t->passable, uint32_t); next++) {
		uint32_t older = *grt_vec_at(&t->passable, uint32_t, next);
		const struct grt_slot *slot = grt_slot_at(m, older);

		if (slot->is_suspect && grt_ring_state_at(m, slot->ring_state) == t && may_pass(slot))
			give_up(m, older, ns);
	}
	t->passable.bytes = 0;
}

void grt_suspect_is_back(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	slot->is_given_up = false;
	if (m->has_hindsight || grt_keymap_get(&m->back, slot->job.ctx, slot->job.seqno) != GRT_NONE)
		return;
	if (m->back.used == MAX_BACK)
		m->gives_up_none = true;
	else if (grt_keymap_put(&m->back, slot->job.ctx, slot->job.seqno, 0))
		m->err = -ENOMEM;
}

int grt_suspects_learn(struct grt_model *m, const struct grt_model *earlier)
{
	int err = grt_keymap_copy(&m->back, &earlier->back);

	m->gives_up_none = earlier->gives_up_none;
	if (!err && earlier->over.bytes)
		err = grt_vec_append(&m->over, earlier->over.data, earlier->over.bytes);
	return err;
}
