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
	size_t used;
};

void grt_keymap_free(struct grt_keymap *map);

/* The value of (a, b), or GRT_NONE. */
uint32_t grt_keymap_get(const struct grt_keymap *map, uint64_t a, uint64_t b);

/* (a, b) must not be there yet.  0 or -ENOMEM. */
int grt_keymap_put(struct grt_keymap *map, uint64_t a, uint64_t b, uint32_t value);
void grt_keymap_del(struct grt_keymap *map, uint64_t a, uint64_t b);

#endif /* GRT_KEYMAP_H */
