// SPDX-License-Identifier: LGPL-2.1
#include "job_table.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

void grt_table_init(struct grt_table *t, const char *align)
{
	*t = (struct grt_table){ .align = align, .columns = strlen(align) };
	t->widths = calloc(t->columns, sizeof(*t->widths));
	t->is_dropped = calloc(t->columns, sizeof(*t->is_dropped));
	if (!t->widths || !t->is_dropped)
		t->failed = grt_fail_memory();
}

static size_t nr_cells(const struct grt_table *t)
{
	return grt_vec_count(&t->cells, size_t);
}

static const char *cell_at(const struct grt_table *t, size_t i)
{
	return (const char *)t->text.data + *grt_vec_at(&t->cells, size_t, i);
}

static void clear_rows(struct grt_table *t)
{
	t->text.bytes = t->cells.bytes = 0;
}

void grt_table_free(struct grt_table *t)
{
	grt_vec_free(&t->text);
	grt_vec_free(&t->cells);
	free(t->widths);
	free(t->is_dropped);
	*t = (struct grt_table){ 0 };
}

void grt_table_add(struct grt_table *t, const char *fmt, ...)
{
	size_t at = t->text.bytes, room;
	va_list args, again;
	char *place;
	int bytes;

	if (t->failed)
		return;
	/* A block for the first text, too: C has no NULL + 0. */
	place = grt_vec_grow(&t->text, 0);
	if (!place) {
		t->failed = grt_fail_memory();
		return;
	}
	room = t->text.capacity - at;
	va_start(args, fmt);
	va_copy(again, args);
	bytes = vsnprintf(place, room, fmt, args) + 1;
	if (bytes < 1 || !grt_vec_grow(&t->text, bytes) ||
	    grt_vec_append(&t->cells, &at, sizeof(at)))
		t->failed = grt_fail_memory();
	else if ((size_t)bytes > room)
		vsnprintf((char *)t->text.data + at, bytes, fmt, again);
	va_end(again);
	va_end(args);
}

bool grt_table_has_rows(const struct grt_table *t)
{
	return nr_cells(t) > t->columns;
}

void grt_table_fit(struct grt_table *t, size_t width, const char *drops)
{
	t->room = drops ? width : 0;
	t->drops = drops;
}

/* The first title may extend over the columns without a title behind it. */
static unsigned int title_span(const struct grt_table *t)
{
	unsigned int span = 1;

	while (span < t->columns && !*cell_at(t, span))
		span++;
	return span;
}

/* Prints what fits of @text, with ~ for the rest. */
static void print_cut(FILE *f, const char *text, size_t width)
{
	char c[MB_LEN_MAX + 1];

	while (width > 1 && *text) {
		size_t bytes = 1;

		while ((text[bytes] & 0xc0) == 0x80 && bytes < MB_LEN_MAX)
			bytes++;
		memcpy(c, text, bytes);
		c[bytes] = '\0';
		if (grt_text_cells(c) >= width)
			break;
		fputs(c, f);
		width -= grt_text_cells(c);
		text += bytes;
	}
	fprintf(f, "~%*s", (int)width - 1, "");
}

static void print_cell(const struct grt_table *t, FILE *f, unsigned int column, const char *text,
		       size_t width)
{
	size_t cells = grt_text_cells(text);
	int pad = width - cells;

	if (column)
		fputs("  ", f);
	if (cells > width)
		print_cut(f, text, width);
	else if (t->align[column] == 'r')
		fprintf(f, "%*s%s", pad, "", text);
	else
		fprintf(f, "%s%*s", text, pad, "");
}

/* The cells of the first @count columns, with the blanks between them. */
static size_t cells_of(const struct grt_table *t, unsigned int count)
{
	size_t cells = t->widths[0];

	for (unsigned int i = 1; i < count; i++)
		cells += t->is_dropped[i] ? 0 : 2 + t->widths[i];
	return cells;
}

