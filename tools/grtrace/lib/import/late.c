// SPDX-License-Identifier: LGPL-2.1
#include "late.h"

#include <stdlib.h>

#include "error.h"

/* Where in the bytes a record is. */
struct late_place {
	uint64_t ns, offset;
};

void *grt_late_add(struct grt_late *l, size_t bytes)
{
	void *record = grt_vec_grow(&l->records, bytes);

	if (!record)
		grt_fail_memory();
	return record;
}

static int compare(const void *a, const void *b)
{
	const struct late_place *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

int grt_late_sort(struct grt_late *l)
{
	const struct grtrace_hdr *rec;

	for (size_t at = 0; at < l->records.bytes; at += rec->size) {
		struct late_place place = { .offset = at };

		rec = (const void *)((const char *)l->records.data + at);
		place.ns = rec->ts;
		if (grt_vec_append(&l->order, &place, sizeof(place)))
			return grt_fail_memory();
	}
	if (l->order.bytes)
		qsort(l->order.data, grt_late_count(l), sizeof(struct late_place), compare);
	return 0;
}

size_t grt_late_count(const struct grt_late *l)
{
	return grt_vec_count(&l->order, struct late_place);
}

const struct grtrace_hdr *grt_late_at(const struct grt_late *l, size_t i)
{
	const struct late_place *place = grt_vec_at(&l->order, struct late_place, i);

	return (const void *)((const char *)l->records.data + place->offset);
}

void grt_late_clear(struct grt_late *l)
{
	l->records.bytes = l->order.bytes = 0;
}

void grt_late_free(struct grt_late *l)
{
	grt_vec_free(&l->records);
	grt_vec_free(&l->order);
}
