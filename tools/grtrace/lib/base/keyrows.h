/* SPDX-License-Identifier: LGPL-2.1 */
/* Rows of one type, each found by a number, as that of a ring or the address of an object. */
#ifndef GRT_KEYROWS_H
#define GRT_KEYROWS_H

#include <stdint.h>

#include "keymap.h"
#include "vec.h"

/* Zeroed memory is empty. */
struct grt_keyrows {
	struct grt_keymap at;	/* key -> number of its row */
	struct grt_vec rows;
};

/* The row of @key, of @bytes; zeroed if it is new.  NULL without memory; valid until the next call. */
void *grt_keyrow(struct grt_keyrows *t, uint64_t key, size_t bytes);

void grt_keyrows_free(struct grt_keyrows *t);

#endif /* GRT_KEYROWS_H */
