// SPDX-License-Identifier: LGPL-2.1
#include "root_sums.h"

#include <errno.h>
#include <stdlib.h>

#define SHIFT	5	/* 2^SHIFT spans or blocks make one block */
#define FAN	(1u << SHIFT)

/* 0: the key is no hang; GRT_NONE: no memory. */
static uint32_t hang_of(struct grt_root_keys *keys, const struct grt_root_key *key)
{
	uint32_t hang;

	if (!key->ctx && !key->seqno)
		return 0;
	hang = grt_keymap_get(&keys->hangs, key->ctx, key->seqno);
	if (hang != GRT_NONE)
		return hang;
	hang = keys->hangs.used + 1;
	return grt_keymap_put(&keys->hangs, key->ctx, key->seqno, hang) ? GRT_NONE : hang;
}

uint32_t grt_root_key_row(struct grt_root_keys *keys, const struct grt_root_key *key)
{
	uint64_t whose = (uint64_t)key->client << 8 | key->kind;
	uint32_t hang = hang_of(keys, key), row;

	if (hang == GRT_NONE)
		return GRT_NONE;
	row = grt_keymap_get(&keys->index, whose, hang);
	if (row != GRT_NONE)
		return row;
	row = grt_vec_count(&keys->rows, struct grt_root_key);
	if (grt_vec_append(&keys->rows, key, sizeof(*key)) ||
	    grt_keymap_put(&keys->index, whose, hang, row))
		return GRT_NONE;
	return row;
}

void grt_root_keys_free(struct grt_root_keys *keys)
{
	grt_vec_free(&keys->rows);
	grt_keymap_free(&keys->index);
	grt_keymap_free(&keys->hangs);
	*keys = (struct grt_root_keys){ .rows = { 0 } };
}

int grt_root_sums_add(struct grt_root_sums *s, uint32_t key, uint64_t ns)
{
	static const uint32_t none;
	uint32_t *place;

	if (key >= grt_vec_count(&s->places, uint32_t) &&
	    grt_vec_reach(&s->places, key, &none, sizeof(none)))
		return -ENOMEM;
	place = grt_vec_at(&s->places, uint32_t, key);
	if (!*place) {
		if (grt_vec_append(&s->rows, &(struct grt_root_sum){ .key = key }, sizeof(struct grt_root_sum)))
			return -ENOMEM;
		*place = grt_vec_count(&s->rows, struct grt_root_sum);
	}
	grt_vec_at(&s->rows, struct grt_root_sum, *place - 1)->ns += ns;
	s->ns += ns;
	return 0;
}

void grt_root_sums_clear(struct grt_root_sums *s)
{
	for (size_t i = 0; i < grt_vec_count(&s->rows, struct grt_root_sum); i++)
		*grt_vec_at(&s->places, uint32_t, grt_vec_at(&s->rows, struct grt_root_sum, i)->key) = 0;
	s->rows.bytes = 0;
	s->ns = 0;
}

void grt_root_sums_free(struct grt_root_sums *s)
{
	grt_vec_free(&s->rows);
	grt_vec_free(&s->places);
	*s = (struct grt_root_sums){ .ns = 0 };
}

static uint64_t end_of_sums(const struct grt_sum_level *l)
{
	return l->first_sum + grt_deque_count(&l->sums, struct grt_root_sum);
}

/* Adds the sums of block @nr of a level.  A block with a dropped one in it is made, but never asked for. */
static int add_block(const struct grt_sum_level *l, uint64_t nr, struct grt_root_sums *to)
{
	uint64_t i = nr - l->first_block, count = grt_deque_count(&l->blocks, uint64_t), at, end;
	int err = 0;

	if (nr < l->first_block)
		return 0;
	at = *grt_deque_at(&l->blocks, uint64_t, i);
	end = i + 1 < count ? *grt_deque_at(&l->blocks, uint64_t, i + 1) : end_of_sums(l);
	for (; at < end && !err; at++) {
		const struct grt_root_sum *sum = grt_deque_at(&l->sums, struct grt_root_sum, at - l->first_sum);

		err = grt_root_sums_add(to, sum->key, sum->ns);
	}
	return err;
}

