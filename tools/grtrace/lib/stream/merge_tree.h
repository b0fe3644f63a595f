/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Finds the stream with the earliest head: a tournament tree.  It has no branches, because the
 * winner is hard to predict.  Its entries fit a register: the time since a base, and in the lower
 * bits the number of the stream, so the lower number wins at equal times.
 */
#ifndef GRT_MERGE_TREE_H
#define GRT_MERGE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keymap.h"

#define GRT_MERGE_TREE_NOBODY	UINT64_MAX

struct grt_merge_tree {
	uint64_t *tree;		/* owned; tree[i] is the smaller of tree[2i] and tree[2i + 1] */
	uint64_t *ns;		/* owned; time of each stream */
	uint64_t base_ns;
	uint64_t far;		/* times since the base from this on do not fit */
	uint32_t nr;		/* number of streams */
	unsigned int bits;	/* bits of a stream's number */
	uint32_t mask;		/* mask of these bits; all set means no stream */
};

/* Makes a tree of @nr streams without heads.  0 or -ENOMEM. */
int grt_merge_tree_init(struct grt_merge_tree *h, uint32_t nr);
void grt_merge_tree_free(struct grt_merge_tree *h);

static inline bool grt_merge_tree_has(const struct grt_merge_tree *h, uint32_t i)
{
	return h->tree[h->nr + i] != GRT_MERGE_TREE_NOBODY;
}

/* Stream @i has no head. */
void grt_merge_tree_remove(struct grt_merge_tree *h, uint32_t i);

/* grt_merge_tree_set() with a new base. */
uint32_t grt_merge_tree_rebase(struct grt_merge_tree *h, uint32_t i);

/* Sets the entry of stream @i to @place.  Returns the smallest entry. */
static inline uint64_t grt_merge_tree_put(struct grt_merge_tree *h, uint32_t i, uint64_t place)
{
	size_t at = h->nr + i;

	h->tree[at] = place;
	while (at > 1) {
		uint64_t other = h->tree[at ^ 1];

		place = other < place ? other : place;
		at /= 2;
		h->tree[at] = place;
	}
	return place;
}

/* The stream with the earliest head; GRT_NONE if no stream has a head. */
static inline uint32_t grt_merge_tree_first(const struct grt_merge_tree *h)
{
	uint64_t place = h->tree[1];

	return place == GRT_MERGE_TREE_NOBODY ? GRT_NONE : place & h->mask;
}

/* Sets the time of the head of stream @i to @ns.  Returns the stream with the earliest head. */
static inline uint32_t grt_merge_tree_set(struct grt_merge_tree *h, uint32_t i, uint64_t ns)
{
	uint64_t since_ns = ns - h->base_ns;

	h->ns[i] = ns;
	if (since_ns >= h->far)
		return grt_merge_tree_rebase(h, i);
	return grt_merge_tree_put(h, i, since_ns << h->bits | i) & h->mask;
}

#endif /* GRT_MERGE_TREE_H */
