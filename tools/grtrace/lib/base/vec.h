/* SPDX-License-Identifier: LGPL-2.1 */
/* A growing array of bytes or of equal elements. */
#ifndef GRT_VEC_H
#define GRT_VEC_H

#include <stddef.h>

struct grt_vec {
	void *data;	/* owned */
	size_t bytes, capacity;
};

/* Moves the data to a block with room for @bytes more; rarely called.  0 or -ENOMEM. */
int grt_vec_reserve(struct grt_vec *v, size_t bytes) __attribute__((cold));

/* Adds @bytes, which may be 0, uninitialised.  Returns their place; NULL without memory. */
static inline void *grt_vec_grow(struct grt_vec *v, size_t bytes)
{
	if ((!v->data || bytes > v->capacity - v->bytes) && grt_vec_reserve(v, bytes))
		return NULL;
	v->bytes += bytes;
	return (char *)v->data + v->bytes - bytes;
}
int grt_vec_append(struct grt_vec *v, const void *data, size_t bytes);
/*
 * Makes sure that element @i exists; new elements are copies of @blank, @bytes long.  0 or
 * -ENOMEM.
 */
int grt_vec_reach(struct grt_vec *v, size_t i, const void *blank, size_t bytes);
/* Gives back the memory that @v does not need now. */
void grt_vec_shrink(struct grt_vec *v) __attribute__((cold));
void grt_vec_free(struct grt_vec *v);

#define grt_vec_count(v, type)	((v)->bytes / sizeof(type))
#define grt_vec_at(v, type, i)	((type *)(v)->data + (i))

#endif /* GRT_VEC_H */