/* Prints the row whose first cell has index @row. */
static void print_row(const struct grt_table *t, FILE *f, size_t row, unsigned int span)
{
	size_t width = cells_of(t, span), own = grt_text_cells(cell_at(t, row));
	unsigned int last = t->columns;

	/* Print no blanks at the end of a line. */
	while (last && (t->is_dropped[last - 1] || !*cell_at(t, row + last - 1)))
		last--;
	print_cell(t, f, 0, cell_at(t, row), span < last || own > width ? width : own);
	for (unsigned int i = span; i < last; i++) {
		const char *text = cell_at(t, row + i);
		bool is_open = i + 1 == last && t->align[i] == 'l' &&
			       grt_text_cells(text) <= t->widths[i];

		if (!t->is_dropped[i])
			print_cell(t, f, i, text, is_open ? grt_text_cells(text) : t->widths[i]);
	}
}

/* The first title may extend over other columns, so it does not count for its own. */
static void measure(struct grt_table *t)
{
	bool has_title = !t->title_width && nr_cells(t);

	if (has_title)
		t->title_width = grt_text_cells(cell_at(t, 0));
	for (size_t i = has_title; i < nr_cells(t); i++) {
		size_t cells = grt_text_cells(cell_at(t, i));

		if (cells > t->widths[i % t->columns])
			t->widths[i % t->columns] = cells;
	}
}

void grt_table_measure(struct grt_table *t)
{
	if (!t->failed)
		measure(t);
	clear_rows(t);
}

/* Makes the columns wide enough for the first title. */
static void widen(struct grt_table *t, unsigned int span)
{
	size_t spanned = cells_of(t, span);

	while (span > 1 && t->is_dropped[span - 1])
		span--;
	if (t->title_width > spanned)
		t->widths[span - 1] += t->title_width - spanned;
}

static size_t line_cells(const struct grt_table *t, unsigned int span)
{
	size_t cells = cells_of(t, t->columns), spanned = cells_of(t, span);

	return t->title_width > spanned ? cells + t->title_width - spanned : cells;
}

/* Drops the columns that matter least.  False: there are none. */
static bool drop_some(struct grt_table *t)
{
	char least = '0';

	for (unsigned int i = 1; i < t->columns; i++)
		if (!t->is_dropped[i] && t->drops[i] > least)
			least = t->drops[i];
	for (unsigned int i = 1; i < t->columns && least > '0'; i++)
		t->is_dropped[i] |= t->drops[i] == least;
	return least > '0';
}

#define LEAST_CELLS	8	/* of a text that is cut */

/* Makes the widest text narrower by a cell.  False: all are narrow. */
static bool narrow(struct grt_table *t, unsigned int span)
{
	unsigned int widest = 0;

	if (t->title_width > cells_of(t, span)) {
		t->title_width--;
		return true;
	}
	for (unsigned int i = 1; i < t->columns; i++)
		if (!t->is_dropped[i] && t->align[i] == 'l' && t->widths[i] > t->widths[widest])
			widest = i;
	if (t->widths[widest] <= LEAST_CELLS)
		return false;
	t->widths[widest]--;
	return true;
}

static unsigned int fit(struct grt_table *t)
{
	unsigned int span = title_span(t);

	while (t->room && line_cells(t, span) > t->room && drop_some(t))
		;
	while (t->room && line_cells(t, span) > t->room && narrow(t, span))
		;
	widen(t, span);
	return span;
}

void grt_table_print(struct grt_table *t, FILE *f, const char *bold, const char *plain)
{
	size_t i = 0;

	if (t->failed || nr_cells(t) < t->columns)
		return;
	if (!t->has_title) {
		unsigned int span;

		measure(t);
		span = fit(t);
		fputs(bold, f);
		print_row(t, f, 0, span);
		fputs(plain, f);
		putc('\n', f);
		i = t->columns;
		t->has_title = true;
	}
	for (; i + t->columns <= nr_cells(t); i += t->columns) {
		print_row(t, f, i, 1);
		putc('\n', f);
	}
	clear_rows(t);
}
