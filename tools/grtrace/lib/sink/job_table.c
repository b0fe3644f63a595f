// SPDX-License-Identifier: LGPL-2.1
#include "job_table.h"

#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "error.h"

void grt_table_init(struct grt_table *t, const char *align)
{
	*t = (struct grt_table){ .align = align, .columns = strlen(align) };
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
	*t = (struct grt_table){ 0 };
}

void grt_table_add(struct grt_table *t, const char *fmt, ...)
{
	size_t at = t->text.bytes, room = t->text.capacity - at;
	va_list args, again;
	int bytes;

	if (t->failed)
		return;
	va_start(args, fmt);
	va_copy(again, args);
	bytes = vsnprintf((char *)t->text.data + at, room, fmt, args) + 1;
	if (bytes < 1 || !grt_vec_grow(&t->text, bytes) ||
	    grt_vec_append(&t->cells, &at, sizeof(at)))
		t->failed = grt_fail_memory();
	else if ((size_t)bytes > room)
		vsnprintf((char *)t->text.data + at, bytes, fmt, again);
	va_end(again);
	va_end(args);
}

static bool is_ascii(const char *text)
{
	while (*text && !(*text & 0x80))
		text++;
	return !*text;
}

/* As many cells as characters: without a locale nothing tells how wide they are. */
static size_t count_characters(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += (*text & 0xc0) != 0x80;
	return count;
}

/* The cells of a text in the current locale.  Bytes that are no character take one each. */
static size_t count_cells(const char *text)
{
	mbstate_t state = { 0 };
	size_t cells = 0, bytes;
	wchar_t c;

	for (; *text; text += bytes) {
		bytes = mbrtowc(&c, text, MB_LEN_MAX, &state);
		if (bytes > MB_LEN_MAX) {
			state = (mbstate_t){ 0 };
			bytes = 1;
			cells++;
		} else {
			cells += wcwidth(c) < 0 ? 1 : wcwidth(c);
		}
	}
	return cells;
}

size_t grt_text_cells(const char *text)
{
	static locale_t utf8;
	locale_t before;
	size_t cells;

	if (is_ascii(text))
		return strlen(text);
	/* Texts are UTF-8 whatever the user's locale is. */
	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", 0);
	if (!utf8)
		return count_characters(text);
	before = uselocale(utf8);
	cells = count_cells(text);
	uselocale(before);
	return cells;
}

bool grt_table_has_rows(const struct grt_table *t)
{
	return nr_cells(t) > t->columns;
}

/* The first title may extend over the columns without a title behind it. */
static unsigned int title_span(const struct grt_table *t)
{
	unsigned int span = 1;

	while (span < t->columns && !*cell_at(t, span))
		span++;
	return span;
}

static void print_cell(const struct grt_table *t, FILE *f, unsigned int column, const char *text,
		       size_t width)
{
	int pad = width - grt_text_cells(text);

	if (column)
		fputs("  ", f);
	if (t->align[column] == 'r')
		fprintf(f, "%*s%s", pad, "", text);
	else
		fprintf(f, "%s%*s", text, pad, "");
}

/* Prints the row whose first cell has index @row. */
static void print_row(const struct grt_table *t, FILE *f, size_t row, unsigned int span)
{
	size_t width = t->widths[0];
	unsigned int last = t->columns;

	/* Print no blanks at the end of a line. */
	while (last && !*cell_at(t, row + last - 1))
		last--;
	for (unsigned int i = 1; i < span; i++)
		width += 2 + t->widths[i];
	print_cell(t, f, 0, cell_at(t, row), span < last ? width : grt_text_cells(cell_at(t, row)));
	for (unsigned int i = span; i < last; i++) {
		const char *text = cell_at(t, row + i);
		bool is_open = i + 1 == last && t->align[i] == 'l';

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
	measure(t);
	clear_rows(t);
}

/* Makes the columns wide enough for the first title. */
static unsigned int widen(struct grt_table *t)
{
	unsigned int span = title_span(t);
	size_t spanned = 0;

	for (unsigned int i = 0; i < span; i++)
		spanned += t->widths[i] + (i ? 2 : 0);
	if (t->title_width > spanned)
		t->widths[span - 1] += t->title_width - spanned;
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
		span = widen(t);
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
