// SPDX-License-Identifier: LGPL-2.1
#include "map.h"

#include <stdlib.h>

#include "error.h"

static struct grt_map_slot *find(const struct grt_map *m, uint64_t key)
{
	uint64_t hash = key * 0x9e3779b97f4a7c15ull;
	size_t i = (hash ^ hash >> 32) & (m->size - 1);

	while (m->slots[i].is_used && m->slots[i].key != key)
		i = (i + 1) & (m->size - 1);
	return &m->slots[i];
}

uint64_t *grt_map_get(const struct grt_map *m, uint64_t key)
{
	struct grt_map_slot *slot;

	if (!m->size)
		return NULL;
	slot = find(m, key);
	return slot->is_used ? &slot->value : NULL;
}

static int grow(struct grt_map *m)
{
	struct grt_map bigger = { .size = m->size ? 2 * m->size : 64 };

	bigger.slots = calloc(bigger.size, sizeof(*bigger.slots));
	if (!bigger.slots)
		return grt_fail_memory();
	for (size_t i = 0; i < m->size; i++)
		if (m->slots[i].is_used)
			*find(&bigger, m->slots[i].key) = m->slots[i];
	bigger.used = m->used;
	free(m->slots);
	*m = bigger;
	return 0;
}

uint64_t *grt_map_put(struct grt_map *m, uint64_t key)
{
	struct grt_map_slot *slot;

	/* Half full at most: probes stay short. */
	if (2 * m->used >= m->size && grow(m))
		return NULL;
	slot = find(m, key);
	if (!slot->is_used) {
		*slot = (struct grt_map_slot){ .key = key, .is_used = true };
		m->used++;
	}
	return &slot->value;
}

void grt_map_free(struct grt_map *m)
{
	free(m->slots);
	*m = (struct grt_map){ 0 };
}
