// SPDX-License-Identifier: LGPL-2.1
#include "heads.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

int grt_heads_init(struct grt_heads *h, uint32_t nr)
{
	size_t bytes = 2 * (nr + (size_t)1) * sizeof(*h->tree);

	*h = (struct grt_heads){ .nr = nr };
	while (1u << h->bits <= nr)
		h->bits++;
	h->mask = (1u << h->bits) - 1;
	h->far = UINT64_MAX >> h->bits;
	h->tree = malloc(bytes);
	h->ns = calloc(nr + (size_t)1, sizeof(*h->ns));
	if (!h->tree || !h->ns)
		return grt_fail_memory();
	memset(h->tree, 0xff, bytes);	/* GRT_HEADS_NOBODY */
	return 0;
}

void grt_heads_free(struct grt_heads *h)
{
	free(h->tree);
	free(h->ns);
	*h = (struct grt_heads){ 0 };
}

/* From the times of those that have a head, with the least of them for a base. */
static void play(struct grt_heads *h)
{
	uint64_t *leaf = &h->tree[h->nr];

	/* From there on all that follows fits, and a time before it is far from it as well. */
	h->base_ns = UINT64_MAX - h->far + 1;
	for (uint32_t i = 0; i < h->nr; i++)
		if (leaf[i] != GRT_HEADS_NOBODY && h->ns[i] < h->base_ns)
			h->base_ns = h->ns[i];
	for (uint32_t i = 0; i < h->nr; i++) {
		uint64_t since_ns = h->ns[i] - h->base_ns;

		if (leaf[i] != GRT_HEADS_NOBODY)
			leaf[i] = (since_ns < h->far ? since_ns : h->far) << h->bits | i;
	}
	for (uint32_t at = h->nr - 1; at; at--) {
		uint64_t a = h->tree[2 * at], b = h->tree[2 * at + 1];

		h->tree[at] = a < b ? a : b;
	}
}

void grt_heads_remove(struct grt_heads *h, uint32_t i)
{
	uint64_t place = grt_heads_put(h, i, GRT_HEADS_NOBODY);

	/* Of those that are far nobody knows which is the first. */
	if (place != GRT_HEADS_NOBODY && place >> h->bits == h->far)
		play(h);
}

uint32_t grt_heads_rebase(struct grt_heads *h, uint32_t i)
{
	h->tree[h->nr + i] = 0;
	play(h);
	return grt_heads_first(h);
}
