/* SPDX-License-Identifier: LGPL-2.1 */
/* From one 64-bit number to another.  Entries stay in the order in which they came. */
#ifndef GRT_MAP_H
#define GRT_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "keymap.h"
#include "vec.h"

struct grt_map_entry {
	uint64_t key, value;
};

/* Zeroed memory is an empty map. */
struct grt_map {
	struct grt_keymap index;	/* of @entries, by key */
	struct grt_vec entries;		/* struct grt_map_entry */
};

/* The value of @key, NULL if absent; valid until the next put. */
uint64_t *grt_map_get(const struct grt_map *m, uint64_t key);

/* The value of @key, which starts at 0 if it was absent.  NULL without memory. */
uint64_t *grt_map_put(struct grt_map *m, uint64_t key);

void grt_map_free(struct grt_map *m);

static inline size_t grt_map_count(const struct grt_map *m)
{
	return grt_vec_count(&m->entries, struct grt_map_entry);
}

/* Entry number @i, in the order in which they came. */
static inline const struct grt_map_entry *grt_map_at(const struct grt_map *m, size_t i)
{
	return grt_vec_at(&m->entries, struct grt_map_entry, i);
}

#endif /* GRT_MAP_H */
