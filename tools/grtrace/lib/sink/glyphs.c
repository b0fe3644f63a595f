// SPDX-License-Identifier: LGPL-2.1
#include "glyphs.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "text_cells.h"

#define MAX_LABEL	256

int grt_glyphs_init(struct grt_glyphs *g, uint32_t columns)
{
	g->at = calloc(columns, sizeof(*g->at));
	g->columns = columns;
	if (!g->at)
		return grt_fail_memory();
	grt_glyphs_clear(g);
	return 0;
}

void grt_glyphs_clear(struct grt_glyphs *g)
{
	for (uint32_t i = 0; i < g->columns; i++)
		g->at[i] = (struct grt_glyph){ .sign = " " };
}

void grt_glyphs_free(struct grt_glyphs *g)
{
	free(g->at);
	*g = (struct grt_glyphs){ .at = NULL };
}

void grt_glyphs_put(struct grt_glyphs *g, uint32_t column, const char *sign, uint8_t colour)
{
	if (column >= g->columns)
		return;
	g->at[column] = (struct grt_glyph){ .colour = colour };
	snprintf(g->at[column].sign, sizeof(g->at[column].sign), "%s", sign);
}

void grt_glyphs_text(struct grt_glyphs *g, uint32_t column, const char *text, uint8_t colour,
		     bool is_inverse)
{
	for (; *text && column < g->columns; text++, column++)
		g->at[column] = (struct grt_glyph){ { *text }, colour, is_inverse };
}

static bool is_blank(const struct grt_glyph *glyph)
{
	return !strcmp(glyph->sign, " ") && !glyph->is_inverse;
}

static void set_colour(FILE *f, const struct grt_glyph *glyph)
{
	fputs("\033[0", f);
	if (glyph->is_inverse)
		fputs(";7", f);
	if (glyph->colour)
		fprintf(f, ";38;5;%u", glyph->colour);
	putc('m', f);
}

void grt_glyphs_print(const struct grt_glyphs *g, FILE *f, bool has_colour, bool is_whole)
{
	const struct grt_glyph plain = { .sign = " " }, *now = &plain;
	uint32_t end = g->columns;

	while (!is_whole && end && is_blank(&g->at[end - 1]))
		end--;
	for (uint32_t i = 0; i < end; i++) {
		const struct grt_glyph *glyph = &g->at[i];

		if (has_colour && (glyph->colour != now->colour || glyph->is_inverse != now->is_inverse))
			set_colour(f, glyph);
		now = glyph;
		fputs(glyph->sign, f);
	}
	if (has_colour && (now->colour || now->is_inverse))
		fputs("\033[0m", f);
}

void grt_glyphs_label(FILE *f, const char *text, size_t cells)
{
	char buf[MAX_LABEL];
	size_t len;

	snprintf(buf, sizeof(buf), "%s", text);
	while ((len = strlen(buf)) && grt_text_cells(buf) > cells) {
		/* Cuts off the last character, with all its bytes. */
		while (len > 1 && (buf[len - 1] & 0xc0) == 0x80)
			len--;
		buf[len - 1] = '\0';
	}
	fprintf(f, "%s%*s", buf, (int)(cells - grt_text_cells(buf)), "");
}

const char *grt_glyph_bar(double part, double whole, bool is_ascii)
{
	static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const digits[] = { "1", "2", "3", "4", "5", "6", "7", "8" };
	unsigned int eighth;

	if (!(whole > 0))
		return "";
	eighth = part >= whole ? 7 : part / whole * 8;
	return is_ascii ? digits[eighth] : bars[eighth];
}
