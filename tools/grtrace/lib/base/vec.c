// SPDX-License-Identifier: LGPL-2.1
#include "vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

int grt_vec_reserve(struct grt_vec *v, size_t bytes)
{
	size_t need = v->bytes + bytes;
	size_t capacity = v->capacity ? v->capacity : 256;
	void *data;

	while (capacity < need)
		capacity *= 2;
	data = realloc(v->data, capacity);
	if (!data)
		return grt_fail_memory();
	v->data = data;
	v->capacity = capacity;
	return 0;
}

int grt_vec_append(struct grt_vec *v, const void *data, size_t bytes)
{
	void *to = grt_vec_grow(v, bytes);

	if (!to)
		return grt_fail_memory();
	if (bytes)
		memcpy(to, data, bytes);
	return 0;
}

int grt_vec_reach(struct grt_vec *v, size_t i, const void *blank, size_t bytes)
{
	while (v->bytes / bytes <= i)
		if (grt_vec_append(v, blank, bytes))
			return -ENOMEM;
	return 0;
}

void grt_vec_shrink(struct grt_vec *v)
{
	void *data = v->bytes ? realloc(v->data, 2 * v->bytes) : NULL;

	if (!data)
		return;
	v->data = data;
	v->capacity = 2 * v->bytes;
}

void grt_vec_free(struct grt_vec *v)
{
	free(v->data);
	*v = (struct grt_vec){ 0 };
}
