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
	GRT_NEW,		/* nothing seen: no slot */
	GRT_SUBMITTED,
	GRT_COMMITTED,
	GRT_STARTED,
	GRT_ENDED,
	GRT_COMPLETED,		/* kept for a moment: see GRT_SKEW_NS */
	GRT_NR_STATES
};

/* All links are indices, GRT_NONE = none. */
struct grt_slot {
	struct grt_job job;
	uint8_t state;		/* enum grt_state; GRT_NEW: the slot is free */
	bool has_key;		/* the index of jobs leads here */
	bool is_settled;	/* END was accounted for on its lane */
	uint32_t next;		/* free list; jobs that ended just now */
	uint32_t held_next;	/* completed jobs, by time */
	uint32_t ctx;		/* its context */
	uint32_t ctx_prev, ctx_next;	/* jobs of the context, by submission */
	uint32_t lane;		/* hardware ring that it was committed to */
	uint32_t lane_prev, lane_next;	/* jobs there, by COMMIT */
	uint64_t before_ns;	/* latest END of the jobs that were before it there */
};

struct grt_pool {
	struct grt_slot **chunks;	/* owned */
	uint32_t nr_chunks;
	uint32_t free;		/* meaningful only where nr_chunks > 0 */
};

#define GRT_POOL_CHUNK	512

static inline struct grt_slot *grt_pool_at(const struct grt_pool *p, uint32_t i)
{
	return &p->chunks[i / GRT_POOL_CHUNK][i % GRT_POOL_CHUNK];
}

/* A zeroed slot with no links, or GRT_NONE without memory. */
uint32_t grt_pool_get(struct grt_pool *p);
void grt_pool_put(struct grt_pool *p, uint32_t i);
void grt_pool_free(struct grt_pool *p);

#endif /* GRT_POOL_H */
