/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Which of many streams comes next: a tournament of the times of their heads.  It is played
 * without branches, because who comes next cannot be guessed, and with numbers that fit a
 * register: the time since a base, and behind it the number of the stream.  At equal times
 * the lower number is first.
 */
#ifndef GRT_HEADS_H
#define GRT_HEADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keymap.h"

#define GRT_HEADS_NOBODY	UINT64_MAX

struct grt_heads {
	uint64_t *tree;		/* owned; winner of [i]: the lesser of [2i], [2i + 1] */
	uint64_t *ns;		/* owned; by stream */
	uint64_t base_ns;
	uint64_t far;		/* since the base: such times, and later ones, do not fit */
	uint32_t nr;		/* streams */
	unsigned int bits;	/* of the number of one */
	uint32_t mask;		/* these bits; all of them set is none */
};

/* @nr streams, none with a head.  0 or -ENOMEM. */
int grt_heads_init(struct grt_heads *h, uint32_t nr);
void grt_heads_free(struct grt_heads *h);

static inline bool grt_heads_has(const struct grt_heads *h, uint32_t i)
{
	return h->tree[h->nr + i] != GRT_HEADS_NOBODY;
}

/* Stream @i has no head. */
void grt_heads_remove(struct grt_heads *h, uint32_t i);

/* The same as grt_heads_set(), with another base. */
uint32_t grt_heads_rebase(struct grt_heads *h, uint32_t i);

/* Puts @place where that of stream @i is.  Returns the least of all. */
static inline uint64_t grt_heads_put(struct grt_heads *h, uint32_t i, uint64_t place)
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

/* The stream that comes next, GRT_NONE: none has a head. */
static inline uint32_t grt_heads_first(const struct grt_heads *h)
{
	uint64_t place = h->tree[1];

	return place == GRT_HEADS_NOBODY ? GRT_NONE : place & h->mask;
}

/* The head of stream @i is of time @ns from now on.  Returns the one that comes next. */
static inline uint32_t grt_heads_set(struct grt_heads *h, uint32_t i, uint64_t ns)
{
	uint64_t since_ns = ns - h->base_ns;

	h->ns[i] = ns;
	if (since_ns >= h->far)
		return grt_heads_rebase(h, i);
	return grt_heads_put(h, i, since_ns << h->bits | i) & h->mask;
}

#endif /* GRT_HEADS_H */
