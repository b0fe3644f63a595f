// SPDX-License-Identifier: LGPL-2.1
#include "slots.h"

#include <errno.h>

#include "error.h"

struct ring_slots {
	uint64_t waiting, on_ring;	/* a bit per slot that is taken */
};

struct slot_job {
	struct grt_slot_pair slots;
	bool is_waiting, is_on_ring;	/* it has that slot now */
	uint32_t ring;
	uint32_t next_free;		/* of a free row */
};

/* NULL without memory. */
static struct ring_slots *ring_of(struct grt_slots *s, uint32_t id)
{
	return grt_keyrow(&s->rings, id, sizeof(struct ring_slots));
}

/* Takes the lowest free slot. */
static uint8_t take(uint64_t *taken)
{
	uint8_t slot = ~*taken ? __builtin_ctzll(~*taken) : GRT_SLOTS - 1;

	*taken |= 1ull << slot;
	return slot;
}

static struct slot_job *job_of(struct grt_slots *s, uint64_t ctx, uint64_t seqno)
{
	uint32_t row = grt_keymap_get(&s->rows, ctx, seqno);

	return row == GRT_NONE ? NULL : grt_vec_at(&s->jobs, struct slot_job, row);
}

static uint32_t free_row(struct grt_slots *s)
{
	uint32_t row = s->free_row ? s->free_row - 1 : grt_vec_count(&s->jobs, struct slot_job);

	if (s->free_row)
		s->free_row = grt_vec_at(&s->jobs, struct slot_job, row)->next_free;
	else if (!grt_vec_grow(&s->jobs, sizeof(struct slot_job)))
		return GRT_NONE;
	return row;
}

static int submit(struct grt_slots *s, const struct grtrace_job_key *key)
{
	struct ring_slots *ring = ring_of(s, key->ring);
	uint32_t row;

	if (!ring)
		return grt_fail_memory();
	if (job_of(s, key->ctx, key->seqno))
		return 0;
	if (s->rows.used >= GRT_SLOTS_JOBS) {
		s->unfollowed++;
		return 0;
	}
	row = free_row(s);
	if (row == GRT_NONE || grt_keymap_put(&s->rows, key->ctx, key->seqno, row))
		return grt_fail_memory();
	*grt_vec_at(&s->jobs, struct slot_job, row) = (struct slot_job){
		.slots.waiting = take(&ring->waiting), .is_waiting = true, .ring = key->ring,
	};
	return 0;
}

static void leave_queue(struct ring_slots *ring, struct slot_job *job)
{
	if (job->is_waiting)
		ring->waiting &= ~(1ull << job->slots.waiting);
	job->is_waiting = false;
}

static void leave_ring(struct ring_slots *ring, struct slot_job *job)
{
	if (job->is_on_ring)
		ring->on_ring &= ~(1ull << job->slots.on_ring);
	job->is_on_ring = false;
}

int grt_slots_record(struct grt_slots *s, const struct grtrace_hdr *rec)
{
	const struct grtrace_job_key *key = (const struct grtrace_job_key *)rec;
	struct ring_slots *ring;
	struct slot_job *job;

	if (rec->type == GRTRACE_SUBMIT)
		return submit(s, key);
	if (rec->type != GRTRACE_COMMIT && rec->type != GRTRACE_END)
		return 0;
	job = job_of(s, key->ctx, key->seqno);
	ring = job ? ring_of(s, job->ring) : NULL;
	if (!ring)
		return 0;
	leave_queue(ring, job);
	if (rec->type == GRTRACE_END) {
		leave_ring(ring, job);
	} else if (!job->is_on_ring) {
		job->slots.on_ring = take(&ring->on_ring);
		job->is_on_ring = true;
	}
	return 0;
}

struct grt_slot_pair grt_slots_take(struct grt_slots *s, uint64_t ctx, uint64_t seqno)
{
	uint32_t row = grt_keymap_get(&s->rows, ctx, seqno);
	struct grt_slot_pair slots = { 0 };
	struct ring_slots *ring;
	struct slot_job *job;

	if (row == GRT_NONE)
		return slots;
	job = grt_vec_at(&s->jobs, struct slot_job, row);
	slots = job->slots;
	ring = ring_of(s, job->ring);
	if (ring) {
		leave_queue(ring, job);
		leave_ring(ring, job);
	}
	grt_keymap_del(&s->rows, ctx, seqno);
	job->next_free = s->free_row;
	s->free_row = row + 1;
	return slots;
}

void grt_slots_free(struct grt_slots *s)
{
	grt_keyrows_free(&s->rings);
	grt_vec_free(&s->jobs);
	grt_keymap_free(&s->rows);
	*s = (struct grt_slots){ 0 };
}
