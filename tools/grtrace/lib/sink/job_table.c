// SPDX-License-Identifier: LGPL-2.1
#include "job_table.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

void grt_table_init(struct grt_table *t, const char *align)
{
	*t = (struct grt_table){ .align = align, .columns = strlen(align) };
}

void grt_table_free(struct grt_table *t)
{
	for (size_t i = 0; i < t->nr_cells; i++)
		free(t->cells[i]);
	free(t->cells);
	*t = (struct grt_table){ 0 };
}

void grt_table_add(struct grt_table *t, const char *fmt, ...)
{
	va_list args;

	if (t->failed)
		return;
	if (t->nr_cells == t->max_cells) {
		size_t max = t->max_cells ? 2 * t->max_cells : 64;
		char **cells = realloc(t->cells, max * sizeof(*cells));

		if (!cells) {
			t->failed = grt_fail_memory();
			return;
		}
		t->cells = cells;
		t->max_cells = max;
	}
	va_start(args, fmt);
	if (vasprintf(&t->cells[t->nr_cells], fmt, args) < 0)
		t->failed = grt_fail_memory();
	else
		t->nr_cells++;
	va_end(args);
}

size_t grt_text_cells(const char *text)
{
	size_t cells = 0;

	for (; *text; text++)
		cells += (*text & 0xc0) != 0x80;
	return cells;
}

/* The first title reaches over the columns behind it that have none. */
static unsigned int title_span(const struct grt_table *t)
{
	unsigned int span = 1;

	while (span < t->columns && !*t->cells[span])
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

static void print_row(const struct grt_table *t, FILE *f, char **row, const size_t *widths,
		      unsigned int span)
{
	size_t width = widths[0];
	unsigned int last = t->columns;

	/* No blanks at the end of a line. */
	while (last && !*row[last - 1])
		last--;
	for (unsigned int i = 1; i < span; i++)
		width += 2 + widths[i];
	print_cell(t, f, 0, row[0], span < last ? width : grt_text_cells(row[0]));
	for (unsigned int i = span; i < last; i++) {
		bool is_open = i + 1 == last && t->align[i] == 'l';

		print_cell(t, f, i, row[i], is_open ? grt_text_cells(row[i]) : widths[i]);
	}
}

void grt_table_print(const struct grt_table *t, FILE *f, const char *bold, const char *plain)
{
	size_t widths[GRT_TABLE_MAX_COLUMNS] = { 0 }, spanned = 0;
	unsigned int span;

	if (t->failed || t->nr_cells < t->columns)
		return;
	span = title_span(t);
	for (size_t i = 1; i < t->nr_cells; i++) {
		size_t cells = grt_text_cells(t->cells[i]);

		if (cells > widths[i % t->columns])
			widths[i % t->columns] = cells;
	}
	for (unsigned int i = 0; i < span; i++)
		spanned += widths[i] + (i ? 2 : 0);
	if (grt_text_cells(t->cells[0]) > spanned)
		widths[span - 1] += grt_text_cells(t->cells[0]) - spanned;
	for (size_t i = 0; i + t->columns <= t->nr_cells; i += t->columns) {
		if (!i)
			fputs(bold, f);
		print_row(t, f, t->cells + i, widths, i ? 1 : span);
		if (!i)
			fputs(plain, f);
		putc('\n', f);
	}
}
