// SPDX-License-Identifier: LGPL-2.1
#include "keymap.h"

#include <stdlib.h>

#include "error.h"

#define FIRST_SLOTS	256
#define ROOMY		65536

/* Where (a, b) is; where it is not there, the free slot that the search for it ends at. */
static size_t find(const struct grt_keymap *map, uint64_t a, uint64_t b)
{
	size_t i = grt_keymap_home(map, a, b);

	while (map->slots[i].value != GRT_NONE &&
	       (map->slots[i].a ^ a) | (map->slots[i].b ^ b))
		i = (i + 1) & map->mask;
	return i;
}

/* The same if it is known not to be there. */
static size_t find_free(const struct grt_keymap *map, uint64_t a, uint64_t b)
{
	size_t i = grt_keymap_home(map, a, b);

	while (map->slots[i].value != GRT_NONE)
		i = (i + 1) & map->mask;
	return i;
}

void grt_keymap_free(struct grt_keymap *map)
{
	free(map->slots);
	*map = (struct grt_keymap){ 0 };
}

uint32_t grt_keymap_get_further(const struct grt_keymap *map, uint64_t a, uint64_t b)
{
	return map->slots[find(map, a, b)].value;
}

static int grow(struct grt_keymap *map)
{
	size_t old_slots = map->slots ? map->mask + 1 : 0;
	size_t slots = old_slots ? 2 * old_slots : FIRST_SLOTS;
	struct grt_keymap bigger = {
		.mask = slots - 1, .shift = __builtin_clzll(slots) + 1, .used = map->used,
	};

	bigger.slots = malloc(slots * sizeof(*bigger.slots));
	if (!bigger.slots)
		return grt_fail_memory();
	for (size_t i = 0; i < slots; i++)
		bigger.slots[i] = (struct grt_keymap_slot){ .value = GRT_NONE };
	for (size_t i = 0; i < old_slots; i++) {
		const struct grt_keymap_slot *s = &map->slots[i];

		if (s->value != GRT_NONE)
			bigger.slots[find_free(&bigger, s->a, s->b)] = *s;
	}
	free(map->slots);
	*map = bigger;
	return 0;
}

int grt_keymap_put(struct grt_keymap *map, uint64_t a, uint64_t b, uint32_t value)
{
	/* Nearly always the first place looked at, as long as that fits a cache. */
	if (!map->slots || map->used > map->mask / (map->mask < ROOMY ? 4 : 2)) {
		int err = grow(map);

		if (err)
			return err;
	}
	map->slots[find_free(map, a, b)] = (struct grt_keymap_slot){ a, b, value };
	map->used++;
	return 0;
}

void grt_keymap_del(struct grt_keymap *map, uint64_t a, uint64_t b)
{
	size_t hole, i;

	if (!map->used)
		return;
	hole = find(map, a, b);
	if (map->slots[hole].value == GRT_NONE)
		return;
	/*
	 * A search stops at the first free slot, so whoever probed across the
	 * hole has to move into it; one that sits at or after its home, seen from
	 * the hole, must stay.
	 */
	for (i = (hole + 1) & map->mask; map->slots[i].value != GRT_NONE;
	     i = (i + 1) & map->mask) {
		size_t from_home = (i - grt_keymap_home(map, map->slots[i].a, map->slots[i].b)) & map->mask;

		if (from_home < ((i - hole) & map->mask))
			continue;
		map->slots[hole] = map->slots[i];
		hole = i;
	}
	map->slots[hole].value = GRT_NONE;
	map->used--;
}
