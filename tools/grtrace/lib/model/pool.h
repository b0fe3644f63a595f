/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Jobs in flight, by index: as many as are in flight at once, never freed one
 * by one, so no event costs an allocation.
 */
#ifndef GRT_POOL_H
#define GRT_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "keymap.h"
#include "job.h"

enum grt_state {
	GRT_NEW,		/* nothing seen: no slot, or others wait for it */
	GRT_SUBMITTED,
	GRT_COMMITTED,
	GRT_STARTED,
	GRT_ENDED,
	GRT_COMPLETED,		/* kept for a moment: see GRT_SKEW_NS */
	GRT_GONE,		/* handed out; others may still ask when it was over */
	GRT_NR_STATES
};

/*
 * All links are indices, GRT_NONE = none.  Jobs in flight do not fit the first cache: what
 * is looked at together lies together, and an index is a shift away from its address.
 */
struct grt_slot {
	uint8_t state;		/* enum grt_state; GRT_NEW: the slot is free */
	uint8_t place;		/* enum grt_place */
	bool has_key;		/* the index of jobs leads here */
	bool is_settled;	/* END was accounted for on its lane */
	bool is_waiting;	/* complete, but to be handed out after the one in front */
	bool is_candidate;	/* the scheduler might take it */
	bool is_ready;		/* nothing known is in its way */
	bool is_on;		/* of the track's committed jobs */
	bool is_suspect;	/* it may be over: events are missing since */
	bool is_dep_unknown;	/* when a dependency ended is not known */
	bool is_doubtful;	/* of the track's doubtful jobs */
	bool is_fence;		/* opened because somebody waits for it */
	bool is_foreign;	/* it is no job's */
	uint32_t dep_party;	/* of the dependency that ended last */
	struct grt_job job;

	uint64_t opened_ns;
	uint64_t before_ns;	/* latest END of the jobs that were before it on its lane */
	uint32_t ctx;		/* its context */
	uint32_t ctx_prev, ctx_next;	/* jobs of the context, by submission */
	uint32_t lane;		/* hardware ring that it was committed to */
	uint32_t lane_prev, lane_next;	/* jobs there, by COMMIT */
	uint32_t age_prev, age_next;	/* all slots in use, by the time they were opened */
	uint32_t next;		/* free list; jobs that ended just now */
	uint32_t held_next;	/* completed jobs, by time */
	uint32_t track;		/* where it waits, or was committed to */
	uint32_t waiters;	/* edges to jobs that wait for it; see dep.c */

	/* Its way through the queue of its ring; see queue.c. */
	uint64_t ready_ns;
	uint64_t front_ns;		/* COMMIT of the job in front, 0 = none */
	uint64_t credits_sure_ns;	/* credits are right since then, as of COMMIT */
	uint64_t dep_end_ns;		/* end of the dependency that ended last, 0 = none */
	uint32_t ready_prev, ready_next;
	uint32_t flips;			/* of the track's credits, as of COMMIT */
	uint32_t thread;		/* that committed it, 0 = not known */

	/* Fences it waits for. */
	uint32_t deps;			/* edges */
	uint32_t nr_deps;
	uint32_t pending;		/* edges not over */
	uint32_t blocked;		/* of these, found by the scheduler */

	uint64_t gpu_wait_ns, gpu_wait_from_ns;
	uint64_t gone_ns;
	bool has_gpu_wait;
} __attribute__((aligned(128)));

_Static_assert(sizeof(struct grt_slot) == 512, "slots have a power of two for their size");

/* Where a job is on its way to the hardware. */
enum grt_place {
	GRT_PLACE_NONE,		/* not known */
	GRT_PLACE_BEHIND,	/* an earlier job of its context is not committed */
	GRT_PLACE_HEAD,		/* it is its turn */
	GRT_PLACE_LEFT,		/* committed or over */
};

static inline bool grt_slot_is_queued(const struct grt_slot *slot)
{
	return slot->place == GRT_PLACE_BEHIND || slot->place == GRT_PLACE_HEAD;
}

/*
 * Slots lie one behind the other and never move: the address space for as many as may
 * ever be in flight is set aside at first, memory only as they are.
 */
struct grt_pool {
	struct grt_slot *slots;		/* owned */
	size_t reserved_bytes, usable_bytes;
	uint32_t nr_slots;	/* that were ever in use */
	uint32_t free;		/* first of those in use no more; meaningful only with slots */
};

static inline struct grt_slot *grt_pool_at(const struct grt_pool *p, uint32_t i)
{
	return &p->slots[i];
}

/* A zeroed slot with no links, or GRT_NONE without memory. */
uint32_t grt_pool_get(struct grt_pool *p);
void grt_pool_put(struct grt_pool *p, uint32_t i);
void grt_pool_free(struct grt_pool *p);

#endif /* GRT_POOL_H */
