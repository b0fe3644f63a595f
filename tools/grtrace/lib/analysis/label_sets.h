/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The label sets of a family of metrics.  Each has a row of its own; those for which there is no room share
 * row 0.
 */
#ifndef GRT_LABEL_SETS_H
#define GRT_LABEL_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "keymap.h"
#include "vec.h"

#define GRT_OTHER_ROW	0

struct grt_label_key {
	uint64_t a, b;
};

/* Zeroed memory but for @cap and @idle_ns is empty. */
struct grt_label_sets {
	uint32_t cap;			/* rows beside row 0 */
	uint64_t idle_ns;		/* a row that was not used for so long may become another's; 0: never */
	uint64_t folded;		/* label sets that had to share row 0 */
	/* Private. */
	struct grt_keymap rows;
	struct grt_vec keys;		/* of struct grt_label_key, by row */
	struct grt_vec used;		/* of uint64_t, by row: when it was used last */
};

/*
 * The row of a label set, which is used at @now_ns.  A new label set gets the next row; if there is none, a row
 * that was not used for a long time; else row 0.  *is_new: the values of the row must begin with 0.  GRT_NONE
 * without memory.
 */
uint32_t grt_label_sets_row(struct grt_label_sets *s, uint64_t a, uint64_t b, uint64_t now_ns, bool *is_new);

void grt_label_sets_free(struct grt_label_sets *s);

/* How many rows there are; row 0 counts, too.  0: no label set came yet. */
static inline uint32_t grt_label_sets_count(const struct grt_label_sets *s)
{
	return grt_vec_count(&s->keys, struct grt_label_key);
}

/* The label set of a row other than 0. */
static inline const struct grt_label_key *grt_label_sets_at(const struct grt_label_sets *s, uint32_t row)
{
	return grt_vec_at(&s->keys, struct grt_label_key, row);
}

#endif /* GRT_LABEL_SETS_H */