/* Adds the spans, or blocks of the level below, [@from, @to). */
static int add_each(const struct grt_sum_tree *t, unsigned int level, uint64_t from, uint64_t to,
		    grt_sum_leaf_fn *fn, void *arg, struct grt_root_sums *sums)
{
	int err = 0;

	for (; from < to && !err; from++)
		err = level ? add_block(&t->levels[level - 1], from, sums) : fn(arg, from, sums);
	return err;
}

/* Makes the block that ends at span @count, if one does on this level. */
static int close_block(struct grt_sum_tree *t, unsigned int level, uint64_t count, grt_sum_leaf_fn *fn,
		       void *arg, struct grt_root_sums *scratch)
{
	struct grt_sum_level *l = &t->levels[level];
	uint64_t first_sum = end_of_sums(l), end = count >> SHIFT * level;
	int err = add_each(t, level, end - FAN, end, fn, arg, scratch);

	if (!err && grt_deque_is_empty(&l->blocks))
		l->first_block = (end >> SHIFT) - 1;
	if (!err)
		err = grt_vec_append(&l->blocks.vec, &first_sum, sizeof(first_sum));
	if (!err && scratch->rows.bytes)
		err = grt_vec_append(&l->sums.vec, scratch->rows.data, scratch->rows.bytes);
	grt_root_sums_clear(scratch);
	return err;
}

int grt_sum_tree_grow(struct grt_sum_tree *t, uint64_t count, grt_sum_leaf_fn *fn, void *arg,
		      struct grt_root_sums *scratch)
{
	int err = 0;

	while (t->count < count && !err) {
		t->count++;
		if (t->count % FAN)
			continue;
		if (!t->levels)
			t->levels = calloc(GRT_SUM_LEVELS, sizeof(*t->levels));
		if (!t->levels)
			return -ENOMEM;
		for (unsigned int level = 0; level < GRT_SUM_LEVELS && !err &&
		     !(t->count & ((1ull << SHIFT * (level + 1)) - 1)); level++)
			err = close_block(t, level, t->count, fn, arg, scratch);
	}
	return err;
}

int grt_sum_tree_sum(const struct grt_sum_tree *t, uint64_t from, uint64_t to, grt_sum_leaf_fn *fn, void *arg,
		     struct grt_root_sums *sums)
{
	uint64_t ends[GRT_SUM_LEVELS + 1];
	unsigned int level = 0;
	int err = 0;

	/* Up, over what is in front of the first whole block of each level. */
	for (; level < GRT_SUM_LEVELS && !err; level++) {
		uint64_t up = (from + FAN - 1) >> SHIFT;

		if (up >= to >> SHIFT)
			break;
		err = add_each(t, level, from, up << SHIFT, fn, arg, sums);
		ends[level] = to;
		from = up;
		to >>= SHIFT;
	}
	if (!err)
		err = add_each(t, level, from, to, fn, arg, sums);
	/* And down again, over what is behind the last one. */
	while (level-- && !err) {
		from = to << SHIFT;
		to = ends[level];
		err = add_each(t, level, from, to, fn, arg, sums);
	}
	return err;
}

void grt_sum_tree_drop(struct grt_sum_tree *t, uint64_t nr)
{
	for (unsigned int level = 0; level < GRT_SUM_LEVELS && t->levels; level++) {
		struct grt_sum_level *l = &t->levels[level];
		uint64_t count = grt_deque_count(&l->blocks, uint64_t), gone;

		nr >>= SHIFT;
		gone = nr > l->first_block ? nr - l->first_block : 0;
		if (gone > count)
			gone = count;
		if (!gone)
			continue;
		grt_deque_drop(&l->blocks, gone * sizeof(uint64_t));
		l->first_block += gone;
		gone = (gone < count ? *grt_deque_at(&l->blocks, uint64_t, 0) : end_of_sums(l)) - l->first_sum;
		if (gone)
			grt_deque_drop(&l->sums, gone * sizeof(struct grt_root_sum));
		l->first_sum += gone;
	}
}

void grt_sum_tree_free(struct grt_sum_tree *t)
{
	for (unsigned int level = 0; level < GRT_SUM_LEVELS && t->levels; level++) {
		grt_deque_free(&t->levels[level].blocks);
		grt_deque_free(&t->levels[level].sums);
	}
	free(t->levels);
	*t = (struct grt_sum_tree){ .count = 0 };
}
