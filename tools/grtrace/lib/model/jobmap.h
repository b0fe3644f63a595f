/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Hash table from the key of a job to its slot.  Unlike in struct grt_keymap, the keys are in
 * the slots, which the caller reads next anyway; the rest of the table fits the first-level
 * cache.  Zeroed memory is an empty one.
 */
#ifndef GRT_JOBMAP_H
#define GRT_JOBMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "pool.h"

struct grt_jobmap_entry {
	uint32_t tag;			/* upper half of the key's hash */
	uint32_t slot;			/* GRT_NONE: free */
};

struct grt_jobmap {
	struct grt_jobmap_entry *entries;	/* owned */
	uint32_t mask;			/* entries - 1 */
	unsigned int shift;		/* turns a tag into an index */
	uint32_t used;
};

void grt_jobmap_free(struct grt_jobmap *map);

/* Sequence numbers count up by one: the multiplication spreads them over the upper bits. */
static inline uint32_t grt_jobmap_tag(uint64_t ctx, uint64_t seqno)
{
	return (ctx * 0xd6e8feb86659fd93ull + seqno * 0x9e3779b97f4a7c15ull) >> 32;
}

/* Whether @e is the entry of the job.  Few different keys have the same tag. */
static inline bool grt_jobmap_is(const struct grt_jobmap_entry *e, const struct grt_pool *pool,
				 uint32_t tag, uint64_t ctx, uint64_t seqno)
{
	const struct grt_life *job;

	if (e->tag != tag || e->slot == GRT_NONE)
		return false;
	job = &grt_pool_at(pool, e->slot)->job;
	return job->ctx == ctx && job->seqno == seqno;
}

/* The slot of job @ctx:@seqno in @pool, or GRT_NONE. */
static inline uint32_t grt_jobmap_get(const struct grt_jobmap *map, const struct grt_pool *pool,
				      uint64_t ctx, uint64_t seqno)
{
	uint32_t tag = grt_jobmap_tag(ctx, seqno), i;

	if (!map->used)
		return GRT_NONE;
	i = tag >> map->shift;
	while (map->entries[i].slot != GRT_NONE &&
	       !grt_jobmap_is(&map->entries[i], pool, tag, ctx, seqno))
		i = (i + 1) & map->mask;
	return map->entries[i].slot;
}

/* Maps the key, which must not be there yet, to @slot.  0 or -ENOMEM. */
int grt_jobmap_put(struct grt_jobmap *map, uint64_t ctx, uint64_t seqno, uint32_t slot);

/*
 * Removes the entry of @slot, which must be there.  Call it before the key of the slot changes.
 */
void grt_jobmap_del(struct grt_jobmap *map, uint64_t ctx, uint64_t seqno, uint32_t slot);

#endif /* GRT_JOBMAP_H */
