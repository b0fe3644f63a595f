/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Slots of the jobs in flight, by index.  They are used again and never freed one by one, so no event costs an
 * allocation.  Where many jobs were in flight at once, the memory of blocks of slots is given back.
 */
#ifndef GRT_POOL_H
#define GRT_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "job.h"
#include "keymap.h"
#include "vec.h"

enum grt_state {
	GRT_NEW,		/* no event seen: no slot, or only other jobs wait for it */
	GRT_SUBMITTED,
	GRT_COMMITTED,
	GRT_STARTED,
	GRT_ENDED,
	GRT_COMPLETED,		/* kept for a moment: see GRT_SKEW_NS */
	GRT_GONE,		/* handed out; others may still ask when it was over */
	GRT_NR_STATES
};

#define GRT_MAX_DEPS	4096	/* no real job has so many; bounds the cost of a hostile trace */

/*
 * All links are indices, GRT_NONE = none.  Jobs in flight do not fit the first-level cache:
 * fields that are used together lie together, and a shift turns an index into an address.
 */
struct grt_slot {
	uint8_t state;		/* enum grt_state; GRT_NEW: the slot is free */
	uint8_t place;		/* enum grt_place */
	bool has_key;		/* the index of jobs leads here */
	bool is_candidate;	/* the scheduler might take it */
	bool is_ready;		/* nothing known is in its way */
	bool is_on;		/* one of the ring's committed jobs */
	bool is_fence;		/* opened only because a job waits for it */
	bool is_accounted : 1;	/* END was accounted for on its hardware queue */
	bool is_waiting : 1;	/* complete, but leaves after the job in front */
	bool is_suspect : 1;	/* it may be over: events are missing since */
	bool was_at_loss : 1;	/* in flight at the latest loss, and it had no event since */
	bool is_heard : 1;	/* it had one since then: it is one of the model's @heard */
	bool is_given_up : 1;	/* a suspect that must be over by now; see suspect.c */
	bool is_dep_unknown : 1; /* it is unknown when a dependency ended */
	bool is_strange : 1;	/* the first job of its context that was seen queued, with unseen ones in front of it */
	bool is_doubtful : 1;	/* one of the ring's doubtful jobs */
	bool is_foreign : 1;	/* a fence that belongs to no job */
	bool is_dep_foreign : 1; /* so does the dependency that ended last */
	bool misses_end : 1;	/* a fence that it depended on left without an end */
	bool was_awaited : 1;	/* it ended before the scheduler found that it blocked a job */
	bool has_gpu_wait : 1;	/* it has a row in the model's @gpu_waits */
	bool has_stack : 1;	/* it has a row in the model's @stack_of */
	uint8_t command;	/* row of the model's @commands */
	uint16_t nr_deps;	/* that were reported, GRT_MAX_DEPS at most; of these, ... */
	uint16_t pending;	/* edges not over */
	uint16_t blocked;	/* of these, those that the scheduler found */
	uint32_t deps;		/* edges to fences it waits for */
	uint32_t dep_client;	/* of the dependency that ended last */
	struct grt_life job;

	uint64_t opened_ns;
	uint64_t before_ns;	/* latest END of the jobs in front on its hardware queue */
	uint32_t ctx;		/* its context */
	uint32_t ctx_prev, ctx_next;	/* jobs of the context, by submission */
	uint32_t hwq;		/* hardware queue that it was committed to */
	uint32_t hwq_prev, hwq_next;	/* jobs there, by COMMIT */
	uint32_t age_prev, age_next;	/* jobs in flight, see struct grt_model */
	uint32_t next;		/* free list; jobs that ended just now */
	uint32_t held_next;	/* completed jobs, by time */
	uint32_t ring_state;		/* where it waits, or was committed to */
	uint32_t waiters;	/* edges to jobs that wait for it; see dep.c */

	/* Its way through the queue of its ring; see queue.c. */
	union {
		struct {	/* while it is ready, and so not committed */
			uint64_t ready_ns;
			uint32_t ready_prev, ready_next;
		};
		struct {	/* while it is on its hardware queue, and so committed */
			uint64_t before_doubt_ns; /* COMPLETE of jobs in front that lack an END */
			uint64_t overtaken_ns;	/* first END of a job behind it, 0 = none */
		};
		uint64_t gone_ns;	/* once it is GONE */
	};
	uint64_t front_ns;		/* COMMIT of the job in front, 0 = none */
	uint64_t credits_sure_ns;	/* credits are right since then, as of COMMIT */
	uint64_t dep_end_ns;		/* end of the dependency that ended last, 0 = none */
	uint32_t flips;			/* grt_credits_flips() at COMMIT */
	uint32_t thread;		/* thread that committed it, 0 = not known */
} __attribute__((aligned(128)));

_Static_assert(sizeof(struct grt_slot) == 256, "slots have a power of two for their size");

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

/* Neighbouring slots.  Their memory is given back when all of them are free. */
struct grt_pool_block {
	uint32_t used;		/* slots */
	uint32_t free;		/* the first one that was used before */
	uint32_t fresh;		/* slots from this one on were not used yet, or their memory was given back */
	uint32_t next_open;	/* valid if @is_open */
	bool is_open;		/* it is in the list of blocks with a free slot */
};

/*
 * The slots are one array that never moves.  At first the pool reserves address space for as many
 * jobs as may ever be in flight; it adds memory as they come.
 */
struct grt_pool {
	struct grt_slot *slots;		/* owned */
	struct grt_vec blocks;		/* of struct grt_pool_block */
	size_t reserved_bytes;
	uint32_t nr_slots;	/* in all blocks */
	uint32_t open;		/* the first block with a free slot; valid with @slots only */
	uint32_t spare;		/* a block without a used slot that keeps its memory; likewise */
};

static inline struct grt_slot *grt_pool_at(const struct grt_pool *p, uint32_t i)
{
	return &p->slots[i];
}

/* Slot @i, or the first one behind it in a block with a used slot: others may have no memory. */
uint32_t grt_pool_skip(const struct grt_pool *p, uint32_t i);

/* A zeroed slot with no links, or GRT_NONE without memory. */
uint32_t grt_pool_get(struct grt_pool *p);
void grt_pool_put(struct grt_pool *p, uint32_t i);
void grt_pool_free(struct grt_pool *p);

#endif /* GRT_POOL_H */
