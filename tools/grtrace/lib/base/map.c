// SPDX-License-Identifier: LGPL-2.1
#include "map.h"

uint64_t *grt_map_get(const struct grt_map *m, uint64_t key)
{
	uint32_t i = grt_keymap_get(&m->index, key, 0);

	return i == GRT_NONE ? NULL : &grt_vec_at(&m->entries, struct grt_map_entry, i)->value;
}

uint64_t *grt_map_put(struct grt_map *m, uint64_t key)
{
	const struct grt_map_entry entry = { .key = key };
	uint64_t *value = grt_map_get(m, key);
	size_t i = grt_map_count(m);

	if (value)
		return value;
	if (i >= GRT_NONE || grt_vec_append(&m->entries, &entry, sizeof(entry)))
		return NULL;
	if (grt_keymap_put(&m->index, key, 0, i)) {
		m->entries.bytes -= sizeof(entry);
		return NULL;
	}
	return &grt_vec_at(&m->entries, struct grt_map_entry, i)->value;
}

void grt_map_free(struct grt_map *m)
{
	grt_keymap_free(&m->index);
	grt_vec_free(&m->entries);
}
