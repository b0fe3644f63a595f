// SPDX-License-Identifier: LGPL-2.1
#include "keymap.h"

#include <errno.h>
#include <stdlib.h>

#include "error.h"

#define FIRST_SLOTS	256
#define ROOMY		65536

/* The slot of (a, b), or the free slot where its search ends. */
static size_t find(const struct grt_keymap *map, uint64_t a, uint64_t b)
{
	size_t i = grt_keymap_home(map, a, b);

	while (map->slots[i].value != GRT_NONE &&
	       (map->slots[i].a ^ a) | (map->slots[i].b ^ b))
		i = (i + 1) & map->mask;
	return i;
}

/* The free slot for (a, b), which must not be in the table. */
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

static int resize(struct grt_keymap *map, size_t slots)
{
	size_t old_slots = map->slots ? map->mask + 1 : 0;
	struct grt_keymap resized = {
		.mask = slots - 1, .shift = __builtin_clzll(slots) + 1, .used = map->used,
	};

	resized.slots = malloc(slots * sizeof(*resized.slots));
	if (!resized.slots)
		return -ENOMEM;
	for (size_t i = 0; i < slots; i++)
		resized.slots[i] = (struct grt_keymap_slot){ .value = GRT_NONE };
	for (size_t i = 0; i < old_slots; i++) {
		const struct grt_keymap_slot *s = &map->slots[i];

		if (s->value != GRT_NONE)
			resized.slots[find_free(&resized, s->a, s->b)] = *s;
	}
	free(map->slots);
	*map = resized;
	return 0;
}

int grt_keymap_put(struct grt_keymap *map, uint64_t a, uint64_t b, uint32_t value)
{
	/*
	 * A small table stays sparse, so that nearly every search ends at its first slot.  A large
	 * one does not fit the cache anyway, and saving memory counts more.
	 */
	if (!map->slots || map->used >= (map->mask < ROOMY ? map->mask / 4 : map->mask / 8 * 7)) {
		if (resize(map, map->slots ? 2 * (map->mask + 1) : FIRST_SLOTS))
			return grt_fail_memory();
	}
	map->slots[find_free(map, a, b)] = (struct grt_keymap_slot){ a, b, value };
	map->used++;
	return 0;
}

int grt_keymap_set(struct grt_keymap *map, uint64_t a, uint64_t b, uint32_t value)
{
	if (grt_keymap_get(map, a, b) == GRT_NONE)
		return grt_keymap_put(map, a, b, value);
	map->slots[find(map, a, b)].value = value;
	return 0;
}

int grt_keymap_copy(struct grt_keymap *map, const struct grt_keymap *from)
{
	int err = 0;

	for (size_t i = 0; from->slots && i <= from->mask && !err; i++) {
		const struct grt_keymap_slot *s = &from->slots[i];

		if (s->value != GRT_NONE)
			err = grt_keymap_put(map, s->a, s->b, s->value);
	}
	return err;
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
	 * A search stops at the first free slot.  So an entry whose search crossed the hole must
	 * move into it; an entry whose home slot is behind the hole must stay.
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
	/* A million jobs may have been there at once; without memory the table stays as it is. */
	if (map->mask >= ROOMY && map->used < map->mask / 16)
		resize(map, (map->mask + 1) / 4);
}
