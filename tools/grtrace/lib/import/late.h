/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Records that stand behind later ones of their CPU, as in a text that is sorted the other way
 * round.  They are collected, and leave in the order of time; of two with one time, the one that
 * came first.  Zeroed memory is empty.
 */
#ifndef GRT_LATE_H
#define GRT_LATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "vec.h"

#define GRT_LATE_BYTES	(16u << 20)	/* memory is bounded: then they are written */

struct grt_late {
	struct grt_vec records;		/* whole records, as they came */
	struct grt_vec order;		/* struct late_place */
};

/* Space for a record of @bytes, to be filled in before the next call; NULL without memory. */
void *grt_late_add(struct grt_late *l, size_t bytes);

/* Whether a record of @bytes needs more room than there is. */
static inline bool grt_late_is_full(const struct grt_late *l, size_t bytes)
{
	return l->records.bytes + bytes > GRT_LATE_BYTES;
}

/* Sorts them.  0 or -ENOMEM. */
int grt_late_sort(struct grt_late *l);

/* How many there are, once they are sorted; and one of them. */
size_t grt_late_count(const struct grt_late *l);
const struct grtrace_hdr *grt_late_at(const struct grt_late *l, size_t i);

/* Forgets them all, and keeps the memory. */
void grt_late_clear(struct grt_late *l);
void grt_late_free(struct grt_late *l);

#endif /* GRT_LATE_H */
