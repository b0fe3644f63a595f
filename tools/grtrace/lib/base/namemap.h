/* SPDX-License-Identifier: LGPL-2.1 */
/* Hash table from a text to a number.  Zeroed memory is an empty table. */
#ifndef GRT_NAMEMAP_H
#define GRT_NAMEMAP_H

#include "keymap.h"

/*
 * Keeps two hashes of each text instead of the text: two texts that agree in both would be mixed
 * up, which does not happen in practice.
 */
struct grt_namemap {
	struct grt_keymap map;
};

uint32_t grt_namemap_get(const struct grt_namemap *n, const char *name);	/* or GRT_NONE */
int grt_namemap_set(struct grt_namemap *n, const char *name, uint32_t value);	/* 0 or -ENOMEM */

/* Adds @more to the number of @name, which starts at 0.  0 or -ENOMEM. */
int grt_namemap_add(struct grt_namemap *n, const char *name, int more);

void grt_namemap_free(struct grt_namemap *n);

#endif /* GRT_NAMEMAP_H */
