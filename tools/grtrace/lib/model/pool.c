// SPDX-License-Identifier: LGPL-2.1
#include "pool.h"

#include <stdlib.h>

#include "error.h"

static int grow(struct grt_pool *p)
{
	uint32_t first = p->nr_chunks * GRT_POOL_CHUNK;
	struct grt_slot **chunks;

	/* One list of pointers per 512 jobs more is cheap; the slots never move. */
	chunks = realloc(p->chunks, (p->nr_chunks + 1) * sizeof(*chunks));
	if (!chunks)
		return grt_fail_memory();
	p->chunks = chunks;
	chunks[p->nr_chunks] = calloc(GRT_POOL_CHUNK, sizeof(**chunks));
	if (!chunks[p->nr_chunks])
		return grt_fail_memory();
	p->nr_chunks++;
	for (uint32_t i = 0; i < GRT_POOL_CHUNK; i++)
		grt_pool_at(p, first + i)->next = i + 1 < GRT_POOL_CHUNK ? first + i + 1 : GRT_NONE;
	p->free = first;
	return 0;
}

uint32_t grt_pool_get(struct grt_pool *p)
{
	struct grt_slot *slot;
	uint32_t i;

	if ((!p->nr_chunks || p->free == GRT_NONE) && grow(p))
		return GRT_NONE;
	i = p->free;
	slot = grt_pool_at(p, i);
	p->free = slot->next;
	*slot = (struct grt_slot){
		.next = GRT_NONE, .held_next = GRT_NONE,
		.ctx = GRT_NONE, .ctx_prev = GRT_NONE, .ctx_next = GRT_NONE,
		.lane = GRT_NONE, .lane_prev = GRT_NONE, .lane_next = GRT_NONE,
		.track = GRT_NONE, .ready_prev = GRT_NONE, .ready_next = GRT_NONE,
		.deps = GRT_NONE, .waiters = GRT_NONE, .dep_party = GRT_NONE,
		.age_prev = GRT_NONE, .age_next = GRT_NONE,
	};
	return i;
}

void grt_pool_put(struct grt_pool *p, uint32_t i)
{
	struct grt_slot *slot = grt_pool_at(p, i);

	slot->state = GRT_NEW;
	slot->next = p->free;
	p->free = i;
}

void grt_pool_free(struct grt_pool *p)
{
	for (uint32_t i = 0; i < p->nr_chunks; i++)
		free(p->chunks[i]);
	free(p->chunks);
	*p = (struct grt_pool){ 0 };
}
