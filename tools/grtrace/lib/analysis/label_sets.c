// SPDX-License-Identifier: LGPL-2.1
#include "label_sets.h"

#include "error.h"

static uint64_t *used_at(const struct grt_label_sets *s, uint32_t row)
{
	return grt_vec_at(&s->used, uint64_t, row);
}

static int append(struct grt_label_sets *s, const struct grt_label_key *key)
{
	const uint64_t never = 0;

	return grt_vec_append(&s->used, &never, sizeof(never)) || grt_vec_append(&s->keys, key, sizeof(*key));
}

/* The row that was not used for the longest time, if that is long enough; else row 0. */
static uint32_t idle_row(const struct grt_label_sets *s, uint64_t now_ns)
{
	uint32_t oldest = GRT_OTHER_ROW + 1;

	if (!s->idle_ns || !s->cap)
		return GRT_OTHER_ROW;
	for (uint32_t row = oldest; row < grt_label_sets_count(s); row++)
		if (*used_at(s, row) < *used_at(s, oldest))
			oldest = row;
	return now_ns > *used_at(s, oldest) && now_ns - *used_at(s, oldest) >= s->idle_ns ? oldest : GRT_OTHER_ROW;
}

/*
 * The index also forgets which label sets share row 0, so that they may get a row of their own when they are used
 * again.
 */
static int give_away(struct grt_label_sets *s, uint32_t given, const struct grt_label_key *key)
{
	int err = 0;

	*grt_vec_at(&s->keys, struct grt_label_key, given) = *key;
	grt_keymap_free(&s->rows);
	for (uint32_t row = GRT_OTHER_ROW + 1; row < grt_label_sets_count(s) && !err; row++)
		if (row != given)
			err = grt_keymap_put(&s->rows, grt_label_sets_at(s, row)->a, grt_label_sets_at(s, row)->b, row);
	return err;
}

/* A row for a new label set. */
static uint32_t new_row(struct grt_label_sets *s, const struct grt_label_key *key, uint64_t now_ns)
{
	static const struct grt_label_key other;
	uint32_t row;

	if (!grt_label_sets_count(s) && append(s, &other))
		return GRT_NONE;
	row = grt_label_sets_count(s);
	if (row <= s->cap)
		return append(s, key) ? GRT_NONE : row;
	row = idle_row(s, now_ns);
	if (row != GRT_OTHER_ROW && give_away(s, row, key))
		return GRT_NONE;
	return row;
}

uint32_t grt_label_sets_row(struct grt_label_sets *s, uint64_t a, uint64_t b, uint64_t now_ns, bool *is_new)
{
	const struct grt_label_key key = { a, b };
	uint32_t row = grt_keymap_get(&s->rows, a, b);

	*is_new = false;
	if (row == GRT_NONE) {
		row = new_row(s, &key, now_ns);
		if (row == GRT_NONE || grt_keymap_put(&s->rows, a, b, row)) {
			grt_fail_memory();
			return GRT_NONE;
		}
		*is_new = row != GRT_OTHER_ROW;
		s->folded += row == GRT_OTHER_ROW;
	}
	if (now_ns > *used_at(s, row))
		*used_at(s, row) = now_ns;
	return row;
}

void grt_label_sets_free(struct grt_label_sets *s)
{
	grt_keymap_free(&s->rows);
	grt_vec_free(&s->keys);
	grt_vec_free(&s->used);
	*s = (struct grt_label_sets){ .cap = s->cap, .idle_ns = s->idle_ns };
}
