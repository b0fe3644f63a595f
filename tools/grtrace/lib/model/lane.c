// SPDX-License-Identifier: LGPL-2.1
#include "lane.h"

/* No hardware ring takes as many jobs at once; bounds the cost of a hostile trace. */
#define MAX_AHEAD	1024

static void raise(uint64_t *ns, uint64_t to_ns)
{
	if (*ns < to_ns)
		*ns = to_ns;
}

void grt_lane_append(struct grt_pool *p, struct grt_lane *lane, uint32_t lane_nr, uint32_t i)
{
	struct grt_slot *slot = grt_pool_at(p, i);

	slot->lane = lane_nr;
	slot->lane_prev = lane->tail;
	slot->before_ns = lane->tail_ns;
	lane->tail_ns = 0;
	if (lane->tail == GRT_NONE)
		lane->head = i;
	else
		grt_pool_at(p, lane->tail)->lane_next = i;
	lane->tail = i;
}

void grt_lane_remove(struct grt_pool *p, struct grt_lane *lane, uint32_t i, uint64_t end_ns)
{
	struct grt_slot *slot = grt_pool_at(p, i);
	uint64_t *behind_ns = &lane->tail_ns;

	if (slot->lane_next != GRT_NONE) {
		grt_pool_at(p, slot->lane_next)->lane_prev = slot->lane_prev;
		behind_ns = &grt_pool_at(p, slot->lane_next)->before_ns;
	} else {
		lane->tail = slot->lane_prev;
	}
	if (slot->lane_prev != GRT_NONE)
		grt_pool_at(p, slot->lane_prev)->lane_next = slot->lane_next;
	else
		lane->head = slot->lane_next;
	/* Whoever asks from behind must still find these ENDs. */
	raise(behind_ns, slot->before_ns);
	raise(behind_ns, end_ns);
	slot->lane = slot->lane_prev = slot->lane_next = GRT_NONE;
}

void grt_lane_pass(struct grt_pool *p, struct grt_lane *lane, uint64_t end_ns)
{
	raise(lane->head == GRT_NONE ? &lane->tail_ns : &grt_pool_at(p, lane->head)->before_ns,
	      end_ns);
}

bool grt_lane_done_before(const struct grt_pool *p, uint32_t i, uint64_t *end_ns)
{
	const struct grt_slot *slot = grt_pool_at(p, i);
	unsigned int ahead = 0;

	*end_ns = slot->before_ns;
	for (i = slot->lane_prev; i != GRT_NONE; i = slot->lane_prev) {
		slot = grt_pool_at(p, i);
		if (++ahead > MAX_AHEAD)
			return false;
		raise(end_ns, slot->before_ns);
		/* One that ends at the same instant is still in the list. */
		if (grt_job_has(&slot->job, GRT_AT_END) && !(slot->job.flags & GRT_JOB_NO_HW))
			raise(end_ns, slot->job.at_ns[GRT_AT_END]);
	}
	return true;
}
