/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A line of a picture in text: a label, and a character for each column, some of them in colour.  A
 * line never has more columns than it was made with.
 */
#ifndef GRT_GLYPHS_H
#define GRT_GLYPHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define GRT_GLYPH_BYTES	4	/* of UTF-8, and 0 */

/* Colours of 256-colour terminals; 0 is the terminal's own. */
struct grt_glyph {
	char sign[GRT_GLYPH_BYTES];
	uint8_t colour;
	bool is_inverse;
};

struct grt_glyphs {
	struct grt_glyph *at;	/* owned */
	uint32_t columns;
};

/* 0 or -ENOMEM with a cause.  All columns are blank. */
int grt_glyphs_init(struct grt_glyphs *g, uint32_t columns);
void grt_glyphs_clear(struct grt_glyphs *g);
void grt_glyphs_free(struct grt_glyphs *g);

/* @sign is one character of one cell. */
void grt_glyphs_put(struct grt_glyphs *g, uint32_t column, const char *sign, uint8_t colour);

/* ASCII, cut where the line ends. */
void grt_glyphs_text(struct grt_glyphs *g, uint32_t column, const char *text, uint8_t colour,
		     bool is_inverse);

/* A bar of one cell, @part of @whole high; "" of no @whole.  In ASCII a digit from 1 to 8. */
const char *grt_glyph_bar(double part, double whole, bool is_ascii);

/* Prints the columns without a line end, and without blanks at the end unless @is_whole. */
void grt_glyphs_print(const struct grt_glyphs *g, FILE *f, bool has_colour, bool is_whole);

/* Prints a text in exactly so many cells, cut or with blanks behind it. */
void grt_glyphs_label(FILE *f, const char *text, size_t cells);

#endif /* GRT_GLYPHS_H */
