/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Hash table from a pair of numbers to an index: open addressing, linear probing,
 * deletion by shifting back, so there are no tombstones and a table that lives
 * through millions of jobs stays as fast as a new one.  Zeroed memory is an
 * empty one.
 */
#ifndef GRT_KEYMAP_H
#define GRT_KEYMAP_H

#include <stddef.h>
#include <stdint.h>

#define GRT_NONE	UINT32_MAX	/* no index */

struct grt_keymap_slot {
	uint64_t a;
	uint64_t b;
	uint32_t value;			/* GRT_NONE: free */
};

struct grt_keymap {
	struct grt_keymap_slot *slots;
	size_t mask;			/* slots - 1 */
	unsigned int shift;		/* leaves as many bits of a hash */
	size_t used;
};

void grt_keymap_free(struct grt_keymap *map);

/*
 * Where (a, b) is looked for first.  Sequence numbers count up by one: multiplied so, their
 * upper bits lie far from each other.
 */
static inline size_t grt_keymap_home(const struct grt_keymap *map, uint64_t a, uint64_t b)
{
	return (a * 0xd6e8feb86659fd93ull + b * 0x9e3779b97f4a7c15ull) >> map->shift;
}

/* The same, past the first place looked at. */
uint32_t grt_keymap_get_further(const struct grt_keymap *map, uint64_t a, uint64_t b);

/* The value of (a, b), or GRT_NONE. */
static inline uint32_t grt_keymap_get(const struct grt_keymap *map, uint64_t a, uint64_t b)
{
	const struct grt_keymap_slot *s;

	if (!map->used)
		return GRT_NONE;
	s = &map->slots[grt_keymap_home(map, a, b)];
	/* One test for the key; where it was deleted, its value is GRT_NONE. */
	if (!((s->a ^ a) | (s->b ^ b)) || s->value == GRT_NONE)
		return s->value;
	return grt_keymap_get_further(map, a, b);
}

/* (a, b) must not be there yet.  0 or -ENOMEM. */
int grt_keymap_put(struct grt_keymap *map, uint64_t a, uint64_t b, uint32_t value);
void grt_keymap_del(struct grt_keymap *map, uint64_t a, uint64_t b);

#endif /* GRT_KEYMAP_H */
