/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Hash table from a pair of numbers to an index: open addressing with linear probing.  Deletion
 * shifts entries back, so there are no tombstones, and a table stays fast however many jobs pass
 * through it.  Zeroed memory is an empty table.
 */
#ifndef GRT_KEYMAP_H
#define GRT_KEYMAP_H

#include <stddef.h>
#include <stdint.h>

#define GRT_NONE	UINT32_MAX	/* no index */

/* 20 bytes, because there may be a million slots. */
struct grt_keymap_slot {
	uint64_t a;
	uint64_t b;
	uint32_t value;			/* GRT_NONE: free */
} __attribute__((packed, aligned(4)));

struct grt_keymap {
	struct grt_keymap_slot *slots;
	size_t mask;			/* slots - 1 */
	unsigned int shift;		/* 64 - log2(slots) */
	size_t used;
};

void grt_keymap_free(struct grt_keymap *map);

/*
 * The first slot that a search for (a, b) looks at.  Sequence numbers count up by one; the
 * multiplication spreads them over the table.
 */
static inline size_t grt_keymap_home(const struct grt_keymap *map, uint64_t a, uint64_t b)
{
	return (a * 0xd6e8feb86659fd93ull + b * 0x9e3779b97f4a7c15ull) >> map->shift;
}

/* Goes on with a search after the first slot. */
uint32_t grt_keymap_get_further(const struct grt_keymap *map, uint64_t a, uint64_t b);

/* The value of (a, b), or GRT_NONE. */
static inline uint32_t grt_keymap_get(const struct grt_keymap *map, uint64_t a, uint64_t b)
{
	const struct grt_keymap_slot *s;

	if (!map->used)
		return GRT_NONE;
	s = &map->slots[grt_keymap_home(map, a, b)];
	/* One branch for the key.  The value of a deleted slot is GRT_NONE. */
	if (!((s->a ^ a) | (s->b ^ b)) || s->value == GRT_NONE)
		return s->value;
	return grt_keymap_get_further(map, a, b);
}

/* Adds (a, b), which must not be in the table.  0 or -ENOMEM. */
int grt_keymap_put(struct grt_keymap *map, uint64_t a, uint64_t b, uint32_t value);
/* The same, and replaces the value if the table has one. */
int grt_keymap_set(struct grt_keymap *map, uint64_t a, uint64_t b, uint32_t value);
void grt_keymap_del(struct grt_keymap *map, uint64_t a, uint64_t b);
/* Adds all entries of @from to @map, which has none of them.  0 or -ENOMEM. */
int grt_keymap_copy(struct grt_keymap *map, const struct grt_keymap *from);

#endif /* GRT_KEYMAP_H */
