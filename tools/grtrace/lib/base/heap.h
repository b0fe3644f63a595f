/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A priority queue of numbers, each with a due time; the earliest comes first.  Zeroed memory is
 * an empty queue.
 */
#ifndef GRT_HEAP_H
#define GRT_HEAP_H

#include <stdint.h>

#include "vec.h"

struct grt_due {
	uint64_t ns;
	uint32_t id;
};

struct grt_heap {
	struct grt_vec dues;	/* struct grt_due; row i is not before row (i - 1) / 2 */
};

#define grt_heap_count(h)	grt_vec_count(&(h)->dues, struct grt_due)

/* The earliest entry, or NULL if the queue is empty. */
static inline const struct grt_due *grt_heap_first(const struct grt_heap *h)
{
	return h->dues.bytes ? h->dues.data : NULL;
}

static inline void grt_heap_clear(struct grt_heap *h)
{
	h->dues.bytes = 0;
}

/* 0 or -ENOMEM.  The same @id may be in the queue more than once. */
int grt_heap_put(struct grt_heap *h, uint64_t ns, uint32_t id);

/* Both change the earliest entry, which must exist: remove it, or give it a later time. */
void grt_heap_pop(struct grt_heap *h);
void grt_heap_defer(struct grt_heap *h, uint64_t ns);

static inline void grt_heap_free(struct grt_heap *h)
{
	grt_vec_free(&h->dues);
}

#endif /* GRT_HEAP_H */
