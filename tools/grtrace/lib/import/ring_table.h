/* SPDX-License-Identifier: LGPL-2.1 */
/* A row for each ring, of any kind. */
#ifndef GRT_RING_TABLE_H
#define GRT_RING_TABLE_H

#include <stdint.h>

#include "keymap.h"
#include "vec.h"

/* Zeroed memory is empty. */
struct grt_ring_table {
	struct grt_keymap at;	/* ring -> number of its row */
	struct grt_vec rows;
};

/* The row of @ring, of @bytes; zeroed if it is new.  NULL without memory; valid until the next call. */
void *grt_ring_table_row(struct grt_ring_table *t, uint32_t ring, size_t bytes);

void grt_ring_table_free(struct grt_ring_table *t);

#endif /* GRT_RING_TABLE_H */
