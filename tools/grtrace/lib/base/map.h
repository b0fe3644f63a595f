/* SPDX-License-Identifier: LGPL-2.1 */
/* A hash table from one 64-bit number to another; grows, never shrinks. */
#ifndef GRT_MAP_H
#define GRT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct grt_map {
	struct grt_map_slot {
		uint64_t key, value;
		bool is_used;
	} *slots;		/* owned */
	size_t size, used;	/* size: a power of two, or 0 */
};

/* The value's place, NULL if absent; valid until the next put. */
uint64_t *grt_map_get(const struct grt_map *m, uint64_t key);

/* The same, made with value 0 if absent.  NULL without memory. */
uint64_t *grt_map_put(struct grt_map *m, uint64_t key);

void grt_map_free(struct grt_map *m);

#endif /* GRT_MAP_H */
