/* SPDX-License-Identifier: LGPL-2.1 */
/* Sums of time per root, and a tree that gives the sums of any part of a log in a few steps. */
#ifndef GRT_ROOT_SUMS_H
#define GRT_ROOT_SUMS_H

#include <stdint.h>

#include "deque.h"
#include "keymap.h"
#include "vec.h"

/* What is added up: all time with this root and client; of a hang, that of this job only. */
struct grt_root_key {
	uint64_t ctx, seqno;	/* of a hang; else 0:0 */
	uint32_t client;
	uint8_t kind;		/* enum grt_root */
};

/* Each key once; a key is known by its row. */
struct grt_root_keys {
	struct grt_vec rows;		/* of struct grt_root_key */
	struct grt_keymap index, hangs;
};

/* The row of a key; GRT_NONE without memory. */
uint32_t grt_root_key_row(struct grt_root_keys *keys, const struct grt_root_key *key);
void grt_root_keys_free(struct grt_root_keys *keys);

struct grt_root_sum {
	uint64_t ns;
	uint32_t key;
};

struct grt_root_sums {
	struct grt_vec rows;	/* of struct grt_root_sum, in the order of their first time */
	struct grt_vec places;	/* of uint32_t by key: row + 1; 0: none */
	uint64_t ns;		/* of all rows */
};

int grt_root_sums_add(struct grt_root_sums *s, uint32_t key, uint64_t ns);
void grt_root_sums_clear(struct grt_root_sums *s);
void grt_root_sums_free(struct grt_root_sums *s);

/*
 * Every 2^5 spans of a log have a block of sums, every 2^5 of these blocks have one, and so on.  Spans have
 * numbers, which count on.
 */
#define GRT_SUM_LEVELS	12

struct grt_sum_level {
	struct grt_deque blocks;	/* of uint64_t: number of the block's first sum */
	struct grt_deque sums;		/* of struct grt_root_sum */
	uint64_t first_block, first_sum;
};

struct grt_sum_tree {
	struct grt_sum_level *levels;	/* owned; NULL: no block so far */
	uint64_t count;			/* numbers below it are in the tree */
};

/* Adds the sums of span @nr to @to; nothing if it is dropped.  0 or -errno. */
typedef int grt_sum_leaf_fn(void *arg, uint64_t nr, struct grt_root_sums *to);

/* Takes in the spans up to number @count; @scratch is empty before and after. */
int grt_sum_tree_grow(struct grt_sum_tree *t, uint64_t count, grt_sum_leaf_fn *fn, void *arg,
		      struct grt_root_sums *scratch);
/* Adds the sums of the spans [@from, @to), which are in the tree. */
int grt_sum_tree_sum(const struct grt_sum_tree *t, uint64_t from, uint64_t to, grt_sum_leaf_fn *fn, void *arg,
		     struct grt_root_sums *sums);
/* Nobody will ask for spans below number @nr. */
void grt_sum_tree_drop(struct grt_sum_tree *t, uint64_t nr);
void grt_sum_tree_free(struct grt_sum_tree *t);

#endif /* GRT_ROOT_SUMS_H */
