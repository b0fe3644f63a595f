// SPDX-License-Identifier: LGPL-2.1
#include "jobmap.h"

#include <errno.h>
#include <stdlib.h>

#include "error.h"

#define FIRST_ENTRIES	256
#define ROOMY		65536

void grt_jobmap_free(struct grt_jobmap *map)
{
	free(map->entries);
	*map = (struct grt_jobmap){ 0 };
}

static void enter(struct grt_jobmap *map, struct grt_jobmap_entry entry)
{
	uint32_t i = entry.tag >> map->shift;

	while (map->entries[i].slot != GRT_NONE)
		i = (i + 1) & map->mask;
	map->entries[i] = entry;
}

static int resize(struct grt_jobmap *map, size_t entries)
{
	size_t old_entries = map->entries ? map->mask + 1ul : 0;
	struct grt_jobmap resized = {
		.mask = entries - 1, .shift = __builtin_clz(entries) + 1, .used = map->used,
	};

	resized.entries = malloc(entries * sizeof(*resized.entries));
	if (!resized.entries)
		return -ENOMEM;
	for (size_t i = 0; i < entries; i++)
		resized.entries[i].slot = GRT_NONE;
	for (size_t i = 0; i < old_entries; i++)
		if (map->entries[i].slot != GRT_NONE)
			enter(&resized, map->entries[i]);
	free(map->entries);
	*map = resized;
	return 0;
}

int grt_jobmap_put(struct grt_jobmap *map, uint64_t ctx, uint64_t seqno, uint32_t slot)
{
	/* Nearly every search ends at the first entry, as long as the table fits a cache. */
	if (!map->entries || map->used > map->mask >> (map->mask < ROOMY ? 2 : 1)) {
		if (resize(map, map->entries ? 2 * (map->mask + 1ul) : FIRST_ENTRIES))
			return grt_fail_memory();
	}
	enter(map, (struct grt_jobmap_entry){ grt_jobmap_tag(ctx, seqno), slot });
	map->used++;
	return 0;
}

void grt_jobmap_del(struct grt_jobmap *map, uint64_t ctx, uint64_t seqno, uint32_t slot)
{
	uint32_t hole = grt_jobmap_tag(ctx, seqno) >> map->shift, i;

	while (map->entries[hole].slot != slot)
		hole = (hole + 1) & map->mask;
	/*
	 * A search stops at the first free entry, so an entry that was placed beyond the hole
	 * must move into it.  An entry whose home lies behind the hole must stay.
	 */
	for (i = (hole + 1) & map->mask; map->entries[i].slot != GRT_NONE;
	     i = (i + 1) & map->mask) {
		uint32_t from_home = (i - (map->entries[i].tag >> map->shift)) & map->mask;

		if (from_home < ((i - hole) & map->mask))
			continue;
		map->entries[hole] = map->entries[i];
		hole = i;
	}
	map->entries[hole].slot = GRT_NONE;
	map->used--;
	/* A million jobs may have been in flight; without memory the table stays as it is. */
	if (map->mask >= ROOMY && map->used < map->mask / 16)
		resize(map, (map->mask + 1ul) / 4);
}
