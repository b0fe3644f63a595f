/* SPDX-License-Identifier: LGPL-2.1 */
/* A history: grows at the end, drops from the front.  Zeroed memory is an empty one. */
#ifndef GRT_DEQUE_H
#define GRT_DEQUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "vec.h"

struct grt_deque {
	struct grt_vec vec;
	size_t first;		/* dropped bytes at the front */
};

#define grt_deque_count(d, type)	(((d)->vec.bytes - (d)->first) / sizeof(type))

/* Computes with integers: an empty deque may have no memory, and NULL + 0 is undefined. */
#define grt_deque_place(d, type, at)	((type *)((uintptr_t)(d)->vec.data + (at)))

#define grt_deque_at(d, type, i)	\
	grt_deque_place(d, type, (d)->first + (i) * sizeof(type))

/* Behind the last one. */
#define grt_deque_end(d, type)	grt_deque_place(d, type, (d)->vec.bytes)

static inline bool grt_deque_is_empty(const struct grt_deque *d)
{
	return d->vec.bytes == d->first;
}

static inline void grt_deque_free(struct grt_deque *d)
{
	grt_vec_free(&d->vec);
	d->first = 0;
}

#define GRT_DEQUE_LARGE	(1u << 20)	/* bytes: a larger one gives back memory that it needs no more */

/* Drops @bytes at the front.  Their room is used again once it is the larger part. */
static inline void grt_deque_drop(struct grt_deque *d, size_t bytes)
{
	d->first += bytes;
	if (d->first * 2 < d->vec.bytes)
		return;
	d->vec.bytes -= d->first;
	if (d->vec.bytes)
		memmove(d->vec.data, (char *)d->vec.data + d->first, d->vec.bytes);
	d->first = 0;
	if (d->vec.capacity > GRT_DEQUE_LARGE && d->vec.bytes < d->vec.capacity / 8)
		grt_vec_shrink(&d->vec);
}

#endif /* GRT_DEQUE_H */
