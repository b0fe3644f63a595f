// SPDX-License-Identifier: LGPL-2.1
/* The definitions of rings and processes read so far. */
#include "trace_private.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

/* Keeps a definition in place of an earlier one.  Old format versions have shorter ones. */
static int keep(struct grt_map *map, uint64_t id, const struct grtrace_hdr *def, size_t bytes)
{
	uint64_t *slot = grt_map_put(map, id);

	if (slot && !*slot)
		*slot = (uintptr_t)malloc(bytes);
	if (!slot || !*slot)
		return grt_fail_memory();
	memset((void *)(uintptr_t)*slot, 0, bytes);
	memcpy((void *)(uintptr_t)*slot, def, def->size < bytes ? def->size : bytes);
	return 0;
}

int grt_api_keep(struct grtrace *t, const struct grtrace_hdr *rec)
{
	const struct grtrace_ring *ring = (const void *)rec;
	const struct grtrace_process *process = (const void *)rec;

	if (rec->type == GRTRACE_RING)
		return keep(&t->rings, ring->ring, rec, sizeof(*ring));
	if (rec->type == GRTRACE_PROCESS)
		return keep(&t->processes, process->tgid, rec, sizeof(*process));
	return 0;
}

static void free_map(struct grt_map *map)
{
	for (size_t i = 0; i < grt_map_count(map); i++)
		free((void *)(uintptr_t)grt_map_at(map, i)->value);
	grt_map_free(map);
}

void grt_api_free_definitions(struct grtrace *t)
{
	free_map(&t->rings);
	free_map(&t->processes);
}

static const void *find(const struct grt_map *map, uint64_t id)
{
	const uint64_t *slot = grt_map_get(map, id);

	return slot ? (const void *)(uintptr_t)*slot : NULL;
}

const struct grtrace_ring *grtrace_ring_of(struct grtrace *t, uint32_t ring)
{
	return find(&t->rings, ring);
}

const struct grtrace_process *grtrace_process_of(struct grtrace *t, uint32_t tgid)
{
	return find(&t->processes, tgid);
}
