// SPDX-License-Identifier: LGPL-2.1
#include "merge_tree.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

int grt_merge_tree_init(struct grt_merge_tree *h, uint32_t nr)
{
	size_t bytes = 2 * (nr + (size_t)1) * sizeof(*h->tree);

	*h = (struct grt_merge_tree){ .nr = nr };
	while (1u << h->bits <= nr)
		h->bits++;
	h->mask = (1u << h->bits) - 1;
	h->far = UINT64_MAX >> h->bits;
	h->tree = malloc(bytes);
	h->ns = calloc(nr + (size_t)1, sizeof(*h->ns));
	if (!h->tree || !h->ns)
		return grt_fail_memory();
	memset(h->tree, 0xff, bytes);	/* GRT_MERGE_TREE_NOBODY */
	return 0;
}

void grt_merge_tree_free(struct grt_merge_tree *h)
{
	free(h->tree);
	free(h->ns);
	*h = (struct grt_merge_tree){ 0 };
}

/* Computes all places from scratch, with the earliest time as the base. */
static void play(struct grt_merge_tree *h)
{
	uint64_t *leaf = &h->tree[h->nr];

	/*
	 * The largest possible base: every time from it on fits, and any earlier time counts as
	 * far, too.
	 */
	h->base_ns = UINT64_MAX - h->far + 1;
	for (uint32_t i = 0; i < h->nr; i++)
		if (leaf[i] != GRT_MERGE_TREE_NOBODY && h->ns[i] < h->base_ns)
			h->base_ns = h->ns[i];
	for (uint32_t i = 0; i < h->nr; i++) {
		uint64_t since_ns = h->ns[i] - h->base_ns;

		if (leaf[i] != GRT_MERGE_TREE_NOBODY)
			leaf[i] = (since_ns < h->far ? since_ns : h->far) << h->bits | i;
	}
	for (uint32_t at = h->nr - 1; at; at--) {
		uint64_t a = h->tree[2 * at], b = h->tree[2 * at + 1];

		h->tree[at] = a < b ? a : b;
	}
}

void grt_merge_tree_remove(struct grt_merge_tree *h, uint32_t i)
{
	uint64_t place = grt_merge_tree_put(h, i, GRT_MERGE_TREE_NOBODY);

	/* Times that do not fit all look equal: choose a new base to find the first. */
	if (place != GRT_MERGE_TREE_NOBODY && place >> h->bits == h->far)
		play(h);
}

uint32_t grt_merge_tree_rebase(struct grt_merge_tree *h, uint32_t i)
{
	h->tree[h->nr + i] = 0;
	play(h);
	return grt_merge_tree_first(h);
}
