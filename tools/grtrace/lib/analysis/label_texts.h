/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Numbers the texts of labels.  Two pods may have one name, and so may two rings: what has the same labels has the
 * same number.  A number keeps its texts, even if what it stood for gets another name.
 */
#ifndef GRT_LABEL_TEXTS_H
#define GRT_LABEL_TEXTS_H

#include <stdint.h>

#include "keymap.h"
#include "vec.h"

#define GRT_LABEL_TEXTS	3

/* Zeroed memory is empty. */
struct grt_label_texts {
	struct grt_keymap numbers;	/* two hashes of the texts, to their number */
	struct grt_vec rows;		/* struct label_row */
};

/* The number of these texts, counted from 0; GRT_NONE without memory. */
uint32_t grt_label_texts_number(struct grt_label_texts *t, const char *const texts[GRT_LABEL_TEXTS]);

/* Text @i of a number; characters that cannot be printed are question marks. */
const char *grt_label_text(const struct grt_label_texts *t, uint32_t number, unsigned int i);

void grt_label_texts_free(struct grt_label_texts *t);

#endif /* GRT_LABEL_TEXTS_H */
