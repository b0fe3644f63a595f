// SPDX-License-Identifier: LGPL-2.1
#include "label_sets.h"

#include "error.h"

/* A number for a new label set. */
static uint32_t new_row(struct grt_label_sets *s, const struct grt_label_key *key)
{
	static const struct grt_label_key other;
	uint32_t row;

	if (grt_vec_reach(&s->keys, GRT_OTHER_ROW, &other, sizeof(other)))
		return GRT_NONE;
	row = grt_label_sets_count(s);
	if (row > s->cap)
		return GRT_OTHER_ROW;
	return grt_vec_append(&s->keys, key, sizeof(*key)) ? GRT_NONE : row;
}

uint32_t grt_label_sets_row(struct grt_label_sets *s, uint64_t a, uint64_t b)
{
	const struct grt_label_key key = { a, b };
	uint32_t row = grt_keymap_get(&s->rows, a, b);

	if (row != GRT_NONE)
		return row;
	row = new_row(s, &key);
	if (row == GRT_NONE || grt_keymap_put(&s->rows, a, b, row)) {
		grt_fail_memory();
		return GRT_NONE;
	}
	s->folded += row == GRT_OTHER_ROW;
	return row;
}

void grt_label_sets_free(struct grt_label_sets *s)
{
	grt_keymap_free(&s->rows);
	grt_vec_free(&s->keys);
	*s = (struct grt_label_sets){ .cap = s->cap };
}
