// SPDX-License-Identifier: LGPL-2.1
/* Counts the jobs that are queued and in flight on each ring, out of the events themselves. */
#include "error.h"
#include "perfetto_private.h"
#include "query.h"

/* Jobs in flight that are remembered; with more, the counters begin anew. */
#define MAX_IN_FLIGHT	(1u << 18)

/* What is kept of a job: two times the number of its ring, and 1 once it is committed. */
enum { QUEUED, ON_RING };

static bool is_wanted(const struct grt_pf *p, const struct grt_pf_ring *ring)
{
	const struct grt_query *q = &p->x->wants.query;

	return !q->ring || (ring->row != GRT_NONE &&
			    grt_query_is_ring(q, grt_names_ring_at(p->names, ring->row)));
}

/* Writes the counters that changed; the first time, both. */
static void show(struct grt_pf *p, struct grt_pf_ring *ring, uint64_t ns)
{
	struct grt_pf_out *o = &p->out;
	bool is_first = !ring->has_counted;

	ring->has_counted = true;
	if (!is_wanted(p, ring))
		return;
	if (is_first || ring->queued != ring->shown_queued)
		grt_pf_count(o, grt_pf_ring_track(ring, o, GRT_PF_QUEUED, 0), ns, ring->queued);
	if (is_first || ring->on_ring != ring->shown_on_ring)
		grt_pf_count(o, grt_pf_ring_track(ring, o, GRT_PF_ON_RING, 0), ns, ring->on_ring);
	ring->shown_queued = ring->queued;
	ring->shown_on_ring = ring->on_ring;
}

void grt_pf_count_anew(struct grt_pf *p, uint64_t ns)
{
	struct grt_keymap old = p->in_flight;

	/* Only the jobs in flight are looked at, because there may be many losses. */
	p->in_flight = (struct grt_keymap){ .slots = NULL };
	for (size_t i = 0; old.used && i <= old.mask && !p->out.err; i++) {
		struct grt_pf_ring *ring;

		if (old.slots[i].value == GRT_NONE)
			continue;
		ring = grt_pf_ring_at(&p->rings, old.slots[i].value >> 1);
		if (!ring->queued && !ring->on_ring)
			continue;
		ring->queued = ring->on_ring = 0;
		ring = grt_pf_ring(&p->rings, &p->out, p->names, ring->id);
		if (ring && ring->has_counted)
			show(p, ring, ns);
	}
	grt_keymap_free(&old);
}

static uint32_t *counter_of(struct grt_pf_ring *ring, uint32_t value)
{
	return value & ON_RING ? &ring->on_ring : &ring->queued;
}

/* The job goes to @state of its ring, or leaves it: -1. */
static struct grt_pf_ring *move(struct grt_pf *p, const struct grtrace_job_key *key, int state)
{
	uint32_t value = grt_keymap_get(&p->in_flight, key->ctx, key->seqno);
	struct grt_pf_ring *ring;

	if (value != GRT_NONE) {
		if (state == (int)(value & 1))
			return NULL;
		ring = grt_pf_ring_at(&p->rings, value >> 1);
		--*counter_of(ring, value);
		grt_keymap_del(&p->in_flight, key->ctx, key->seqno);
		ring = grt_pf_ring(&p->rings, &p->out, p->names, ring->id);
	} else if (state >= 0 && key->ring) {
		ring = grt_pf_ring(&p->rings, &p->out, p->names, key->ring);
	} else {
		return NULL;
	}
	if (!ring || state < 0)
		return ring;
	++*counter_of(ring, state);
	if (grt_keymap_put(&p->in_flight, key->ctx, key->seqno, ring->index << 1 | state))
		p->out.err = grt_fail_memory();
	return ring;
}

void grt_pf_count_job(struct grt_pf *p, const struct grtrace_hdr *rec, bool is_shown)
{
	const struct grtrace_job_key *key = (const struct grtrace_job_key *)rec;
	int state = rec->type == GRTRACE_SUBMIT ? QUEUED : rec->type == GRTRACE_COMMIT ? ON_RING : -1;
	struct grt_pf_ring *ring;

	if (p->in_flight.used >= MAX_IN_FLIGHT)
		grt_pf_count_anew(p, rec->ts);
	ring = move(p, key, state);
	if (ring && is_shown && !p->out.err)
		show(p, ring, rec->ts);
}
