// SPDX-License-Identifier: LGPL-2.1
#include "label_texts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "error.h"
#include "quote.h"

struct label_row {
	char *texts[GRT_LABEL_TEXTS];	/* owned */
};

static struct label_row *row_at(const struct grt_label_texts *t, size_t row)
{
	return grt_vec_at(&t->rows, struct label_row, row);
}

static void free_row(struct label_row *row)
{
	for (unsigned int i = 0; i < GRT_LABEL_TEXTS; i++)
		free(row->texts[i]);
}

/* A copy of @text as it is shown: texts that look the same must be the same. */
static char *copy_shown(const char *text)
{
	size_t left = strlen(text);
	char *copy = malloc(left + 1), *to = copy;

	while (copy && left) {
		size_t shown = grt_shown_bytes(text, left), bytes = shown ? shown : 1;

		memcpy(to, shown ? text : "?", bytes);
		to += bytes;
		text += bytes;
		left -= bytes;
	}
	if (copy)
		*to = '\0';
	return copy;
}

static bool make_row(struct label_row *row, const char *const texts[GRT_LABEL_TEXTS])
{
	bool is_whole = true;

	for (unsigned int i = 0; i < GRT_LABEL_TEXTS; i++) {
		row->texts[i] = copy_shown(texts[i]);
		is_whole &= row->texts[i] != NULL;
	}
	return is_whole;
}

static uint64_t hash_row(const struct label_row *row, uint64_t seed)
{
	for (unsigned int i = 0; i < GRT_LABEL_TEXTS; i++)
		seed = XXH64(row->texts[i], strlen(row->texts[i]) + 1, seed);
	return seed;
}

/* Takes the texts of @row, or frees them. */
static uint32_t number_of(struct grt_label_texts *t, struct label_row *row)
{
	uint64_t a = hash_row(row, 0), b = hash_row(row, 1);
	uint32_t number = grt_keymap_get(&t->numbers, a, b);

	if (number == GRT_NONE) {
		number = grt_vec_count(&t->rows, struct label_row);
		if (!grt_keymap_put(&t->numbers, a, b, number) && !grt_vec_append(&t->rows, row, sizeof(*row)))
			return number;
		number = GRT_NONE;
	}
	free_row(row);
	return number;
}

uint32_t grt_label_texts_number(struct grt_label_texts *t, const char *const texts[GRT_LABEL_TEXTS])
{
	struct label_row row;

	if (make_row(&row, texts))
		return number_of(t, &row);
	free_row(&row);
	grt_fail_memory();
	return GRT_NONE;
}

const char *grt_label_text(const struct grt_label_texts *t, uint32_t number, unsigned int i)
{
	return row_at(t, number)->texts[i];
}

void grt_label_texts_free(struct grt_label_texts *t)
{
	for (size_t i = 0; i < grt_vec_count(&t->rows, struct label_row); i++)
		free_row(row_at(t, i));
	grt_vec_free(&t->rows);
	grt_keymap_free(&t->numbers);
}
