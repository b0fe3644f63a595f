// SPDX-License-Identifier: LGPL-2.1
#include "heap.h"

#include <errno.h>

static struct grt_due *at(const struct grt_heap *h, size_t i)
{
	return grt_vec_at(&h->dues, struct grt_due, i);
}

int grt_heap_put(struct grt_heap *h, uint64_t ns, uint32_t id)
{
	size_t i = grt_heap_count(h);

	if (!grt_vec_grow(&h->dues, sizeof(struct grt_due)))
		return -ENOMEM;
	for (; i && at(h, (i - 1) / 2)->ns > ns; i = (i - 1) / 2)
		*at(h, i) = *at(h, (i - 1) / 2);
	*at(h, i) = (struct grt_due){ ns, id };
	return 0;
}

/* Replaces the earliest entry by @due. */
static void replace(struct grt_heap *h, struct grt_due due)
{
	size_t n = grt_heap_count(h), i = 0, next;

	while ((next = 2 * i + 1) < n) {
		if (next + 1 < n && at(h, next + 1)->ns < at(h, next)->ns)
			next++;
		if (at(h, next)->ns >= due.ns)
			break;
		*at(h, i) = *at(h, next);
		i = next;
	}
	*at(h, i) = due;
}

void grt_heap_pop(struct grt_heap *h)
{
	struct grt_due last = *at(h, grt_heap_count(h) - 1);

	h->dues.bytes -= sizeof(last);
	if (h->dues.bytes)
		replace(h, last);
}

void grt_heap_defer(struct grt_heap *h, uint64_t ns)
{
	replace(h, (struct grt_due){ ns, at(h, 0)->id });
}
